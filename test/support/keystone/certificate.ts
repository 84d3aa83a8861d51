import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const fileBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A certificate for localhost and 127.0.0.1, which nobody trusts by default, and its key. */
export const CERTIFICATE_FILE = fileBeside('localhost-certificate.pem');
export const KEY_FILE = fileBeside('localhost-key.pem');

/** What a TLS server takes that has this certificate, and of its clients believes those alone that have it, too. */
export function certificateOfLocalhost() {
  const cert = readFileSync(CERTIFICATE_FILE);
  return { cert, key: readFileSync(KEY_FILE), ca: cert };
}
