import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { countTogether, KINDS, taggedKinds } from '../../support/tagged-resources.ts';
import { tenantOf } from '../../support/tenant.ts';

const CLIENTS = runs(50, 12);
/** Most tries are in vain: some thousand requests for each kind. */
const PATIENCE_MS = 600_000;

let service: TestService;
let kinds: ReturnType<typeof taggedKinds<Answer>>;
beforeAll(async () => {
  service = await startTestService();
  const member = await tenantOf(service, 'shop');
  const admin = await tenantOf(service, 'admin', 'admin');
  kinds = taggedKinds(member.ask, admin.ask);
});
afterAll(() => service.remove());

it.each(KINDS)(
  'no client undoes what another one has written who sends the ETag that it has read: %s',
  async (kind) => {
    expect(await countTogether(kinds[kind], CLIENTS)).toBe(CLIENTS);
  },
  PATIENCE_MS,
);
