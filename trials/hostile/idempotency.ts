/**
 * One tenant within its quotas creates a large recordset with an Idempotency-Key and deletes it, in turns. Nothing is in
 * use afterwards. Prints how much of the answers stays in the store, and how many creates were refused. Ends with 1 when
 * more stays than the options allow.
 *
 *     npm run tools && node build/trials/hostile/idempotency.js [--rounds 1000] [--keys 100]
 *
 * `--keys` sets `max_idempotency_keys`; without it the option has its default.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { connect, expectSuccess } from '../../test/support/client.ts';
import { table } from '../../test/support/figures.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, keys: { type: 'string' } },
});
const rounds = Number(options.rounds);

/** What `max_idempotency_keys` is unless it is set. */
const MOST_ANSWERS = 10_000;

/** What `max_idempotency_bytes` is unless it is set. */
const MOST_BYTES = 16 * 2 ** 20;
const RECORDS = 18;
const STRING = `"${'x'.repeat(250)}"`;

const service = await startServiceProcess(
  options.keys === undefined ? {} : { ZONEWARDEN_SERVICE_API__MAX_IDEMPOTENCY_KEYS: options.keys },
);
const client = connect(service.url, service.token('shop', 'member'), 1);
const zone = await expectSuccess(client, 'POST', '/v2/zones', {
  name: 'shop.example.',
  email: 'hostmaster@example.org',
});
const path = `/v2/zones/${zone.id}/recordsets`;
const records = Array.from({ length: RECORDS }, (_, at) => `"${at}" ${`${STRING} `.repeat(13)}`);

const outcomes = { created: 0, refused: 0 };
let answered = 0;
for (let round = 0; round < rounds; round++) {
  const body = { name: 'shop.example.', type: 'TXT', records };
  const headers = { 'idempotency-key': `key-${round}` };
  const { status, text } = await client.send('POST', path, body, headers);
  if (status === 413) {
    outcomes.refused += 1;
    continue;
  }
  if (status !== 202) throw new Error(`A create was answered ${status}: ${text}`);
  outcomes.created += 1;
  answered += text.length;
  await expectSuccess(client, 'DELETE', `${path}/${JSON.parse(text).id}`);
}
const file = join(service.dataDir, 'zonewarden.db');
const database = new DatabaseSync(file, { readOnly: true });
const { answers, bytes } = database
  .prepare('select count(*) as answers, sum(length(headers) + length(body)) as bytes from idempotency_keys')
  .get() as { answers: number; bytes: number };
database.close();
client.close();
const stored = statSync(file).size + statSync(`${file}-wal`).size;
await service.remove();

const megabytes = (size: number) => `${(size / 1e6).toFixed(2)} MB`;
table(
  ['creates', 'refused', 'answered', 'answers kept', 'their bytes', 'database and log'],
  [
    [
      String(outcomes.created),
      String(outcomes.refused),
      megabytes(answered),
      String(answers),
      megabytes(bytes),
      megabytes(stored),
    ],
  ],
);
process.exitCode = answers <= Number(options.keys ?? MOST_ANSWERS) && bytes <= MOST_BYTES ? 0 : 1;
