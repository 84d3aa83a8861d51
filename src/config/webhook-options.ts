import { BadValue, choice, flag, integer, type Kind, listOf, required, text } from './kinds.ts';
import { type Option, option, type ValuesOf } from './option.ts';

/** As the pages that describe the options write it. */
const SECTION = 'webhook:NAME';
/** One name for the section and the environment: there it is in capitals, with "_" for "-". */
const NAMED = /^webhook:([a-z][a-z0-9-]{0,62})$/;
const VARIABLE = /^ZONEWARDEN_WEBHOOK_([A-Z][A-Z0-9_]{0,62}?)__([A-Z_]+)$/;

/** A URL whose query, which may hold a secret, nobody is shown. */
export const webhookUrl: Kind<string> = {
  name: 'http or https URL',
  read(value) {
    const url = /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || url.hash !== '' || url.username !== '' || url.password !== '') {
      throw new BadValue(
        'Write a URL such as https://hooks.example.com/dns, without user, password and fragment.',
      );
    }
    return value;
  },
  shown: (value) => value.replace(/\?.*$/, ''),
};

/** A type of event, or the beginning of some and `*`. */
export const eventTypes: Kind<string> = {
  name: 'types of events, or their beginning and *',
  read(value) {
    if (/^([a-z_]+\.)*([a-z_]+|[a-z_]*\*)$/.test(value)) return value;
    throw new BadValue('Write types of events such as zone.created, zone.* or *.');
  },
};

const uriReference: Kind<string> = {
  name: 'URI reference',
  read(value) {
    if (/^[!-~]*$/.test(value) && !/[<>"\\^`{|}]/.test(value)) return value;
    throw new BadValue('Write a URI reference (RFC 3986), such as https://dns.example.com.');
  },
};

/** The options of each section `[webhook:NAME]`. */
export const WEBHOOK_OPTIONS = {
  url: option(
    SECTION,
    'url',
    webhookUrl,
    '',
    'Where events are sent to. Required. https; http only to this machine, or with allow_http.',
  ),
  types: option(
    SECTION,
    'types',
    listOf(eventTypes, 1),
    '*',
    'The types of events that are sent, with * at the end for all that begin so.',
  ),
  secretFile: option(
    SECTION,
    'secret_file',
    required('file'),
    '',
    'The file with the secret that requests are signed with: whsec_ and the base64 of 24 to 64 bytes (Standard Webhooks). Several lines are several signatures, so that a secret can be replaced. Required.',
  ),
  giveUpAfter: option(
    SECTION,
    'give_up_after',
    integer(1, 31_536_000),
    '86400',
    'How long a receiver may fail before the webhook is stopped, in seconds. `zonewarden webhook resume NAME` goes on.',
  ),
  from: option(
    SECTION,
    'from',
    choice(['head', 'start']),
    'head',
    'Where a new webhook begins: with what happens from now on, or with the oldest event that is kept.',
  ),
  timeout: option(
    SECTION,
    'timeout',
    integer(1, 300),
    '15',
    'How long a request may take in all, from the connection to the end of its answer, in seconds.',
  ),
  allowPrivate: option(
    SECTION,
    'allow_private',
    flag,
    'false',
    'Whether the receiver may have an address of this machine, of a private network or of a link.',
  ),
  allowHttp: option(
    SECTION,
    'allow_http',
    flag,
    'false',
    'Whether events may be sent without TLS over a network.',
  ),
  cafile: option(
    SECTION,
    'cafile',
    text,
    '',
    "A PEM file with the authorities that may have signed the receiver's certificate. Empty: those that Node.js knows.",
  ),
  source: option(
    SECTION,
    'source',
    uriReference,
    '',
    'The `source` of the CloudEvents. Empty: [service:api] public_url, or else /zonewarden.',
  ),
} as const satisfies Record<string, Option<unknown>>;

type Options = typeof WEBHOOK_OPTIONS;
/** One section. */
export type WebhookConfig = ValuesOf<Options> & { readonly name: string };

export interface WebhookConfigs {
  /** One for each section, in the order of their names. */
  readonly webhooks: readonly WebhookConfig[];
}

export const isWebhookSection = (section: string): boolean => section.startsWith('webhook:');

/** The section and the option that an environment variable names; undefined for one that names no webhook. */
export function webhookVariable(variable: string): { section: string; name: string } | undefined {
  const [, webhook, name] = VARIABLE.exec(variable) ?? [];
  if (webhook === undefined || name === undefined) return undefined;
  return { section: `webhook:${webhook.toLowerCase().replaceAll('_', '-')}`, name: name.toLowerCase() };
}

/** The sections that were named: each has options of its own. */
export class WebhookSections {
  readonly #sections = new Map<string, Options>();

  /** The options of a section; undefined for a name that is none. */
  optionsOf(section: string): Options | undefined {
    if (!NAMED.test(section)) return undefined;
    const known = this.#sections.get(section);
    if (known !== undefined) return known;
    const own = Object.entries(WEBHOOK_OPTIONS).map(([key, one]) => [key, { ...one, section }]);
    const options = Object.fromEntries(own) as Options;
    this.#sections.set(section, options);
    return options;
  }

  /** Every section with what its options are read as, in the order of the names. */
  read(readOption: (option: Option<unknown>) => unknown): readonly WebhookConfig[] {
    const sorted = [...this.#sections].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([section, options]) => {
      const values = Object.entries(options).map(([key, one]) => [key, readOption(one)]);
      return { name: NAMED.exec(section)![1]!, ...Object.fromEntries(values) } as WebhookConfig;
    });
  }
}

/** What is wrong with the options of a section together; undefined if nothing is. */
export function webhookFault({ url, allowHttp }: WebhookConfig): string | undefined {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || isHere || allowHttp) return undefined;
  return 'url: events would be sent without TLS. Write https, or set allow_http = true.';
}
