/** A client that is generated from the description of the API. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';

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

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-client-'));
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const { text } = await service.request('GET', '/v2/openapi.json');
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypes(text)));
});
afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

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
