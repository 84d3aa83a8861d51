import type { BlacklistUseCases, LintedBlacklist } from '../../domain/blacklists/blacklists.ts';
import {
  TERM_MEMBERS,
  type TermsOnWire,
  termsGiven,
  termsShown,
} from '../../domain/blacklists/term-shapes.ts';
import { isObject, nullable, object, refined, type Shape, text } from '../../domain/shapes/shape.ts';
import {
  BLACKLIST_FILTERS,
  BLACKLIST_SORT_KEYS,
  type Blacklist,
  type BlacklistDraft,
  type Hits,
  MODES,
} from '../../model/blacklists/blacklist.ts';
import { descriptionFault } from '../../model/text.ts';
import { jsonBody } from '../edge/body.ts';
import { patchBody } from '../edge/patch-body.ts';
import { type ResponseBody, responseSchema } from '../edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from '../edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route, tagged } from '../edge/route.ts';
import { listRoute } from '../lists/list.ts';
import type { PageLimits } from '../lists/list-query.ts';

const PATTERN = String.raw`(^|\.)example\.(com|net)\.$`;

const BLACKLIST = {
  id: responseSchema.id,
  pattern: responseSchema.text({ examples: [PATTERN] }),
  description: responseSchema.nullable(responseSchema.text()),
  created_at: responseSchema.time,
  updated_at: responseSchema.nullable(responseSchema.time),
  links: responseSchema.object({ self: responseSchema.link }),
};
const count = responseSchema.integer({ minimum: 0 });
const exception = responseSchema.object({
  project_id: responseSchema.nullable(responseSchema.projectId),
  name: responseSchema.nullable(responseSchema.text({ examples: ['example.org.'] })),
  description: responseSchema.nullable(responseSchema.text()),
  expires_at: responseSchema.nullable(responseSchema.time),
});
/** Shown only if they differ from the default. */
const OPTIONAL = {
  mode: responseSchema.choice(MODES),
  expires_at: responseSchema.time,
  exceptions: responseSchema.list(exception),
  exhausted: responseSchema.object({
    count: responseSchema.integer({ minimum: 1 }),
    last_at: responseSchema.time,
  }),
  hits: responseSchema.object({
    refused: count,
    warned: count,
    audited: count,
    last_at: responseSchema.time,
  }),
  lists: responseSchema.list(responseSchema.text({ examples: ['brands'] })),
};
const shown = responseSchema.titled('Blacklist', responseSchema.object(BLACKLIST, OPTIONAL));
const warning = responseSchema.object({ code: responseSchema.text(), message: responseSchema.text() });
const stored = responseSchema.titled(
  'StoredBlacklist',
  responseSchema.object(BLACKLIST, { ...OPTIONAL, warnings: responseSchema.list(warning) }),
);

function hitsToWire({ refused, warned, audited, lastAt }: Hits) {
  return { refused, warned, audited, last_at: lastAt };
}

function toWire(blacklist: Blacklist, base: string): ResponseBody<typeof shown> {
  const { exhausted, hits, lists } = blacklist;
  return {
    id: blacklist.id,
    pattern: blacklist.pattern,
    description: blacklist.description,
    created_at: blacklist.createdAt,
    updated_at: blacklist.updatedAt,
    links: { self: `${base}/v2/blacklists/${blacklist.id}` },
    ...termsShown(blacklist),
    ...(exhausted === null ? {} : { exhausted: { count: exhausted.count, last_at: exhausted.lastAt } }),
    ...(hits === null ? {} : { hits: hitsToWire(hits) }),
    ...(lists.length === 0 ? {} : { lists }),
  };
}

const asBlacklist = tagged((blacklist: Blacklist) => toWire(blacklist, ''));

