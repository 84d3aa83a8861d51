import type { Responses } from '../edge/responses.ts';
import { type Route, route } from '../edge/route.ts';
import { type DocumentSettings, documentOf } from './document.ts';

const ANSWERS: Responses<200, never> = {
  status: 200,
  forms: [
    {
      mediaType: 'application/json',
      schema: {
        type: 'object',
        description: 'This document (OpenAPI 3.1).',
        examples: [{ openapi: '3.1.0' }],
      },
    },
  ],
};

/** All routes, plus the public one that serves their description, which is generated on first use. */
export function describedBy(routes: readonly Route[], settings: DocumentSettings): readonly Route[] {
  let text: string | undefined;
  const all: readonly Route[] = [
    ...routes,
    route({
      method: 'GET',
      path: '/v2/openapi.json',
      guard: 'public',
      operationId: 'getDescription',
      responses: ANSWERS,
      handle: async () => {
        text ??= JSON.stringify(documentOf(all, settings));
        return { status: 200, body: text };
      },
    }),
  ];
  return all;
}
