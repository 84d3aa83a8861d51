/** Signatures as in Standard Webhooks 1.0. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;
/** Allows for one new secret and others that are being phased out. */
const MAX_SECRETS = 5;

/** Secrets that sign the requests to one receiver. */
export type Secrets = readonly KeyObject[];

function secretOf(line: string): KeyObject | undefined {
  const text = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : '';
  const bytes = Buffer.from(text, 'base64');
  const isCanonical = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  const isLong = bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
  return isCanonical && isLong ? createSecretKey(bytes) : undefined;
}

/** Parses a file of secrets, one per line. Returns undefined if anything else is in it. */
export function parseSecrets(text: string): Secrets | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const secrets = lines.map(secretOf).filter((secret) => secret !== undefined);
  const isWhole = secrets.length === lines.length && lines.length > 0 && lines.length <= MAX_SECRETS;
  return isWhole ? secrets : undefined;
}

/**
 * Returns the headers that sign a message, with one signature per secret.
 * @param id must not contain "."
 * @param seconds time of this attempt, in seconds since 1970
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
