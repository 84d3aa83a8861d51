import {
  choice,
  flag,
  InvalidValueError,
  integer,
  listOf,
  type OptionKind,
  required,
  text,
} from './kinds.ts';
import { type Option, option, type ValuesOf } from './option.ts';

/** The section's name in the generated pages. */
const SECTION = 'webhook:NAME';
/** The environment variable uses this name in capitals, with "_" for "-". */
const NAMED = /^webhook:([a-z][a-z0-9-]{0,62})$/;
const VARIABLE = /^ZONEWARDEN_WEBHOOK_([A-Z][A-Z0-9_]{0,62}?)__([A-Z_]+)$/;

/** A URL whose query is never shown, because it may hold a secret. */
export const webhookUrl: OptionKind<string> = {
  name: 'http or https URL',
  read(value) {
    const url = /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || url.hash !== '' || url.username !== '' || url.password !== '') {
      throw new InvalidValueError(
        'Must be a URL without user, password or fragment, such as https://hooks.example.com/dns.',
      );
    }
    return value;
  },
  shown: (value) => value.replace(/\?.*$/, ''),
};

/** An event type, or a prefix and `*`. */
export const eventTypes: OptionKind<string> = {
  name: 'event type, or prefix and *',
  read(value) {
    if (/^([a-z_]+\.)*([a-z_]+|[a-z_]*\*)$/.test(value)) return value;
    throw new InvalidValueError('Must be an event type such as zone.created, zone.* or *.');
  },
};

const uriReference: OptionKind<string> = {
  name: 'URI reference',
  read(value) {
    if (/^[!-~]*$/.test(value) && !/[<>"\\^`{|}]/.test(value)) return value;
    throw new InvalidValueError('Must be a URI reference (RFC 3986), such as https://dns.example.com.');
  },
};

/** The options of each section `[webhook:NAME]`. */
export const WEBHOOK_OPTIONS = {
  url: option(
    SECTION,
    'url',
    webhookUrl,
    '',
    'URL that events are sent to. Required. https; http only to this machine, or with allow_http.',
  ),
  types: option(
    SECTION,
    'types',
    listOf(eventTypes, 1),
    '*',
    'Event types to send; a trailing * matches any ending.',
  ),
  secretFile: option(
    SECTION,
    'secret_file',
    required('file'),
    '',
    'File with the secret that signs requests: whsec_ and the base64 of 24 to 64 bytes (Standard Webhooks). Each line adds a signature, so that a secret can be rotated. Required.',
  ),
  giveUpAfter: option(
    SECTION,
    'give_up_after',
    integer(1, 31_536_000),
    '86400',
    'How long a receiver may fail before the webhook is stopped, in seconds. `zonewarden webhook resume NAME` resumes it.',
  ),
  from: option(
    SECTION,
    'from',
    choice(['head', 'start']),
    'head',
    'Where a new webhook starts: at new events (head) or at the oldest stored event (start).',
  ),
  timeout: option(
    SECTION,
    'timeout',
    integer(1, 300),
    '15',
    'Time limit of one request, from connecting to the end of the response, in seconds.',
  ),
  allowPrivate: option(
    SECTION,
    'allow_private',
    flag,
    'false',
    'Allow receivers on this machine, private networks and link-local addresses.',
  ),
  allowHttp: option(
    SECTION,
    'allow_http',
    flag,
    'false',
    'Allow events to be sent over a network without TLS.',
  ),
  cafile: option(
    SECTION,
    'cafile',
    text,
    '',
    "PEM file with the CA certificates for the receiver's certificate. Empty: the ones Node.js trusts.",
  ),
  source: option(
    SECTION,
    'source',
    uriReference,
    '',
    'The `source` of the CloudEvents. Empty: [service:api] public_url, or /zonewarden if that is empty too.',
  ),
} as const satisfies Record<string, Option<unknown>>;

type Options = typeof WEBHOOK_OPTIONS;
/** The values of one section. */
export type WebhookConfig = ValuesOf<Options> & { readonly name: string };

export interface WebhookConfigs {
  /** One per section, sorted by name. */
  readonly webhooks: readonly WebhookConfig[];
}

export const isWebhookSection = (section: string): boolean => section.startsWith('webhook:');

/** The section and option that an environment variable names; undefined if it names no webhook. */
export function webhookVariable(variable: string): { section: string; name: string } | undefined {
  const [, webhook, name] = VARIABLE.exec(variable) ?? [];
  if (webhook === undefined || name === undefined) return undefined;
  return { section: `webhook:${webhook.toLowerCase().replaceAll('_', '-')}`, name: name.toLowerCase() };
}

/** The configured webhook sections, each with its own options. */
export class WebhookSections {
  readonly #sections = new Map<string, Options>();

  /** The options of a section; undefined for an invalid name. */
  optionsOf(section: string): Options | undefined {
    if (!NAMED.test(section)) return undefined;
    const known = this.#sections.get(section);
    if (known !== undefined) return known;
    const own = Object.entries(WEBHOOK_OPTIONS).map(([key, one]) => [key, { ...one, section }]);
    const options = Object.fromEntries(own) as Options;
    this.#sections.set(section, options);
    return options;
  }

  /** The values of every section, sorted by name. */
  read(readOption: (option: Option<unknown>) => unknown): readonly WebhookConfig[] {
    const sorted = [...this.#sections].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([section, options]) => {
      const values = Object.entries(options).map(([key, one]) => [key, readOption(one)]);
      return { name: NAMED.exec(section)![1]!, ...Object.fromEntries(values) } as WebhookConfig;
    });
  }
}

/** Explains how the options of a section contradict each other; undefined if they do not. */
export function webhookFault({ url, allowHttp }: WebhookConfig): string | undefined {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || isHere || allowHttp) return undefined;
  return 'url: events would be sent without TLS. Use https, or set allow_http = true.';
}
