import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { Sender } from '../../src/webhooks/sender.ts';
import { parseSecrets } from '../../src/webhooks/signature.ts';
import { receiverAt, SECRET } from '../support/deliveries.ts';

const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const program = /```js\n([\s\S]+?)```/.exec(page)![1]!;
const never = new AbortController().signal;

it('the receiver in docs/webhooks.md takes what is proven by its secret, each event once', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { WEBHOOK_SECRET: SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const url = `http://127.0.0.1:${(await line()).split(' ')[1]}/`;
  const other = parseSecrets(`whsec_${Buffer.alloc(32, 1).toString('base64')}`)!;
  const own = parseSecrets(SECRET)!;
  const sender = new Sender(receiverAt(url, { secrets: [...other, ...own] }));
  const stranger = new Sender(receiverAt(url, { secrets: other }));
  const message = (position: number) => {
    const event = {
      sequence: String(position).padStart(16, '0'),
      type: 'org.zonewarden.zone.created',
      subject: 'ü',
    };
    return { id: String(position), body: JSON.stringify(event) };
  };
  try {
    for (const position of [1, 1, 2])
      expect(await sender.send(message(position), never)).toEqual({ kind: 'taken' });
    expect(await stranger.send(message(3), never)).toMatchObject({ reason: 'the receiver answered 401' });
    expect([await line(), await line()]).toEqual([
      '0000000000000001 org.zonewarden.zone.created ü',
      '0000000000000002 org.zonewarden.zone.created ü',
    ]);
  } finally {
    sender.close();
    stranger.close();
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
});
