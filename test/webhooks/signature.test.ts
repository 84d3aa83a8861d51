import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { parseSecrets, signatureHeaders } from '../../src/webhooks/signature.ts';

const secretOf = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`;

describe('the signature of a message', () => {
  it('is the one that the libraries of Standard Webhooks publish for theirs', () => {
    const secrets = parseSecrets('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')!;
    const headers = signatureHeaders(
      secrets,
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is proven by the library with any of the secrets, and with no other', () => {
    const own = [secretOf(24), secretOf(64), secretOf(33)];
    const body = JSON.stringify({ name: 'zone.example.', text: 'ö€\u2028' });
    const now = Math.floor(Date.now() / 1000);
    const headers = signatureHeaders(parseSecrets(own.join('\n'))!, 'one', now, body);
    for (const secret of own) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secretOf(32)).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(own[0]!).verify(`${body} `, headers)).toThrow('No matching signature');
  });
});

describe('the file of secrets', () => {
  it('may have one to five of them, with empty lines and the ends of lines of any system', () => {
    const five = Array.from({ length: 5 }, () => secretOf(32));
    expect(parseSecrets(`\n${five.join('\r\n\r\n')}\n`)).toHaveLength(5);
    expect(parseSecrets(five[0]!.replace(/=+$/, ''))).toHaveLength(1);
  });

  it.each([
    ['nothing', ''],
    ['a secret without its prefix', randomBytes(32).toString('base64')],
    ['the prefix alone', 'whsec_'],
    ['a secret that is too short', secretOf(23)],
    ['a secret that is too long', secretOf(65)],
    ['text that is no base64', `whsec_${'*'.repeat(40)}`],
    ['base64 with more behind it', `${secretOf(32)} # mine`],
    ['one that is good and one that is not', `${secretOf(32)}\nwhsec_x`],
    ['six secrets', Array.from({ length: 6 }, () => secretOf(32)).join('\n')],
  ])('is none with %s', (_what, text) => {
    expect(parseSecrets(text)).toBeUndefined();
  });
});
