import { STATUS_CODES } from 'node:http';
import { ERROR_CATALOGUE, type ErrorKind } from '../../model/errors.ts';
import type { DescribedRefusal } from '../edge/client-protocol.ts';
import { isConditional } from '../edge/conditional-requests.ts';
import { answerTo, EDGE_CATALOGUE, type EdgeKind } from '../edge/errors.ts';
import type { ResponseHeader } from '../edge/headers.ts';
import { TEXT_TYPE } from '../edge/responses.ts';
import type { Route } from '../edge/route.ts';
import { refusalsOfPath } from './parameters.ts';
import { headersOf } from './response-headers.ts';
import type { DocumentPart } from './schemas.ts';

type RefusalKind = ErrorKind | EdgeKind;

const MESSAGES: Readonly<Record<RefusalKind, string>> = { ...ERROR_CATALOGUE, ...EDGE_CATALOGUE };

const OF_ANY: readonly RefusalKind[] = [
  'bad_request',
  'unsupported_accept',
  'request_timeout',
  'header_too_large',
  'unknown',
  'storage_unavailable',
];
const OF_GUARD: readonly RefusalKind[] = [
  'unauthenticated',
  'access_denied',
  'too_many_requests',
  'identity_unavailable',
  'too_many_validations',
];
const OF_KEY: readonly RefusalKind[] = [
  'idempotency_key_running',
  'idempotency_answer_gone',
  'idempotency_key_reused',
];
const OF_BODY: readonly RefusalKind[] = [
  'invalid_json',
  'empty_request_body',
  'invalid_object',
  'unsupported_content_type',
];

/** Answered before the protocol of a route is known. */
const BEFORE_PROTOCOL: readonly RefusalKind[] = ['request_timeout', 'header_too_large'];

const OF_REFUSALS: readonly ResponseHeader[] = ['Retry-After', 'WWW-Authenticate'];

/** All errors that a route can return: those common to its kind of route, and those it declares. */
function kindsOf(route: Route): readonly RefusalKind[] {
  const { guard, method, path, body, protocol, refusals = [] } = route;
  if (protocol !== undefined) return BEFORE_PROTOCOL;
  return [
    ...OF_ANY,
    ...(guard === 'public' ? [] : OF_GUARD),
    ...refusalsOfPath(path),
    ...(method === 'GET' ? [] : ['request_too_large' as const]),
    ...(body === undefined ? [] : OF_BODY),
    ...(guard !== 'public' && method === 'POST' ? OF_KEY : []),
    ...(isConditional(route) ? ['precondition_failed' as const] : []),
    ...refusals,
  ];
}

/** The error kinds of one status, by the type that clients see. */
type Types = Map<string, RefusalKind>;

function byStatus(route: Route, accessDeniedStatus: number): ReadonlyMap<number, Types> {
  const statuses = new Map<number, Types>();
  for (const kind of kindsOf(route)) {
    const { status: usual, type } = answerTo(kind);
    const status = kind === 'access_denied' ? accessDeniedStatus : usual;
    const types: Types = statuses.get(status) ?? new Map();
    if (!types.has(type)) types.set(type, kind);
    statuses.set(status, types);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}

function exampleOfRefusal(status: number, type: string, kind: RefusalKind): DocumentPart {
  const request_id = 'req-2a1f0d8c-6e6b-4a3e-9e0d-7f4f4a0c8a11';
  const message = MESSAGES[kind];
  const faults = kind === 'invalid_object' ? { errors: { errors: [{ path: ['name'], message }] } } : {};
  return { value: { code: status, type, message, request_id, ...faults } };
}

function responseOf(status: number, types: Types): DocumentPart {
  const kinds = [...types.values()];
  const has = (name: ResponseHeader) =>
    kinds.some((kind) => answerTo(kind).headers?.[name.toLowerCase()] !== undefined);
  const headers = OF_REFUSALS.filter((name) => has(name) || (name === 'WWW-Authenticate' && status === 401));
  const names = [...types.keys()].map((type) => `\`${type}\``).join(', ');
  const particular = {
    type: 'object',
    properties: { code: { const: status }, type: { type: 'string', enum: [...types.keys()] } },
  };
  return {
    description: `${STATUS_CODES[status]}: ${names}.`,
    headers: headersOf(headers),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Refusal' }, particular] },
        examples: Object.fromEntries(
          [...types].map(([type, kind]) => [type, exampleOfRefusal(status, type, kind)]),
        ),
      },
    },
  };
}

function textResponseOf({ description, example, headers }: DescribedRefusal): DocumentPart {
  return {
    description,
    headers: headersOf(headers),
    content: { [TEXT_TYPE]: { schema: { type: 'string' }, example } },
  };
}

/** The refusals of a route in the words of its protocol, by status. */
function textResponsesOf({ protocol }: Route): DocumentPart {
  const described = Object.entries(protocol?.refusals ?? {});
  return Object.fromEntries(described.map(([status, refusal]) => [status, textResponseOf(refusal)]));
}

/** Error responses. Those shared by several operations appear once. */
export class RefusalResponses {
  readonly #accessDeniedStatus: number;
  readonly #shared = new Map<string, DocumentPart>();

  /** @param accessDeniedStatus status for an authenticated caller without permission */
  constructor(accessDeniedStatus: number) {
    this.#accessDeniedStatus = accessDeniedStatus;
  }

  get shared(): DocumentPart {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The error responses of a route, by status. */
  of(route: Route): DocumentPart {
    const responses = [...byStatus(route, this.#accessDeniedStatus)].map(([status, types]) => [
      status,
      this.#referred(`${status}_${[...types.keys()].sort().join('_')}`, responseOf(status, types)),
    ]);
    return { ...Object.fromEntries(responses), ...textResponsesOf(route) };
  }

  #referred(name: string, response: DocumentPart): DocumentPart {
    if (!this.#shared.has(name)) this.#shared.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }
}

const text = { type: 'string' };

/** The shape of every error. */
export const REFUSAL_SCHEMA: DocumentPart = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'HTTP status.' },
    type: { ...text, description: 'Machine-readable error type.' },
    message: { ...text, description: 'Human-readable message.' },
    request_id: { ...text, pattern: '^req-' },
    hint: { ...text, description: 'What to do next.' },
    errors: {
      type: 'object',
      description: 'Validation errors of the body.',
      properties: {
        errors: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'array', items: { type: ['integer', 'string'] } },
              type: { ...text, description: 'Set if the errors of a request can have several types.' },
              message: text,
            },
            required: ['path', 'message'],
            additionalProperties: false,
          },
        },
      },
      required: ['errors'],
      additionalProperties: false,
    },
  },
  required: ['code', 'type', 'message', 'request_id'],
  additionalProperties: false,
};
