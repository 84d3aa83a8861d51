import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { account, type Desk, follow, newDesk, resolved, shown } from '../../support/clients/page.ts';

let desk: Desk;
beforeAll(() => {
  desk = newDesk();
});
afterAll(() => desk?.remove());

it('does what the page shows', async () => {
  const section = 'Zones and recordsets';
  expect(await follow(desk, 'openstacksdk', section)).toBe(shown('openstacksdk', section));
  expect(await resolved('www.sdk.example.org.', 'A')).toEqual(['192.0.2.80']);
});

const ZONE = 'calls.example.org.';
/** What each step of the script prints. */
const STEPS = {
  zone: [ZONE, 600, 'PENDING', 'CREATE'],
  found: [true, null],
  changed: [700, 'text'],
  listed: [...Array.from({ length: 5 }, (_, number) => `${number}.${ZONE}`), ZONE],
  recordset: [`www.${ZONE}`, ['192.0.2.1'], 60, ZONE],
  'recordset changed': [['192.0.2.2', '192.0.2.3'], 'two'],
  'recordset shown': [['192.0.2.2', '192.0.2.3'], 'A'],
  'recordset found': true,
  recordsets: ['A', 'NS', 'SOA'],
  duplicate: 409,
  exports: [true],
  export: 'COMPLETE',
  text: true,
  'export gone': 404,
  imports: true,
  import: ['COMPLETE', true],
  'import gone': 404,
  offer: ['ACTIVE', true, 1],
  'faulty calls': [400, 405, 'sends nothing', 'sends nothing', 405],
  taken: ['COMPLETE', true],
  moved: true,
  'not mine': 404,
  'cloud zone': ['cloud.example.org.', true],
  'cloud update': 900,
  'cloud recordset': ['www.cloud.example.org.', ['192.0.2.1']],
  'cloud recordsets': [['192.0.2.2']],
  'cloud deleted': [true, true],
  'recordset gone': 404,
  end: true,
};

it('does all that the SDK has calls for', async () => {
  const script = readFileSync('test/support/clients/openstacksdk.py', 'utf8');
  const { out, err } = await desk.sh(`${account()}\npython3 - ${ZONE} <<'EOF'\n${script}\nEOF`);
  const steps = Object.assign({}, ...out.split('\n').map((line) => JSON.parse(line || '{}')));
  expect(steps, err).toEqual(STEPS);
});
