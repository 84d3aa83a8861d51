/** Signatures as Standard Webhooks 1.0 has them. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
/** Of which one is new, and others are about to go. */
const MOST_SECRETS = 5;

/** What requests to one receiver are signed with. */
export type Secrets = readonly KeyObject[];

function secretOf(line: string): KeyObject | undefined {
  const text = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : '';
  const bytes = Buffer.from(text, 'base64');
  const isCanonical = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  const isLong = bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES;
  return isCanonical && isLong ? createSecretKey(bytes) : undefined;
}

/** The secrets of a file, one a line; undefined for any other text. */
export function parseSecrets(text: string): Secrets | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const secrets = lines.map(secretOf).filter((secret) => secret !== undefined);
  const isWhole = secrets.length === lines.length && lines.length > 0 && lines.length <= MOST_SECRETS;
  return isWhole ? secrets : undefined;
}

/**
 * The headers that prove a message: one signature for each secret.
 * @param id without a "."
 * @param seconds the time of this attempt, since 1970
 */
export function signatureHeaders(secrets: Secrets, id: string, seconds: number, body: string) {
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
