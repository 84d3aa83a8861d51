import { useRef, useState } from 'preact/hooks';
import { type ApiResponse, api, dataOf, keyring } from '../../api/client.ts';
import type { Problem } from '../../api/problem.ts';
import type { Session } from '../../api/session.ts';
import type { Recordset, RecordType, Zone } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type Form, useEdit } from '../../parts/edit.ts';
import { EditProblem } from '../../parts/edit-problem.tsx';
import { ChoiceField, LinesField, TextField } from '../../parts/field.tsx';
import { faultAt } from '../../parts/notice.tsx';
import { Text } from '../../parts/text.tsx';
import { numberIn } from '../../parts/typed.ts';
import { onBehalf } from './on-behalf.ts';
import { readRecordset } from './one-recordset.ts';

/** Those that users may create; the service creates the SOA. The compiler compares them with those of the service. */
const CREATABLE: Readonly<Record<Exclude<RecordType, 'SOA'>, true>> = {
  A: true,
  AAAA: true,
  AFSDB: true,
  CAA: true,
  CDNSKEY: true,
  CDS: true,
  CERT: true,
  CNAME: true,
  CSYNC: true,
  DNAME: true,
  DNSKEY: true,
  DS: true,
  HINFO: true,
  HTTPS: true,
  LOC: true,
  MX: true,
  NAPTR: true,
  NS: true,
  OPENPGPKEY: true,
  PTR: true,
  RP: true,
  SMIMEA: true,
  SPF: true,
  SRV: true,
  SSHFP: true,
  SVCB: true,
  TLSA: true,
  TXT: true,
  URI: true,
};
export const TYPES: readonly string[] = Object.keys(CREATABLE);

/** Types without a name here have a number (RFC 3597). */
const BY_NUMBER = 'TYPE';
const CHOICES = [...TYPES.map((type) => [type, type] as const), [BY_NUMBER, 'by number'] as const];

interface Draft {
  readonly name: string;
  readonly type: string;
  /** Of a type without a name. */
  readonly number: string;
  readonly records: string;
  readonly ttl: string;
  readonly description: string;
}

interface Line {
  readonly at: number;
  readonly text: string;
}

const EMPTY: Draft = { name: '', type: 'A', number: '', records: '', ttl: '', description: '' };

function draftOf({ name, type, records, ttl, description }: Recordset): Draft {
  return {
    name,
    type,
    number: '',
    records: records.join('\n'),
    ttl: ttl === null ? '' : String(ttl),
    description: description ?? '',
  };
}

const FORM: Form<Recordset, Draft> = {
  fields: [
    ['name', 'Name'],
    ['type', 'Type'],
    ['records', 'Records'],
    ['ttl', 'TTL (seconds)'],
    ['description', 'Description'],
  ],
  draftOf,
};

function linesIn(text: string): Line[] {
  const all = text.split('\n').map((line, place) => ({ at: place + 1, text: line.trim() }));
  return all.filter(({ text: one }) => one !== '');
}

/** Completes a name as in a zone file: without a final dot it is relative to the zone, and "@" is the zone itself. */
export function nameIn(zone: string, typed: string): string {
  const name = typed.trim();
  if (name === '' || name === '@') return zone;
  return name.endsWith('.') ? name : `${name}.${zone}`;
}

function valuesOf({ records, ttl, description }: Draft) {
  return {
    records: linesIn(records).map(({ text }) => text),
    ttl: ttl.trim() === '' ? null : numberIn(ttl),
    description: description === '' ? null : description,
  };
}

/** The errors of the records, each with its line. */
function recordsFault(problem: Problem | undefined, lines: readonly Line[]): string | undefined {
  const faults = problem?.faults.filter(({ path }) => path[0] === 'records') ?? [];
  if (faults.length === 0) return undefined;
  const said = faults.map(({ path, message }) => {
    const line = typeof path[1] === 'number' ? lines[path[1]] : undefined;
    return line === undefined ? message : `Line ${line.at}: ${message}`;
  });
  return said.join(' ');
}

/** The form for a new or an existing recordset. */
export function RecordsetDialog({
  session,
  zone,
  read,
  onStored,
  onClose,
}: {
  readonly session: Session;
  readonly zone: Zone;
  /** Undefined for a new recordset. */
  readonly read?: ApiResponse<Recordset> | undefined;
  onStored(recordset: Recordset): void;
  onClose(): void;
}) {
  const edit = useEdit(FORM, read, read === undefined ? EMPTY : draftOf(read.data), (one) =>
    readRecordset(session, one),
  );
  const { draft, base } = edit;
  // The lines as last sent, to locate the API's errors: the user may have changed them since.
  const [sent, setSent] = useState<readonly Line[]>([]);
  const keys = useRef(keyring());
  const create = (values: ReturnType<typeof valuesOf>) => {
    const type = draft.type === BY_NUMBER ? `${BY_NUMBER}${draft.number.trim()}` : draft.type;
    const body = { name: nameIn(zone.name, draft.name), type, ...values };
    const headers = { ...onBehalf(session), ...keys.current(body) };
    const params = { path: { zone_id: zone.id } };
    return dataOf(api.POST('/v2/zones/{zone_id}/recordsets', { params, body, headers }));
  };
  const change = (found: ApiResponse<Recordset>, body: ReturnType<typeof valuesOf>) =>
    edit.save(found, (etag, { id }) => {
      const headers = { ...onBehalf(session), 'if-match': etag };
      const params = { path: { zone_id: zone.id, recordset_id: id } };
      return dataOf(api.PUT('/v2/zones/{zone_id}/recordsets/{recordset_id}', { params, body, headers }));
    });
  const store = useAction(async () => {
    const values = valuesOf(draft);
    setSent(linesIn(draft.records));
    onStored(await (base === undefined ? create(values) : change(base, values)));
  });
  const set = <K extends keyof Draft>(key: K) => ({
    value: draft[key],
    onValue: (value: Draft[K]) => edit.write({ ...draft, [key]: value }),
    fault: faultAt(store.problem, key),
  });
  const title =
    read === undefined ? (
      'Create recordset'
    ) : (
      <>
        Edit <Text text={read.data.name} /> {read.data.type}
      </>
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void store.run();
        }}
      >
        {read === undefined && (
          <div class="side-by-side">
            <TextField
              label="Name"
              placeholder="www"
              note="Relative to the zone; @ is the zone itself. End full names with a dot."
              {...set('name')}
            />
            <ChoiceField label="Type" choices={CHOICES} {...set('type')} />
          </div>
        )}
        {draft.type === BY_NUMBER && (
          <TextField
            label="Number of the type"
            placeholder="65280"
            note="Write its records as \# 2 0a0b: the number of bytes, and the bytes in hexadecimal."
            {...set('number')}
          />
        )}
        <LinesField
          label="Records"
          note="One per line, as in a zone file."
          {...set('records')}
          fault={recordsFault(store.problem, sent)}
        />
        <div class="side-by-side">
          <TextField label="TTL (seconds)" placeholder={`zone default (${zone.ttl})`} {...set('ttl')} />
          <TextField label="Description" {...set('description')} />
        </div>
        <EditProblem edit={edit} problem={store.problem} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={store.isRunning}>
            {read === undefined ? 'Create recordset' : 'Save'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
