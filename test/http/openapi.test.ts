/** The description of the API: whether it is one, and whether it says of each route what the route is. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { object, text } from '../../src/domain/shapes/shape.ts';
import { jsonBody } from '../../src/http/edge/body.ts';
import { responseSchema } from '../../src/http/edge/response-schema.ts';
import { responsesNothing, responsesWith } from '../../src/http/edge/responses.ts';
import { actingProject, type Route, route } from '../../src/http/edge/route.ts';
import { documentOf } from '../../src/http/openapi/document.ts';
import { exampleOf } from '../../src/http/openapi/examples.ts';
import { documentedApi, type Exchange } from '../support/documented.ts';
import { everyRoute } from '../support/routes.ts';

const SETTINGS = { publicUrl: '', accessDeniedStatus: 401 };
const routes = everyRoute();
const document = documentOf(routes, SETTINGS);
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever is there
const anything: any = document;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
formats.default(ajv);

describe('the description of the API', () => {
  it('is valid by the schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(anything));
    expect(result).toMatchObject({ valid: true });
  });

  it('has every route, and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('names each operation once, with a verb and a noun', () => {
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => String(operationId)),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z0-9]*)+$/);
    expect(anything.paths['/v2/zones'].post.operationId).toBe('createZone');
    expect(anything.paths['/v2/zones'].get.operationId).toBe('listZones');
  });

  it('says by the guard of each route what credentials it takes, and how it refuses others', () => {
    for (const { method, path, guard, protocol, refusals = [] } of routes) {
      const operation = anything.paths[path][method.toLowerCase()];
      const isPublic = guard === 'public';
      const ofProtocol = protocol && [{ [protocol.security]: [] }];
      expect([path, operation.security]).toEqual([path, isPublic ? [] : ofProtocol]);
      // A login asks for no credentials, and refuses those that it is given.
      const isRefused = !isPublic || refusals.includes('unauthenticated');
      expect([path, operation.responses[401] !== undefined]).toEqual([path, isRefused]);
    }
  });

  it('says with which status a caller without the role is refused, as the operator has chosen', () => {
    const typesOf = (status: number, code: number) => {
      const chosen = documentOf(routes, { ...SETTINGS, accessDeniedStatus: status });
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever is there
      const responses: any = chosen.components;
      return Object.keys(responses.responses).filter((name) => name.startsWith(`${code}_`));
    };
    expect(typesOf(401, 403)).not.toContain('403_access_denied');
    expect(typesOf(403, 403)).toContain('403_access_denied');
  });
});

describe('an example', () => {
  it('of each body and answer is valid by its schema', () => {
    for (const { responses: answers, body = [] } of routes) {
      const schemas = [...body, ...answers.forms].flatMap((form) =>
        'line' in form && form.line !== undefined ? [form.schema, form.line] : [form.schema],
      );
      for (const schema of schemas) {
        const example = exampleOf(schema);
        expect([ajv.validate(schema, example), ajv.errorsText(), example]).toEqual([
          true,
          'No errors',
          example,
        ]);
      }
    }
  });

  it('of each JSON body is one that the route reads', () => {
    const readers = routes.flatMap(({ method, path, body = [] }) =>
      body.flatMap((reader) => ('read' in reader ? [{ operation: `${method} ${path}`, reader }] : [])),
    );
    expect(readers.length).toBeGreaterThan(15);
    for (const { operation, reader } of readers) {
      const bytes = Buffer.from(JSON.stringify(exampleOf(reader.schema)));
      expect(() => reader.read(bytes), operation).not.toThrow();
    }
  });
});

describe('a route that is not described as a whole', () => {
  const made = (given: Partial<Route>): Route => ({
    ...route({
      method: 'GET',
      path: '/v2/zones/{zone_id}/colours',
      guard: actingProject('get_zone'),
      responses: responsesWith(
        200,
        responseSchema.titled('Colours', responseSchema.object({ red: responseSchema.integer() })),
      ),
      handle: async () => ({ status: 200, body: { red: 1 } }),
    }),
    ...given,
  });
  const describing =
    (...given: Partial<Route>[]) =>
    () =>
      documentOf(given.map(made), SETTINGS);

  it('is found, with what to do', () => {
    expect(describing({})).not.toThrow();
    expect(describing({ path: '/v2/zones/{colour_id}' })).toThrow('{colour_id} of a path is not described');
    expect(describing({ path: '/v2/colours' })).toThrow('The resource of /v2/colours has no tag');
    expect(describing({ guard: 'public' })).toThrow('needs an operationId');
    expect(describing({}, { path: '/v2/zones' })).toThrow('Two routes have the operationId "getZone"');
    const other = responsesWith(
      200,
      responseSchema.titled('Colours', responseSchema.object({ blue: responseSchema.integer() })),
    );
    const second = { path: '/v2/zones', operationId: 'listColours', responses: other };
    expect(describing({}, second)).toThrow('Two schemas have the title "Colours"');
  });

  it('does not compile if it sends something else', () => {
    const colours = responseSchema.object(
      { red: responseSchema.integer() },
      { blue: responseSchema.integer() },
    );
    const common = { method: 'GET', path: '/v2/zones', guard: 'public' } as const;
    const answers = responsesWith(200, colours);
    route({
      ...common,
      responses: answers,
      handle: async () => ({ status: 200, body: { red: 1, blue: 2 } }),
    });
    // @ts-expect-error a required key is missing
    route({ ...common, responses: answers, handle: async () => ({ status: 200, body: { blue: 2 } }) });
    // @ts-expect-error another status
    route({ ...common, responses: answers, handle: async () => ({ status: 201, body: { red: 1 } }) });
    const nothing = responsesNothing(200);
    // @ts-expect-error a body where there is none
    route({ ...common, responses: nothing, handle: async () => ({ status: 200, body: { red: 1 } }) });
    // @ts-expect-error no description of the answer
    expect(route({ ...common, handle: async () => ({ status: 204 }) })).toBeDefined();
  });
});

describe('a change that may repeat the resource', () => {
  it('may have the keys of the resource, and no others', () => {
    const schema = anything.paths['/v2/zones/{zone_id}'].patch.requestBody.content['application/json'].schema;
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(['email', 'id', 'serial', 'links']),
    );
    expect(schema).toMatchObject({ required: [], additionalProperties: false });
    const body = jsonBody(object({ pattern: text(() => undefined) }, {}));
    expect(body[0].repeatsResource).toBeUndefined();
  });
});

describe('the comparison of what the tests send and get with the description', () => {
  const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-openstack-request-id': 'req-1' };
  const FOUND = { id: '3f6f3a4e-4f5c-4f0e-9d5f-1c2b3a4d5e6f', name: 'com', description: null };
  const TIMES = { created_at: '2026-11-21T09:30:00.000000', updated_at: null };
  const tld = { ...FOUND, ...TIMES, links: { self: 'http://localhost/v2/tlds/x' } };
  const check = (
    given: Partial<Exchange> & { readonly json?: object; readonly more?: Record<string, string> },
  ) => {
    const { json = tld, more = {}, ...rest } = given;
    const exchange = { method: 'GET', path: `/v2/tlds/${FOUND.id}`, status: 200, text: JSON.stringify(json) };
    const nothing = { type: undefined, body: undefined };
    const headers = new Headers({ ...HEADERS, ...more });
    return () => documentedApi(401).check({ ...exchange, sent: nothing, headers, ...rest });
  };
  const sentAs = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });
  const refusal = { code: 404, type: 'tld_not_found', message: 'Could not find Tld', request_id: 'req-1' };

  it('passes what is described', () => {
    expect(check({})).not.toThrow();
    expect(check({ status: 404, json: refusal })).not.toThrow();
    expect(check({ method: 'HEAD', text: '' })).not.toThrow();
    expect(check({ path: '/nowhere', status: 404, json: { ...refusal, type: 'not_found' } })).not.toThrow();
    expect(check({ method: 'PUT', status: 405 })).not.toThrow();
  });

  it('finds a field, a status, a type, a header, a path and a method that are not described', () => {
    expect(check({ json: { ...tld, colour: 'red' } })).toThrow('"additionalProperty":"colour"');
    expect(check({ json: { ...FOUND, links: tld.links } })).toThrow('"missingProperty":"created_at"');
    expect(check({ json: { ...tld, name: 5 } })).toThrow('/name must be string');
    expect(check({ status: 202 })).toThrow('the status 202 is not described');
    expect(check({ status: 404, json: { ...refusal, type: 'zone_not_found' } })).toThrow(
      '/type must be equal',
    );
    expect(check({ status: 404, json: { ...refusal, colour: 'red' } })).toThrow(
      '"additionalProperty":"colour"',
    );
    expect(check({ more: { 'x-colour': 'red' } })).toThrow('the header x-colour is not described');
    expect(check({ headers: new Headers({ 'content-type': 'application/json' }) })).toThrow(
      'the header X-Openstack-Request-Id is missing',
    );
    expect(check({ more: { 'content-type': 'text/plain' } })).toThrow('of type text/plain is not described');
    expect(check({ path: '/nowhere' })).toThrow('the path is not described');
    expect(check({ method: 'PUT' })).toThrow('the method is not described');
  });

  it('finds what was accepted and is not described', () => {
    const created = {
      method: 'POST',
      path: '/v2/tlds',
      status: 201,
      more: { location: 'http://localhost/' },
    };
    expect(check({ ...created, sent: sentAs({ name: 'com' }) })).not.toThrow();
    expect(check({ ...created, sent: sentAs({ name: 'com', colour: 'red' }) })).toThrow('"colour"');
    expect(check({ ...created, sent: sentAs({}) })).toThrow('"missingProperty":"name"');
    expect(check({ path: `/v2/tlds/${FOUND.id}?colour=red` })).not.toThrow();
    expect(check({ path: '/v2/tlds?colour=red' })).toThrow('the parameter colour is not described');
  });

  it('compares each line of an answer in lines', () => {
    const lines = (...given: object[]) => ({
      path: '/v2/blacklists',
      more: { 'content-type': 'application/jsonl' },
      text: given.map((one) => `${JSON.stringify(one)}\n`).join(''),
    });
    const { name: _, ...entry } = { ...tld, pattern: 'x' };
    expect(check(lines(entry, entry))).not.toThrow();
    expect(check(lines())).not.toThrow();
    expect(check(lines(entry, tld))).toThrow('"missingProperty":"pattern"');
    expect(check({ ...lines(entry), text: JSON.stringify(entry) })).toThrow('the last line has no end');
  });
});
