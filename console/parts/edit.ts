import { useState } from 'preact/hooks';
import { asRead, isOverwriting } from '../api/as-read.ts';
import type { Answered } from '../api/client.ts';

/** What a form shows of things. */
export interface Form<T, D> {
  /** Its fields, as the API names them, and what people read beside them. */
  readonly fields: readonly (readonly [field: keyof T & keyof D & string, label: string])[];
  draftOf(thing: T): D;
}

/** What somebody else has made of a thing since a person read it. */
export interface Meanwhile<T, D> {
  readonly found: Answered<T>;
  /** What the form showed when it was read, and what it would show now. */
  readonly before: D;
  readonly after: D;
}

/** What a person makes of a thing that others may change, too. */
export interface Edit<T, D, B = Answered<T> | undefined> {
  readonly form: Form<T, D>;
  readonly draft: D;
  write(draft: D): void;
  /** The thing as it was read; undefined for a new one. */
  readonly base: B;
  /** Why the last save was refused, if it was for that. */
  readonly meanwhile: Meanwhile<T, D> | undefined;
  /** Saves, unless somebody else has changed one of the fields since the base was read. @throws Problem */
  save<R>(base: Answered<T>, act: (etag: string, thing: T) => Promise<R>): Promise<R>;
  /** Takes what is there now as the base, and leaves in the draft what the person has written. */
  keep(): void;
  /** Takes what is there now as the base, and as the draft. */
  drop(): void;
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A draft over what is there now: what the person has not written is as it is there. */
function over<D extends object>(draft: D, before: D, after: D): D {
  const written = Object.entries(draft).filter(([key, value]) => !isSame(value, before[key as keyof D]));
  return { ...after, ...Object.fromEntries(written) };
}

/**
 * An edit of a thing as it was when the form was opened: what is read again behind the form does not change it.
 * @param start what the form shows at first
 */
export function useEdit<T extends object, D extends object, B extends Answered<T> | undefined>(
  form: Form<T, D>,
  read: B,
  start: D,
  readAgain: (thing: T) => Promise<Answered<T>>,
): Edit<T, D, B | Answered<T>> {
  const [draft, write] = useState(start);
  const [base, setBase] = useState<B | Answered<T>>(read);
  const [meanwhile, setMeanwhile] = useState<Meanwhile<T, D>>();
  const goOnWith = (next: D, { found }: Meanwhile<T, D>) => {
    write(next);
    setBase(found);
    setMeanwhile(undefined);
  };
  return {
    form,
    draft,
    write,
    base,
    meanwhile,
    async save(from, act) {
      let found = from;
      const lookAgain = async () => {
        found = await readAgain(from.data);
        return found;
      };
      const fields = form.fields.map(([field]) => field);
      try {
        return await asRead(from, fields, lookAgain, (etag) => act(etag, from.data));
      } catch (error) {
        const [before, after] = [form.draftOf(from.data), form.draftOf(found.data)];
        if (isOverwriting(error)) setMeanwhile({ found, before, after });
        throw error;
      }
    },
    keep() {
      if (meanwhile !== undefined) goOnWith(over(draft, meanwhile.before, meanwhile.after), meanwhile);
    },
    drop() {
      if (meanwhile !== undefined) goOnWith(meanwhile.after, meanwhile);
    },
  };
}
