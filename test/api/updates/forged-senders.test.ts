/** What messages that are not signed rightly cost those who sign rightly. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { add, type SendOptions, type UpdateWorld, updateWorld } from '../../support/updates.ts';

let world: UpdateWorld;
beforeAll(async () => {
  world = await updateWorld({ ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '5' });
});
afterAll(() => world.service.remove());

const www = { updates: [add('www.shop.example.', 'A', 60, '192.0.2.1')] };
const wrong = (): TsigSecret => ({ ...world.key, secret: randomBytes(32) });

/** The RCODEs of messages with wrong signatures that are sent at once. */
async function rcodesOfWrong(count: number, options: SendOptions = {}): Promise<ReadonlySet<number>> {
  const send = () => world.send(www, { key: wrong(), ...options });
  const answers = await Promise.all(Array.from({ length: count }, send));
  return new Set(answers.map(({ rcode }) => rcode));
}

it('Wrong signatures over UDP, whose sender may be forged, keep no key of that address out', async () => {
  expect(await rcodesOfWrong(60)).toEqual(new Set([RCODE.NOTAUTH]));
  for (const isTcp of [false, true]) expect((await world.send(www, { isTcp })).rcode).toBe(RCODE.NOERROR);
});

it('Wrong signatures over TCP keep the address out over TCP alone', async () => {
  const rcodes = await rcodesOfWrong(60, { isTcp: true });
  expect(rcodes).toContain(RCODE.REFUSED);
  expect((await world.send(www)).rcode).toBe(RCODE.NOERROR);
});
