import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';

let service: TestService;
afterEach(() => service.remove());

it('the whole list of blacklists is JSON at any length, also where the store reads it in full batches', async () => {
  service = await startTestService();
  const patterns: string[] = [];
  for (const length of [0, 1, 999, 1000, 1001, 2000]) {
    const more = Array.from({ length: length - patterns.length }, (_, place) => `${patterns.length + place}`);
    const file = join(service.dataDir, 'patterns');
    writeFileSync(file, more.join('\n'));
    const imported = await runHere(['blacklist', 'import', file], storeOptions(service.dataDir));
    expect(imported).toMatchObject({ status: 0 });
    patterns.push(...more);
    const list = await service.request('GET', '/v2/blacklists', { token: service.admin });
    expect(list.json.blacklists.map((one: { pattern: string }) => one.pattern)).toEqual(patterns);
    expect(list.json.links).toEqual({ self: `${service.url}/v2/blacklists` });
  }
});
