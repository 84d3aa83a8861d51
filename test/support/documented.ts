/** Whether requests and answers are as the document of the API describes them. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { matchablePath, queryOf, wordsTakenForIds } from '../../src/http/edge/paths.ts';
import { documentOf, type OpenApiDocument } from '../../src/http/openapi/document.ts';
import { everyRoute } from './routes.ts';

/** A request that was answered. */
export interface Exchange {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  readonly sent: { readonly type: string | undefined; readonly body: string | Uint8Array | undefined };
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Part = Readonly<Record<string, unknown>>;
type Json = Readonly<Record<string, Part>>;

/** Served if an option says so. */
const OPTIONAL = /^\/(v1\/|metrics|nic\/)/;
const isNowhere = ({ status }: Exchange): boolean => status === 404 || status === 503;
const isPreflight = ({ method, status }: Exchange): boolean => method === 'OPTIONS' && status === 204;
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const bare = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase();

class DocumentedApi {
  readonly #document: OpenApiDocument;
  readonly #paths: readonly { readonly template: string; readonly parts: readonly string[] }[];
  readonly #ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    validateSchema: false,
  });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(accessDeniedStatus: number) {
    this.#document = documentOf(everyRoute(), { publicUrl: '', accessDeniedStatus });
    const described = Object.keys(this.#document.paths);
    // What is no path itself has no operations: each method is answered 405.
    this.#paths = [...described, ...wordsTakenForIds(described)].map((template) => ({
      template,
      parts: template.split('/'),
    }));
    formats.default(this.#ajv);
    // The document is no schema itself: schemas are parts of it.
    this.#ajv.addVocabulary(Object.keys(this.#document));
    this.#ajv.addSchema(this.#document, 'api');
  }

  /** Throws for what is not as described. */
  check(exchange: Exchange): void {
    const faults = this.#faultsOf(exchange);
    if (faults.length === 0) return;
    const { method, path, status, sent, text } = exchange;
    throw new Error(
      [
        `${method} ${path}, answered ${status}, is not as /v2/openapi.json describes it:`,
        ...faults.map((fault) => `- ${fault}`),
        `sent: ${String(sent.body ?? '').slice(0, 1000)}`,
        `answered: ${text.slice(0, 1000)}`,
      ].join('\n'),
    );
  }

  #faultsOf(exchange: Exchange): readonly string[] {
    const { method, path, status } = exchange;
    const template = this.#templateOf(path);
    if (template === undefined) return isNowhere(exchange) ? [] : ['the path is not described'];
    if (isNowhere(exchange) && OPTIONAL.test(path)) return [];
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const isDescribed = this.#document.paths[template]?.[verb] !== undefined;
    if (!isDescribed) return status === 405 || isPreflight(exchange) ? [] : ['the method is not described'];
    const at = ['paths', template, verb];
    return [...this.#faultsOfRequest(exchange, at), ...this.#faultsOfAnswer(exchange, at)];
  }

  #templateOf(path: string): string | undefined {
    const { pathname } = new URL(matchablePath(path), 'http://localhost');
    const parts = pathname.length > 1 ? pathname.replace(/\/$/, '').split('/') : ['', ''];
    const fits = ({ parts: own }: { readonly parts: readonly string[] }) =>
      own.length === parts.length &&
      own.every((part, place) => part === parts[place] || (part.startsWith('{') && parts[place] !== ''));
    const matches = this.#paths.filter(fits).map(({ template }) => template);
    return matches.sort((a, b) => a.split('{').length - b.split('{').length)[0];
  }

  /** What an accepted request has that is not described. */
  #faultsOfRequest({ path, sent, status }: Exchange, at: readonly string[]): readonly string[] {
    if (status >= 300) return [];
    const { parameters, requestBody } = this.#at(at) as unknown as { parameters: Json[]; requestBody?: Json };
    const known = parameters.map((one) => this.#resolved(one)).filter((one) => one.in === 'query');
    // An operation that reads no query takes any.
    const reads = parameters.some((one) => (one as Part).in === 'query');
    const given = reads ? [...queryOf(path).keys()] : [];
    const unknown = given.filter((name) => !known.some((one) => one.name === name));
    const faults = unknown.map((name) => `the parameter ${name} is not described, and was accepted`);
    if (requestBody === undefined || sent.body === undefined || sent.body.length === 0) return faults;
    const type = bare(sent.type ?? 'application/json');
    const body = typeof sent.body === 'string' ? sent.body : new TextDecoder().decode(sent.body);
    return [...faults, ...this.#faultsOfContent('the body', body, type, [...at, 'requestBody'])];
  }

  #faultsOfAnswer({ method, status, headers, text }: Exchange, at: readonly string[]): readonly string[] {
    const responses = [...at, 'responses'];
    if (this.#at(responses)[status] === undefined) return [`the status ${status} is not described`];
    const place = this.#place([...responses, String(status)]);
    const missing = Object.entries((this.#at(place).headers ?? {}) as Json).flatMap(([name, header]) =>
      this.#resolved(header).required && !headers.has(name) ? [`the header ${name} is missing`] : [],
    );
    const described = Object.keys((this.#at(place).headers ?? {}) as Json).map((name) => name.toLowerCase());
    const more = [
      'etag',
      'location',
      'retry-after',
      'www-authenticate',
      'link',
      'idempotency-replayed',
    ].filter((name) => headers.has(name) && !described.includes(name));
    const ours = [...headers.keys()].filter(
      (name) => name.startsWith('x-') && name !== 'x-content-type-options',
    );
    const own = ours.filter((name) => !described.includes(name));
    const faults = [...missing, ...[...more, ...own].map((name) => `the header ${name} is not described`)];
    if (method === 'HEAD') return faults;
    const type = bare(headers.get('content-type') ?? '');
    if (this.#at(place).content === undefined) return text === '' ? faults : [...faults, 'there is a body'];
    return [...faults, ...this.#faultsOfContent('the answer', text, type, place)];
  }

  #faultsOfContent(what: string, text: string, type: string, at: readonly string[]): readonly string[] {
    const content = this.#at(at).content as Json;
    const form = content[type];
    if (form === undefined) return [`${what} of type ${type || 'none'} is not described`];
    const place = [...at, 'content', type];
    if (form['x-item-schema'] !== undefined) {
      const lines = text.split('\n');
      const end = lines.pop() === '' ? [] : ['the last line has no end'];
      return [
        ...end,
        ...lines.flatMap((line) => this.#faultsOfJson(what, line, [...place, 'x-item-schema'])),
      ];
    }
    if (type !== 'application/json') return [];
    return this.#faultsOfJson(what, text, [...place, 'schema']);
  }

  #faultsOfJson(what: string, text: string, at: readonly string[]): readonly string[] {
    const validate = this.#validator(at);
    if (validate(JSON.parse(text))) return [];
    const faults = validate.errors ?? [];
    return faults.map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  #validator(at: readonly string[]): ValidateFunction {
    const $ref = `api#/${at.map((part) => encodeURIComponent(escaped(part))).join('/')}`;
    const known = this.#compiled.get($ref);
    if (known !== undefined) return known;
    const made = this.#ajv.compile({ $ref });
    this.#compiled.set($ref, made);
    return made;
  }

  #at(place: readonly string[]): Json {
    return place.reduce<unknown>((part, key) => (part as Part)[key], this.#document) as Json;
  }

  /** Where a part is that may be a reference. */
  #place(at: readonly string[]): readonly string[] {
    const { $ref } = this.#at(at) as { readonly $ref?: unknown };
    return typeof $ref === 'string' ? $ref.split('/').slice(1) : at;
  }

  #resolved(part: Part): Part {
    return typeof part.$ref === 'string' ? this.#at(part.$ref.split('/').slice(1)) : part;
  }
}

const apis = new Map<number, DocumentedApi>();

/**
 * The API as its document describes it; made once for each process.
 * @param accessDeniedStatus that of the service, for a known caller without permission
 */
export function documentedApi(accessDeniedStatus: number): Pick<DocumentedApi, 'check'> {
  const known = apis.get(accessDeniedStatus);
  if (known !== undefined) return known;
  const made = new DocumentedApi(accessDeniedStatus);
  apis.set(accessDeniedStatus, made);
  return made;
}
