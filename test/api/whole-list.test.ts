import { afterEach, expect, it } from 'vitest';
import { commandsOn } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
afterEach(() => service.remove());

it('the whole list of blacklists is JSON at any length, also where the store reads it in full batches', async () => {
  service = await startTestService();
  const patterns: string[] = [];
  for (const length of [0, 1, 999, 1000, 1001, 2000]) {
    const more = Array.from({ length: length - patterns.length }, (_, place) => `${patterns.length + place}`);
    await commandsOn(service.dataDir)(['blacklist', 'import', '-'], { input: more.join('\n') });
    patterns.push(...more);
    const list = await service.request('GET', '/v2/blacklists', { token: service.admin });
    expect(list.json.blacklists.map((one: { pattern: string }) => one.pattern)).toEqual(patterns);
    expect(list.json.links).toEqual({ self: `${service.url}/v2/blacklists` });
  }
});
