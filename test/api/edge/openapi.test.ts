import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf } from '../../../src/http/openapi/document.ts';
import { DYNDNS_ON } from '../../support/dyndns.ts';
import { everyRoute } from '../../support/routes.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const EVERYTHING = { ...DYNDNS_ON, ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService(EVERYTHING);
});
afterAll(() => service.remove());

describe('GET /v2/openapi.json', () => {
  it('describes the routes that serve, for anyone', async () => {
    const { status, headers, json } = await service.request('GET', '/v2/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const expected = documentOf(everyRoute(), { publicUrl: '', accessDeniedStatus: 401 });
    expect(json).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it('has no example that is a mere placeholder', () => {
    const placeholders: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (value === 'text') placeholders.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value)) look(part, `${path} ${key}`);
    };
    look(documentOf(everyRoute(), { publicUrl: '', accessDeniedStatus: 401 }).paths, '');
    expect(placeholders).toEqual([]);
  });

  it('leaves out what is not served, and says where the service is if it is told', async () => {
    await service.restart({ ZONEWARDEN_SERVICE_API__PUBLIC_URL: 'https://dns.example.org' });
    const { json } = await service.request('GET', '/v2/openapi.json');
    expect(Object.keys(json.paths).filter((path) => path.startsWith('/v1'))).toEqual([]);
    expect(json.servers).toEqual([{ url: 'https://dns.example.org' }]);
    await service.restart(EVERYTHING);
    expect((await service.request('GET', '/v2/openapi.json')).json.servers).toEqual([{ url: '/' }]);
  });
});

/** What a user of the generated client writes. */
const PROGRAM = `import type { Client } from 'openapi-fetch';
import type { components, paths } from './api.js';

export async function createZone(client: Client<paths>, name: string): Promise<components['schemas']['Zone']> {
  const created = await client.POST('/v2/zones', { body: { name, email: 'hostmaster@example.org', ttl: 300 } });
  if (created.error !== undefined) throw new Error(created.error.type + ': ' + created.error.message);
  const { data } = await client.GET('/v2/zones/{zone_id}', { params: { path: { zone_id: created.data.id } } });
  return data!;
}

export function createWrongly(client: Client<paths>): void {
  // @ts-expect-error a TTL is a number
  void client.POST('/v2/zones', { body: { name: 'a.', email: 'a@b', ttl: '300' } });
}
`;

/** Compiles the files of a folder, strictly. Returns what is wrong. */
function compile(...files: string[]): readonly string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
  };
  const program = ts.createProgram(files, options);
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

describe('a client that is generated from the description', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'zonewarden-client-'));
    symlinkSync(
      fileURLToPath(new URL('../../../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    );
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const { text } = await service.request('GET', '/v2/openapi.json');
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypes(text)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('creates a zone, knows what it gets, and does not compile where it sends something else', async () => {
    const file = join(folder, 'program.ts');
    writeFileSync(file, PROGRAM);
    expect(compile(file)).toEqual([]);
    const { createZone } = await import(pathToFileURL(join(folder, 'program.js')).href);
    const token = await service.token('shop', 'member');
    const client = createClient({ baseUrl: service.url, headers: { 'X-Auth-Token': token } });
    const zone = await createZone(client, 'generated.example.');
    expect(zone).toMatchObject({ name: 'generated.example.', ttl: 300, project_id: 'shop' });
    const again = createZone(client, 'generated.example.');
    await expect(again).rejects.toThrow('duplicate_zone: ');
  }, 600_000);
});
