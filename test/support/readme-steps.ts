import { expect } from 'vitest';
import { commandBlocks } from './packed.ts';

/** The commands of "Try it", which print one line each: the answers of the API end without a line end. */
export function readmeSteps(url: string): string {
  return commandBlocks('README.md', 'Try it')[0]!
    .replace('http://127.0.0.1:9001', url)
    .replaceAll('curl -s', "curl -s -w '\\n'");
}

/** Holds what the commands of "Try it" printed against what the README says of them. */
export function expectReadmeAnswers(printed: string): void {
  const lines = printed.trim().split('\n');
  const [blacklist, zone, refused, why, recordset, imported, usage] = lines;
  expect(lines).toHaveLength(7);
  expect(JSON.parse(blacklist!)).toMatchObject({ description: 'ours' });
  expect(JSON.parse(zone!)).toMatchObject({ name: 'shop.example.org.', project_id: 'shop' });
  expect(JSON.parse(refused!)).toMatchObject({ code: 400, message: 'Blacklisted domain name' });
  expect(why).toBe(`${JSON.parse(blacklist!).id} ${JSON.parse(blacklist!).pattern}`);
  expect(JSON.parse(recordset!)).toMatchObject({ records: ['192.0.2.1', '192.0.2.2'] });
  expect(JSON.parse(imported!)).toMatchObject({ status: 'COMPLETE' });
  expect(JSON.parse(usage!)).toMatchObject({ usage: { zones: 2, recordsets: 2 } });
}
