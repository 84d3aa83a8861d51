import { expect, it } from 'vitest';
import { accessAdvice } from '../../src/receivers.ts';

it('says which user may not read the secret of a webhook, and what to do', () => {
  expect(accessAdvice('/etc/zonewarden/billing.secret', 998, 997)).toBe(
    'The service runs as the user 998 (group 997), who may not read it. As root: chgrp 997 /etc/zonewarden/billing.secret; ' +
      'chmod 640 /etc/zonewarden/billing.secret. The folders above it must let that group through, too.',
  );
});
