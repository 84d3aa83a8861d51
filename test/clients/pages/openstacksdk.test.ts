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

it('does all that the SDK has calls for', async () => {
  const script = readFileSync('test/support/clients/openstacksdk.py', 'utf8');
  const { out, err } = await desk.sh(`${account()}\npython3 - <<'EOF'\n${script}\nEOF`);
  const steps = Object.assign({}, ...out.trim().split('\n').map((line) => JSON.parse(line)));
  expect(steps, err).toEqual({});
});