function storedToWire({ blacklist, warnings }: LintedBlacklist, base: string): ResponseBody<typeof stored> {
  return { ...toWire(blacklist, base), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** Members a client may write. */
interface WrittenBlacklist extends TermsOnWire {
  readonly pattern: string;
  readonly description: string | null;
  /** Read-only: accepted so that a client can send back a resource it has read. */
  readonly hits: object | null;
  readonly exhausted: object | null;
  readonly lists: readonly unknown[] | null;
}

const counted: Shape<object | null> = nullable({
  schema: { type: 'object', description: 'Read-only: set by the service.' },
  read: (given, faults) => (isObject(given) ? given : faults.add('Must be an object or null.')),
});

const held: Shape<readonly unknown[] | null> = nullable({
  schema: { type: 'array', description: 'Read-only: the lists that the entry is on.' },
  read: (given, faults) => (Array.isArray(given) ? given : faults.add('Must be an array or null.')),
});

function draftOf({ pattern, description, ...others }: Partial<WrittenBlacklist>): Partial<BlacklistDraft> {
  return {
    ...(pattern === undefined ? {} : { pattern }),
    ...(description === undefined ? {} : { description }),
    ...termsGiven(others),
  };
}

/** The CRUD operations on blacklists. */
export function blacklistRoutes(blacklists: BlacklistUseCases, limits: PageLimits): Route[] {
  const pattern = text((given) => blacklists.patternFault(given), {
    minLength: 1,
    maxLength: 4096,
    description: "A regular expression in Python's re syntax.",
    examples: [PATTERN],
  });
  const description = nullable(text(descriptionFault, { maxLength: 1024 }));
  const others = { description, ...TERM_MEMBERS, hits: counted, exhausted: counted, lists: held };
  const createBody = jsonBody(
    refined(
      object<Pick<WrittenBlacklist, 'pattern'>, Omit<WrittenBlacklist, 'pattern'>>({ pattern }, others),
      (written) => ({
        pattern: written.pattern,
        ...draftOf(written),
      }),
    ),
  );
  const updateBody = patchBody(
    refined(object<object, WrittenBlacklist>({}, { pattern, ...others }), draftOf),
  );

  return [
    route({
      method: 'POST',
      path: '/v2/blacklists',
      guard: actingProject('create_blacklist'),
      body: createBody,
      tagged: asBlacklist,
      responses: responsesCreated(201, stored),
      refusals: ['duplicate_blacklist'],
      handle: (request) =>
        replyCreated(
          request,
          (options) => blacklists.create(request.context, request.body, options),
          (stored: LintedBlacklist) => created(201, storedToWire(stored, request.base)),
        ),
    }),
    listRoute(
      {
        path: '/v2/blacklists',
        rule: 'find_blacklists',
        key: 'blacklists',
        sortKeys: BLACKLIST_SORT_KEYS,
        filters: BLACKLIST_FILTERS,
        sends: shown,
        toWire,
        list: (context, query) => blacklists.list(context, query),
        stream: (context, query) => blacklists.stream(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('get_blacklist'),
      tagged: asBlacklist,
      responses: responsesWith(200, shown),
      handle: async ({ context, precondition, params, base }) => ({
        status: 200,
        body: toWire(await blacklists.get(context, params.blacklist_id!, { precondition }), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('update_blacklist'),
      body: updateBody,
      tagged: asBlacklist,
      responses: responsesWith(200, stored),
      refusals: ['duplicate_blacklist'],
      async handle({ context, precondition, params, body, base }) {
        const id = params.blacklist_id!;
        const options = { precondition };
        const changes = await body.resolveAgainst(async () =>
          toWire(await blacklists.get(context, id, options), base),
        );
        const stored = await blacklists.update(context, id, changes, options);
        return { status: 200, body: storedToWire(stored, base) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('delete_blacklist'),
      tagged: asBlacklist,
      responses: responsesNothing(204),
      async handle({ context, precondition, params }) {
        await blacklists.remove(context, params.blacklist_id!, { precondition });
        return { status: 204 };
      },
    }),
  ];
}
