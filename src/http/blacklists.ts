import { BLACKLIST_FILTERS, BLACKLIST_SORT_KEYS, type Blacklist } from '../domain/blacklists/blacklist.ts';
import type { BlacklistUseCases, Stored } from '../domain/blacklists/blacklists.ts';
import { nullable, object, text } from '../domain/shapes/shape.ts';
import { descriptionFault } from '../domain/text.ts';
import { answersCreated, answersNothing, answersWith } from './answers.ts';
import { jsonBody } from './body.ts';
import { changesBody } from './changes.ts';
import { listRoute } from './list.ts';
import type { PageLimits } from './list-query.ts';
import { actingProject, created, type Route, replyCreated, route, tagged } from './route.ts';
import { type SentAs, sent } from './sent.ts';

const PATTERN = String.raw`(^|\.)example\.(com|net)\.$`;

const BLACKLIST = {
  id: sent.id,
  pattern: sent.text({ examples: [PATTERN] }),
  description: sent.nullable(sent.text()),
  created_at: sent.time,
  updated_at: sent.nullable(sent.time),
  links: sent.object({ self: sent.link }),
};
/** Shown for a pattern that has exhausted the budget of a check. */
const EXHAUSTED = { exhausted: sent.object({ count: sent.integer({ minimum: 1 }), last_at: sent.time }) };
const shown = sent.titled('Blacklist', sent.object(BLACKLIST, EXHAUSTED));
const warning = sent.object({ code: sent.text(), message: sent.text() });
const stored = sent.titled(
  'StoredBlacklist',
  sent.object(BLACKLIST, { ...EXHAUSTED, warnings: sent.list(warning) }),
);

function toWire(blacklist: Blacklist, base: string): SentAs<typeof shown> {
  const { exhausted } = blacklist;
  return {
    id: blacklist.id,
    pattern: blacklist.pattern,
    description: blacklist.description,
    created_at: blacklist.createdAt,
    updated_at: blacklist.updatedAt,
    links: { self: `${base}/v2/blacklists/${blacklist.id}` },
    ...(exhausted === null ? {} : { exhausted: { count: exhausted.count, last_at: exhausted.lastAt } }),
  };
}

const asBlacklist = tagged((blacklist: Blacklist) => toWire(blacklist, ''));

function storedToWire({ blacklist, warnings }: Stored, base: string): SentAs<typeof stored> {
  return { ...toWire(blacklist, base), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** The five operations on blacklists. */
export function blacklistRoutes(blacklists: BlacklistUseCases, limits: PageLimits): Route[] {
  const pattern = text((given) => blacklists.patternFault(given), {
    minLength: 1,
    maxLength: 4096,
    description: "A regular expression in the dialect of Python's re.",
    examples: [PATTERN],
  });
  const description = nullable(text(descriptionFault, { maxLength: 1024 }));
  const createBody = jsonBody(object({ pattern }, { description }));
  const updateBody = changesBody(object({}, { pattern, description }));

  return [
    route({
      method: 'POST',
      path: '/v2/blacklists',
      guard: actingProject('create_blacklist'),
      body: createBody,
      tagged: asBlacklist,
      answers: answersCreated(201, stored),
      refusals: ['duplicate_blacklist'],
      handle: (request) =>
        replyCreated(
          request,
          (act) => blacklists.create(act, request.body),
          (stored: Stored) => created(201, storedToWire(stored, request.base)),
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
        list: (act, query) => blacklists.list(act, query),
        stream: (act, query) => blacklists.stream(act, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('get_blacklist'),
      tagged: asBlacklist,
      answers: answersWith(200, shown),
      handle: async ({ act, params, base }) => ({
        status: 200,
        body: toWire(await blacklists.get(act, params.blacklist_id!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('update_blacklist'),
      body: updateBody,
      tagged: asBlacklist,
      answers: answersWith(200, stored),
      refusals: ['duplicate_blacklist'],
      async handle({ act, params, body, base }) {
        const id = params.blacklist_id!;
        const changes = await body.over(async () => toWire(await blacklists.get(act, id), base));
        return { status: 200, body: storedToWire(await blacklists.update(act, id, changes), base) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('delete_blacklist'),
      tagged: asBlacklist,
      answers: answersNothing(204),
      async handle({ act, params }) {
        await blacklists.remove(act, params.blacklist_id!);
        return { status: 204 };
      },
    }),
  ];
}
