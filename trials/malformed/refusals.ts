/** Requests with several faults, and the one refusal that wins over the others. */
import type { Random } from '../../test/support/random.ts';
import { type Draft, type Fixture, type Operation, takesBody, wellFormed } from './operations.ts';

export interface Refusal {
  readonly status: number;
  readonly type: string;
}

interface Fault {
  readonly refusal: Refusal;
  /** Whether there is room for the fault in a request of the operation. */
  readonly fits: (operation: Operation) => boolean;
  readonly make: (draft: Draft, operation: Operation, fixture: Fixture) => void;
}

const OTHER_ID = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';
const isPublic = ({ path }: Operation): boolean => ['/', '/v2', '/healthcheck'].includes(path);
const isAnswerOfOtherType = ({ path }: Operation): boolean => path.endsWith('/:id/export');

function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [...draft.headers.filter(([other]) => other !== name), [name, value]];
}

/** In the order in which one wins over those after it. */
const FAULTS: readonly Fault[] = [
  {
    refusal: { status: 404, type: 'not_found' },
    fits: () => true,
    make: (draft) => {
      draft.target = draft.target.replace(/(?=\?|$)/, '/nothing/here');
    },
  },
  {
    refusal: { status: 405, type: 'method_not_allowed' },
    fits: () => true,
    make: (draft) => {
      draft.method = 'PROPFIND';
    },
  },
  {
    refusal: { status: 401, type: 'access_denied' },
    fits: (operation) => !isPublic(operation),
    make: (draft) => {
      draft.headers = draft.headers.filter(([name]) => name !== 'X-Auth-Token');
    },
  },
  {
    refusal: { status: 401, type: 'access_denied' },
    fits: ({ by }) => by === 'admin',
    make: (draft, { method, path }, { member }) => {
      // A transfer may be accepted by any member.
      if (method !== 'POST' || !path.endsWith('/transfer_accepts'))
        return setHeader(draft, 'X-Auth-Token', member);
      draft.headers = draft.headers.filter(([name]) => name !== 'X-Auth-Token');
    },
  },
  {
    refusal: { status: 406, type: 'unsupported_accept' },
    fits: (operation) => !isAnswerOfOtherType(operation),
    make: (draft) => setHeader(draft, 'Accept', 'text/html'),
  },
  {
    refusal: { status: 415, type: 'unsupported_content_type' },
    fits: takesBody,
    make: (draft) => setHeader(draft, 'Content-Type', 'text/plain'),
  },
  {
    refusal: { status: 413, type: 'request_too_large' },
    fits: ({ method }) => method !== 'GET',
    make: (draft) => setHeader(draft, 'Content-Length', '70000000'),
  },
  {
    refusal: { status: 400, type: 'invalid_uuid' },
    fits: ({ path }) => /:(id|zone)/.test(path),
    make: (draft) => {
      draft.target = draft.target.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, 'no-uuid');
    },
  },
  {
    refusal: { status: 400, type: 'invalid_object' },
    fits: ({ path }) => path.includes(':project'),
    make: (draft) => {
      draft.target = draft.target.replace('malformed-quotas', 'a%20b');
    },
  },
  {
    refusal: { status: 400, type: 'invalid_limit' },
    fits: ({ filters }) => filters !== undefined,
    make: (draft) => {
      draft.target = `${draft.target.split('?')[0]}?limit=0`;
    },
  },
  {
    refusal: { status: 400, type: 'invalid_json' },
    fits: ({ fields }) => fields !== undefined,
    make: (draft) => {
      draft.body = Buffer.from('{"ttl":');
    },
  },
  {
    refusal: { status: 400, type: 'invalid_object' },
    fits: ({ zoneFile }) => zoneFile !== undefined,
    make: (draft) => {
      draft.body = Buffer.from([0x24, 0xff, 0xfe]);
    },
  },
  {
    refusal: { status: 404, type: '' },
    fits: ({ id }) => id !== undefined,
    make: (draft, { id }, fixture) => {
      draft.target = draft.target.replaceAll(fixture[id!], OTHER_ID);
    },
  },
];

/** A request with some faults at once, and the refusal of the first of them; without a type, any of the status. */
export function faulty(
  operation: Operation,
  fixture: Fixture,
  random: Random,
): { readonly draft: Draft; readonly refusal: Refusal } {
  const possible = FAULTS.filter(({ fits }) => fits(operation));
  const chosen = possible.filter(() => random.chance(0.3));
  if (chosen.length === 0) chosen.push(random.pick(possible));
  const draft = wellFormed(operation, fixture, random);
  // What names something else comes last, since others look for what is named.
  for (const { make } of chosen.toReversed()) make(draft, operation, fixture);
  return { draft, refusal: chosen[0]!.refusal };
}
