import { whole } from '../events/event-serializer.ts';
import type { EventContents } from '../events/stored-event.ts';
import { portsOf, type ResourcePart } from '../resource-part.ts';
import type { TldReads, TldWrites } from './store.ts';
import type { Tld } from './tld.ts';

/** One import; `present` TLDs already existed. */
interface TldsImported {
  readonly added: number;
  readonly present: number;
}

/** Rules for TLDs, under Designate's names. */
const RULES = {
  create_tld: {
    operations: ['POST /v2/tlds'],
    default: 'rule:admin',
    description: 'Create a TLD.',
  },
  find_tlds: {
    operations: ['GET /v2/tlds'],
    default: 'rule:admin',
    description: 'List TLDs.',
  },
  get_tld: {
    operations: ['GET /v2/tlds/{tld_id}'],
    default: 'rule:admin',
    description: 'Show a TLD.',
  },
  update_tld: {
    operations: ['PATCH /v2/tlds/{tld_id}'],
    default: 'rule:admin',
    description: 'Change a TLD.',
  },
  delete_tld: {
    operations: ['DELETE /v2/tlds/{tld_id}'],
    default: 'rule:admin',
    description: 'Delete a TLD.',
  },
} as const;

const WHOLE = whole<Tld>('administrators');

export const tlds = {
  rules: RULES,
  errors: { tld_not_found: 'Could not find Tld', duplicate_tld: 'Duplicate TLD' },
  events: {
    'tld.created': WHOLE.created,
    'tld.changed': WHOLE.changed,
    'tld.deleted': WHOLE.deleted,
    'tlds.imported': {
      shownTo: 'administrators',
      contents: ({ added, present }: TldsImported): EventContents => ({ details: { added, present } }),
    },
  },
  ports: portsOf<TldReads, TldWrites>(),
} as const satisfies ResourcePart;
