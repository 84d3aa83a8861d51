/** Bodies that change a resource. They may repeat read-only keys, so that a client can read, edit and send back. */
import { isDeepStrictEqual } from 'node:util';
import { Faults } from '../../domain/shapes/faults.ts';
import { isObject, type Shape } from '../../domain/shapes/shape.ts';
import { DomainError } from '../../model/errors.ts';
import { type BodyReader, readJson } from './body.ts';
import { JSON_TYPE } from './responses.ts';

const READ_ONLY = 'This key cannot be changed. Send its current value, or omit it.';
const UNKNOWN = 'This key is unknown. Remove it.';

/** These values change by themselves, so a client may send back values that are out of date. */
const MOVING: Readonly<Record<string, readonly string[]>> = {
  status: ['ACTIVE', 'PENDING'],
  action: ['CREATE', 'UPDATE', 'NONE'],
};

/** A patch body whose writable keys have been read. */
export interface PatchBody<T> {
  /**
   * Returns the changes if all other keys repeat the resource, which is loaded only if there are such keys.
   * @param present loads the resource as clients see it
   * @throws DomainError `invalid_object` with all faults at once
   */
  resolveAgainst(present: () => Promise<object>): Promise<T>;
}

/** True if a client may send the key back although the resource has another value, or none: `warnings` are about a request. */
function isMoving([key, value]: readonly [string, unknown]): boolean {
  if (key === 'warnings') return Array.isArray(value);
  return Object.hasOwn(MOVING, key) && MOVING[key]!.some((one) => one === value);
}

/** For keys whose values have several spellings: returns the one that is shown. */
type Canonical = Readonly<Record<string, (text: string) => string>>;

function repeats(value: unknown, shown: unknown, canonical: Canonical[string] | undefined): boolean {
  if (isDeepStrictEqual(value, shown)) return true;
  return typeof value === 'string' && canonical?.(value) === shown;
}

/** Adds a fault for each key that does not repeat the resource. */
function compare(
  repeated: Readonly<Record<string, unknown>>,
  resource: object,
  canonical: Canonical,
  faults: Faults,
): void {
  // As clients see it: without members that JSON omits.
  const present: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(resource));
  for (const [key, value] of Object.entries(repeated)) {
    const isKnown = Object.hasOwn(present, key);
    if (isKnown && repeats(value, present[key], canonical[key])) continue;
    faults.within(key, () => faults.add(isKnown ? READ_ONLY : UNKNOWN));
    if (faults.areTooMany) return;
  }
}

/**
 * Loads the resource. Returns undefined if it does not exist or fails a precondition while the body has faults, which
 * are reported first.
 */
async function findPresent(present: () => Promise<object>, faults: Faults): Promise<object | undefined> {
  try {
    return await present();
  } catch (error) {
    const isLater = error instanceof DomainError && /_not_found$|^precondition_failed$/.test(error.kind);
    if (isLater && faults.count > 0) return undefined;
    throw error;
  }
}

function readChanges<T extends NonNullable<unknown>>(
  shape: Shape<T>,
  given: unknown,
  canonical: Canonical,
): PatchBody<T> {
  const faults = new Faults();
  const members = isObject(given) ? Object.entries(given) : [];
  const writable = shape.schema.properties ?? {};
  const written = members.filter(([key]) => Object.hasOwn(writable, key));
  const repeated = members.filter((member) => !Object.hasOwn(writable, member[0]) && !isMoving(member));
  const value = shape.read(isObject(given) ? Object.fromEntries(written) : given, faults);
  if (repeated.length === 0 && value === undefined) throw faults.refusal();
  return {
    async resolveAgainst(present) {
      if (repeated.length > 0) {
        const resource = await findPresent(present, faults);
        if (resource !== undefined) compare(Object.fromEntries(repeated), resource, canonical, faults);
      }
      if (value === undefined || faults.count > 0) throw faults.refusal();
      return value;
    },
  };
}

/**
 * A reader for patch bodies: an object of the given shape, plus keys that repeat the resource.
 * @param canonical returns the spelling that is shown, for keys that are names
 */
export function patchBody<T extends NonNullable<unknown>>(
  shape: Shape<T>,
  canonical: Canonical = {},
): readonly [BodyReader<PatchBody<T>>] {
  const read = (bytes: Buffer | undefined) => readChanges(shape, readJson(bytes), canonical);
  return [{ mediaType: JSON_TYPE, schema: shape.schema, repeatsResource: true, read }];
}
