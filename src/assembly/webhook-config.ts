import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigError } from '../config/load.ts';
import type { Config } from '../config/options.ts';
import { EVENT_TYPES } from '../model/event-types/contents.ts';
import { receiverRule } from '../webhooks/address-rule.ts';
import type { Receiver } from '../webhooks/settings.ts';
import { parseSecrets } from '../webhooks/signature.ts';

type Section = Config['webhooks'][number];

/** The event source if the service has no public URL. */
const OWN_SOURCE = '/zonewarden';

function faultOf({ name }: Section, option: keyof Section, fault: string): ConfigError {
  return new ConfigError(`[webhook:${name}] ${option}: ${fault}`);
}

/** Explains how to give the service access to a file. */
export function accessAdvice(file: string, uid = process.getuid?.(), gid = process.getgid?.()): string {
  return `The service runs as user ${uid} (group ${gid}), which may not read it. As root, run: chgrp ${gid} ${file}; chmod 640 ${file}. The group also needs access to the folders above it.`;
}

function contentsOf(section: Section, option: 'secret_file' | 'cafile', file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const advice = code === 'EACCES' ? ` ${accessAdvice(file)}` : '';
    throw new ConfigError(
      `[webhook:${section.name}] ${option}: the file cannot be read: ${message}.${advice}`,
    );
  }
}

function secretsOf(section: Section) {
  const secrets = parseSecrets(contentsOf(section, 'secret_file', section.secretFile));
  if (secrets !== undefined) return secrets;
  throw new ConfigError(
    `[webhook:${section.name}] secret_file: ${section.secretFile} contains no secrets. Write one to five lines, each whsec_ and the base64 of 24 to 64 bytes, for example with: echo "whsec_$(openssl rand -base64 32)".`,
  );
}

function requireKnownTypes(section: Section): void {
  for (const wanted of section.types) {
    const start = wanted.replace(/\*$/, '');
    const isKnown = EVENT_TYPES.some(({ type }) =>
      start === wanted ? type === start : type.startsWith(start),
    );
    if (!isKnown) throw faultOf(section, 'types', `there is no event type ${wanted}. See docs/events.md.`);
  }
}

function requireAddress(section: Section): void {
  const host = new URL(section.url).hostname.replace(/^\[|\]$/g, '');
  const fault = isIP(host) === 0 ? undefined : receiverRule(section.allowPrivate)(host);
  if (fault !== undefined) throw faultOf(section, 'url', `${fault}.`);
}

function receiverOf(section: Section, publicUrl: string): Receiver {
  requireKnownTypes(section);
  requireAddress(section);
  const { name, url, types, from, allowPrivate, cafile } = section;
  return {
    name,
    url,
    types,
    from,
    allowPrivate,
    secrets: secretsOf(section),
    ca: cafile === '' ? undefined : contentsOf(section, 'cafile', cafile),
    timeoutMs: section.timeout * 1000,
    giveUpAfterMs: section.giveUpAfter * 1000,
    source: section.source || publicUrl || OWN_SOURCE,
  };
}

/**
 * Returns the webhook receivers with their shared secrets.
 * @throws ConfigError if a section is invalid
 */
export function receiversOf({ webhooks, publicUrl }: Config): readonly Receiver[] {
  return webhooks.map((section) => receiverOf(section, publicUrl));
}
