import type { LabelUseCases } from '../domain/labels/labels.ts';
import { object, text } from '../domain/shapes/shape.ts';
import { LABEL_FILTERS, LABEL_SORT_KEYS, type Label, labelNameFault } from '../model/labels/label.ts';
import { descriptionFault } from '../model/text.ts';
import { jsonBody } from './edge/body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';
import type { RoutedPart } from './resource-part.ts';

const PATH = '/v2/labels';
const ONE = `${PATH}/{label_id}`;

const shown = responseSchema.titled(
  'Label',
  responseSchema.object({
    id: responseSchema.id,
    project_id: responseSchema.projectId,
    name: responseSchema.text(),
    text: responseSchema.text(),
    created_at: responseSchema.time,
    links: responseSchema.object({ self: responseSchema.link }),
  }),
);

function toWire(label: Label, base: string): ResponseBody<typeof shown> {
  return {
    id: label.id,
    project_id: label.projectId,
    name: label.name,
    text: label.text,
    created_at: label.createdAt,
    links: { self: `${base}${PATH}/${label.id}` },
  };
}

const name = text(labelNameFault, { maxLength: 64, examples: ['contact'] });
const createBody = jsonBody(object({ name, text: text(descriptionFault, { maxLength: 1024 }) }, {}));

/** The operations on labels. */
function labelRoutes(labels: LabelUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('create_label'),
      body: createBody,
      responses: responsesCreated(201, shown),
      refusals: ['duplicate_label'],
      handle: (request) =>
        replyCreated(
          request,
          (options) => labels.create(request.context, request.body, options),
          (label: Label) => created(201, toWire(label, request.base)),
        ),
    }),
    listRoute(
      {
        path: PATH,
        rule: 'find_labels',
        key: 'labels',
        sortKeys: LABEL_SORT_KEYS,
        filters: LABEL_FILTERS,
        sends: shown,
        toWire,
        list: (context, query) => labels.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('get_label'),
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await labels.get(context, params.label_id!), base),
      }),
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('delete_label'),
      responses: responsesNothing(204),
      async handle({ context, params }) {
        await labels.remove(context, params.label_id!);
        return { status: 204 };
      },
    }),
  ];
}

export const labels: RoutedPart<{ readonly labels: LabelUseCases }> = {
  tags: { labels: 'Labels' },
  ids: { label_id: ['label', 'label_not_found'] },
  routes: (useCases, limits) => labelRoutes(useCases.labels, limits),
};
