import { useState } from 'preact/hooks';
import { asRead, isOverwriting } from '../api/as-read.ts';
import type { ApiResponse } from '../api/client.ts';

/** The form of a resource. */
export interface Form<T, D> {
  /** Its fields by API name, with their labels. */
  readonly fields: readonly (readonly [field: keyof T & keyof D & string, label: string])[];
  draftOf(thing: T): D;
}

/** What someone else changed since the resource was read. */
export interface Meanwhile<T, D> {
  readonly found: ApiResponse<T>;
  /** The form when it was read, and as it would be now. */
  readonly before: D;
  readonly after: D;
}

/** An edit of a resource that others may change concurrently. */
export interface Edit<T, D, B = ApiResponse<T> | undefined> {
  readonly form: Form<T, D>;
  readonly draft: D;
  write(draft: D): void;
  /** The resource as it was read; undefined for a new one. */
  readonly base: B;
  /** The conflict that rejected the last save, if any. */
  readonly meanwhile: Meanwhile<T, D> | undefined;
  /** Saves, unless someone else changed one of the fields since the base was read. @throws Problem */
  save<R>(base: ApiResponse<T>, act: (etag: string, thing: T) => Promise<R>): Promise<R>;
  /** Rebases the user's changes on the current state. */
  keep(): void;
  /** Replaces the draft by the current state. */
  drop(): void;
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The user's changes applied to the current state. */
function over<D extends object>(draft: D, before: D, after: D): D {
  const written = Object.entries(draft).filter(([key, value]) => !isSame(value, before[key as keyof D]));
  return { ...after, ...Object.fromEntries(written) };
}

/**
 * Edits a resource as it was when the form was opened; reloads behind the form do not change it.
 * @param start the initial draft
 */
export function useEdit<T extends object, D extends object, B extends ApiResponse<T> | undefined>(
  form: Form<T, D>,
  read: B,
  start: D,
  readAgain: (thing: T) => Promise<ApiResponse<T>>,
): Edit<T, D, B | ApiResponse<T>> {
  const [draft, write] = useState(start);
  const [base, setBase] = useState<B | ApiResponse<T>>(read);
  const [meanwhile, setMeanwhile] = useState<Meanwhile<T, D>>();
  const continueWith = (next: D, { found }: Meanwhile<T, D>) => {
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
      if (meanwhile !== undefined) continueWith(over(draft, meanwhile.before, meanwhile.after), meanwhile);
    },
    drop() {
      if (meanwhile !== undefined) continueWith(meanwhile.after, meanwhile);
    },
  };
}
