import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually, until } from '../support/eventually.ts';
import { answering, taking } from '../support/receiver.ts';
import { HIDDEN, SECRETS, type SendingServices, sendingServices } from '../support/sending-services.ts';

let services: SendingServices;
beforeEach(async () => {
  services = await sendingServices();
});
afterEach(() => services.close());

it('a service sends every event, signed with each secret, and never logs one', async () => {
  const { receiver } = services;
  const service = await services.start();
  await services.create(service, 5);
  receiver.manner = answering(500);
  await services.create(service, 1);
  await eventually(() => service.log.find(({ msg }) => msg === 'a webhook delivery failed'));
  receiver.manner = taking;
  const ids = await services.untilAllTaken();
  expect(services.firstTaken()).toEqual(ids);
  for (const { body, headers } of receiver.heard) {
    const proof = headers as Record<string, string>;
    expect(proof['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of SECRETS) new Webhook(secret).verify(body, proof);
  }
  await service.end();
  for (const secret of [...SECRETS.map((text) => text.slice(6)), HIDDEN])
    expect(service.output.err).not.toContain(secret);
});

it('a service that is killed and started again sends everything at least once, and in order', async () => {
  let service = await services.start();
  for (let round = 0; round < 3; round++) {
    await services.create(service, 4);
    await until(() => expect(services.receiver.taken.length).toBeGreaterThan(4 * round));
    await service.end('SIGKILL');
    service = await services.start();
  }
  await services.create(service, 1);
  const ids = await services.untilAllTaken();
  expect(services.firstTaken()).toEqual(ids);
});
