/** Malformed requests as bytes. The seed decides all of them but the ids and tokens of the fixture. */
import type { Random } from '../../test/support/random.ts';
import {
  BODIES,
  CHUNKS,
  FRAMINGS,
  HEADERS,
  IDEMPOTENCY_KEYS,
  IDS,
  JSON_VALUES,
  KEYS,
  largeBody,
  METHODS,
  PARAMETERS,
  PATH_PARTS,
  REQUEST_LINES,
  ZONE_FILES,
} from './hostile.ts';
import {
  type Draft,
  encode,
  type Fixture,
  OPERATIONS,
  type Operation,
  takesBody,
  wellFormed,
} from './operations.ts';
import { faulty, type Refusal } from './refusals.ts';

/** What the client does once it has sent everything. */
export type Ending =
  /** It waits for one answer, and sends its next request on the same connection. */
  | 'next'
  /** It waits for an answer, and leaves. */
  | 'leave'
  /** It says at once that nothing follows, and waits for an answer. */
  | 'half-close'
  /** It is gone, and gets no answer. */
  | 'reset';

export interface Malformed {
  readonly kind: string;
  /** Sent one after the other, with a pause between them. */
  readonly pieces: readonly Buffer[];
  readonly ending: Ending;
  /** The one right refusal, where it is known. */
  readonly refusal?: Refusal;
  /** How many answers come, where the client does not wait for one before it sends the next request. */
  readonly answers?: number;
}

type Make = (fixture: Fixture, random: Random) => Omit<Malformed, 'kind'>;

const withBody = OPERATIONS.filter(takesBody);
const withFields = OPERATIONS.filter(({ fields }) => fields !== undefined);
const withZoneFile = OPERATIONS.filter(({ zoneFile }) => zoneFile !== undefined);
const lists = OPERATIONS.filter(({ filters }) => filters !== undefined);
const withIds = OPERATIONS.filter(({ path }) => /:(id|zone|project)/.test(path));
const posts = OPERATIONS.filter(({ method }) => method === 'POST');

function draftOf(among: readonly Operation[], fixture: Fixture, random: Random) {
  const operation = random.pick(among);
  return { operation, draft: wellFormed(operation, fixture, random) };
}

/** A request that is one to the last byte, whatever it says: the connection is good for another. */
function whole(draft: Draft): Omit<Malformed, 'kind'> {
  return { pieces: [encode(draft)], ending: 'next' };
}

