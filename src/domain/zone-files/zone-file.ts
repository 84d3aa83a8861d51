import { parseZoneName } from '../../dns/names.ts';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { parseZoneFileInSteps, type ZoneFileResult } from '../../dns/zone-file/parse.ts';
import { lineFault } from '../errors.ts';
import { yieldTurn } from '../yield.ts';
import { parseRname } from '../zones/mailbox.ts';
import type { ZoneDraft } from '../zones/zone.ts';
import {
  eachInTurns,
  type ReadRecordset,
  requireContents,
  ttlFault,
  type ZoneContents,
} from './zone-contents.ts';

type ReadFile = Extract<ZoneFileResult, { ok: true }>;

async function parse(text: string): Promise<ReadFile> {
  const steps = parseZoneFileInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) {
      if (step.value.ok) return step.value;
      throw lineFault(step.value.line, step.value.reason);
    }
    await yieldTurn();
  }
}

/** The zone as its SOA gives it: name, mail address and TTL. */
function requireDraft({ zone, lines }: ReadFile): ZoneDraft {
  const name = parseZoneName(zone.origin);
  if (!name.ok) throw lineFault(lines.soa, name.reason);
  const email = parseRname(soaFields(zone.soa.rdata).rname);
  if (email === undefined) {
    throw lineFault(
      lines.soa,
      'The mailbox of the SOA is not a mail address. Write hostmaster.example.com. for hostmaster@example.com.',
    );
  }
  const fault = ttlFault(zone.soa.ttl);
  if (fault !== undefined) throw lineFault(lines.soa, fault);
  return { name: name.value, email, ttl: zone.soa.ttl };
}

/**
 * Reads a zone file: the zone to be created and its contents. The TTL of the zone is that of the SOA, and recordsets
 * that have the same take the zone's. The SOA and the NS at the apex are left out, since the service keeps its own.
 * @throws DomainError with the line that cannot be taken
 */
export async function requireZoneFile(text: string): Promise<{ draft: ZoneDraft; contents: ZoneContents }> {
  const file = await parse(text);
  const draft = requireDraft(file);
  const recordsets: ReadRecordset[] = [];
  await eachInTurns(file.zone.recordsets.entries(), ([at, { name, type, ttl, records, size }]) => {
    if (type === 'NS' && name === draft.name) return;
    const line = file.lines.recordsets[at] ?? 0;
    recordsets.push({ name, type, records, size, ttl: ttl === draft.ttl ? null : ttl, line });
  });
  const { serial } = soaFields(file.zone.soa.rdata);
  return { draft, contents: await requireContents(draft.name, serial, recordsets) };
}