function once(bytes: Buffer, ending: Ending = 'leave'): Omit<Malformed, 'kind'> {
  return { pieces: [bytes], ending };
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** One byte or more of a request changed, lost, doubled or put elsewhere. */
function mutate(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length);
  const length = 1 + random.below(random.pick([1, 4, 40]));
  const [before, cut, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  const noise = Buffer.from(Array.from({ length }, () => random.below(256)));
  const replaced = random.pick([
    noise,
    Buffer.alloc(0),
    Buffer.concat([cut, cut]),
    Buffer.concat([noise, cut]),
    latin1(random.pick(['\r\n', '\n', '\0', '"', '{', ',', ':', '\\', ' ', '%00', '\xff'])),
  ]);
  return Buffer.concat([before, replaced, after]);
}

function valueFor(key: string, random: Random): string {
  const value = random.pick(JSON_VALUES);
  // A pattern that is one by accident would keep names from others.
  return key === 'pattern' ? value.replace(/^"/, '"malformed') : value;
}

/** The JSON text of an object in which one field has another value, is there twice, or is one too many. */
function fieldsGoneWrong(operation: Operation, fixture: Fixture, random: Random): string {
  const entries = Object.entries(operation.fields!(fixture, random)).map(([key, value]): [string, string] => [
    key,
    JSON.stringify(value),
  ]);
  const wrongs = 1 + random.below(3);
  for (let i = 0; i < wrongs; i++) {
    const entry = random.pick(entries);
    const value = valueFor(entry[0], random);
    if (random.chance(0.75)) entry[1] = value;
    else entries.push([random.chance(0.5) ? entry[0] : random.pick(KEYS), value]);
  }
  if (random.chance(0.1)) entries.shift();
  return `{${entries.map(([key, value]) => `"${key}":${value}`).join(',')}}`;
}

function cutInTwo(bytes: Buffer, random: Random): [Buffer, Buffer] {
  const at = 1 + random.below(bytes.length - 1);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

const MAKERS: Readonly<Record<string, readonly [weight: number, make: Make]>> = {
  'request line': [
    8,
    ({ member }, random) => {
      const line = random.pick(REQUEST_LINES);
      const end = random.pick(['\r\n\r\n', `\r\nHost: x\r\nX-Auth-Token: ${member}\r\n\r\n`, '\n\n', '']);
      return once(latin1(line + end), 'half-close');
    },
  ],
  method: [
    5,
    (fixture, random) => {
      const { draft } = draftOf(OPERATIONS, fixture, random);
      return once(encode({ ...draft, method: random.pick(METHODS) }));
    },
  ],
  path: [
    8,
    (fixture, random) => {
      const { draft } = draftOf(OPERATIONS, fixture, random);
      const parts = draft.target.split('/');
      parts.splice(random.below(parts.length + 1), random.below(2), random.pick(PATH_PARTS));
      return once(encode({ ...draft, target: parts.join('/') }));
    },
  ],
  id: [
    5,
    (fixture, random) => {
      const { draft } = draftOf(withIds, fixture, random);
      const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|malformed-quotas/;
      return once(encode({ ...draft, target: draft.target.replace(ids, () => random.pick(IDS)) }));
    },
  ],
  query: [
    14,
    (fixture, random) => {
      const { operation, draft } = draftOf(lists, fixture, random);
      const known = ['limit', 'marker', 'sort_key', 'sort_dir', ...operation.filters!];
      const parameter = (): string => {
        const name = random.chance(0.9) ? random.pick(known) : random.pick(PARAMETERS);
        const value =
          name === 'sort_key' && random.chance(0.5)
            ? random.pick(operation.sortKeys!)
            : random.pick(PARAMETERS);
        return `${name}=${value}`;
      };
      const query = Array.from({ length: 1 + random.below(4) }, parameter).join('&');
      return once(encode({ ...draft, target: `${draft.target.split('?')[0]}?${query}` }));
    },
  ],
  headers: [
    12,
    (fixture, random) => {
      const { draft } = draftOf(OPERATIONS, fixture, random);
      for (let i = 0; i < 1 + random.below(3); i++) {
        const [name, value] = random.pick(HEADERS);
        if (random.chance(0.5)) draft.headers = draft.headers.filter(([other]) => other !== name);
        draft.headers.splice(random.below(draft.headers.length + 1), 0, [name, value]);
      }
      if (random.chance(0.05)) {
        draft.headers.push(...Array.from({ length: 2500 }, (): [string, string] => ['a', '']));
      }
      return once(encode(draft));
    },
  ],
  'several faults': [
    10,
    (fixture, random) => {
      const { draft, refusal } = faulty(random.pick(OPERATIONS), fixture, random);
      return { ...once(encode(draft)), refusal };
    },
  ],
  'idempotency key': [
    4,
    (fixture, random) => {
      const { draft } = draftOf(posts, fixture, random);
      const keys = random.chance(0.3) ? ['one', 'two'] : [random.pick(IDEMPOTENCY_KEYS)];
      draft.headers.push(...keys.map((key): [string, string] => ['Idempotency-Key', key]));
      return once(encode(draft));
    },
  ],
  body: [
    6,
    (fixture, random) => {
      const { draft } = draftOf(withBody, fixture, random);
      return whole({ ...draft, body: Buffer.from(random.pick(BODIES)) });
    },
  ],
  field: [
    20,
    (fixture, random) => {
      const { operation, draft } = draftOf(withFields, fixture, random);
      return whole({ ...draft, body: Buffer.from(fieldsGoneWrong(operation, fixture, random)) });
    },
  ],
  'changed body': [
    6,
    (fixture, random) => {
      const { draft } = draftOf(withBody, fixture, random);
      // For the same reason no pattern that a change leaves over is to be taken: the body has a key too many.
      const body = draft.body!.toString('latin1').replace('{"pattern"', '{"a":"a","b":"b","pattern"');
      return whole({ ...draft, body: mutate(latin1(body), random) });
    },
  ],
  'zone file': [
    5,
    (fixture, random) => {
      const { draft } = draftOf(withZoneFile, fixture, random);
      const origin = `$ORIGIN f${random.below(1e6)}.malformed.example.\n`;
      return whole({ ...draft, body: Buffer.from(origin + random.pick(ZONE_FILES)) });
    },
  ],
  'large body': [
    0.4,
    (fixture, random) => {
      const { draft } = draftOf(withFields, fixture, random);
      return once(encode({ ...draft, body: Buffer.from(largeBody(random)) }));
    },
  ],
  'too large a body': [
    0.2,
    (fixture, random) => {
      const { draft } = draftOf(withFields, fixture, random);
      return once(encode({ ...draft, body: Buffer.alloc(1_500_000, 'x') }));
    },
  ],
  framing: [
    5,
    (fixture, random) => {
      const { draft } = draftOf(withBody, fixture, random);
      draft.headers.push(...random.pick(FRAMINGS).map(([name, value]): [string, string] => [name, value]));
      return once(encode(draft), 'half-close');
    },
  ],
  chunks: [
    4,
    (fixture, random) => {
      const { draft } = draftOf(withFields, fixture, random);
      draft.headers.push(['Transfer-Encoding', 'chunked']);
      return once(encode({ ...draft, body: latin1(random.pick(CHUNKS)) }), 'half-close');
    },
  ],
  'changed bytes': [
    8,
    (fixture, random) => {
      const { operation, draft } = draftOf(OPERATIONS, fixture, random);
      const bytes = encode(draft);
      const head = bytes.indexOf('\r\n\r\n');
      const changed = operation.path.startsWith('/v2/blacklists')
        ? Buffer.concat([mutate(bytes.subarray(0, head), random), bytes.subarray(head)])
        : mutate(bytes, random);
      // What is asked for may not be all there: then nothing else tells the service that no more comes.
      return once(changed, random.chance(0.98) ? 'half-close' : 'leave');
    },
  ],
  'cut off': [
    5,
    (fixture, random) => {
      const [bytes] = cutInTwo(encode(draftOf(OPERATIONS, fixture, random).draft), random);
      return once(bytes, random.pick<Ending>(['half-close', 'reset']));
    },
  ],
  'cut off for good': [
    0.15,
    (fixture, random) => once(cutInTwo(encode(draftOf(withFields, fixture, random).draft), random)[0]),
  ],
  slow: [
    2,
    (fixture, random) => {
      const [first, rest] = cutInTwo(encode(draftOf(OPERATIONS, fixture, random).draft), random);
      return { pieces: [first, ...(rest.length > 1 ? cutInTwo(rest, random) : [rest])], ending: 'leave' };
    },
  ],
  'gone before the answer': [
    2,
    (fixture, random) => once(encode(draftOf(OPERATIONS, fixture, random).draft), 'reset'),
  ],
  'garbage behind requests': [
    4,
    (fixture, random) => {
      const count = 1 + random.below(3);
      const requests = Array.from({ length: count }, () =>
        encode(draftOf(OPERATIONS, fixture, random).draft),
      );
      const garbage = latin1(`${random.pick(['nonsense', '\0\0\0', 'GET / HTTP/9.9', '{"a":1}'])}\r\n\r\n`);
      return { ...once(Buffer.concat([...requests, garbage])), answers: count + 1 };
    },
  ],
};

const CHOICES = Object.entries(MAKERS).map(([kind, [weight]]) => [weight, kind] as const);

/** The next malformed request. */
export function malformedRequest(fixture: Fixture, random: Random): Malformed {
  const kind = random.weighted(CHOICES);
  return { kind, ...MAKERS[kind]![1](fixture, random) };
}

/** The next request that has nothing wrong with it, of any operation. */
export function wellFormedRequest(fixture: Fixture, random: Random): Malformed {
  return { kind: 'well-formed', ...whole(draftOf(OPERATIONS, fixture, random).draft) };
}
