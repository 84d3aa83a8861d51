import { api, dataOf } from '../../api/client.ts';
import type { Session } from '../../api/session.ts';
import type { Recordset } from '../../api/types.ts';
import { ConfirmDeletion } from '../../parts/confirm-deletion.tsx';
import { announce } from '../../parts/notice.tsx';
import { Text, visible } from '../../parts/text.tsx';
import { onBehalf } from './on-behalf.ts';
import { RECORDSET_CONTENTS, readRecordset } from './one-recordset.ts';

async function removed(session: Session, { id, zone_id }: Recordset, etag: string): Promise<void> {
  const params = { path: { zone_id, recordset_id: id } };
  const headers = { ...onBehalf(session), 'if-match': etag };
  await dataOf(api.DELETE('/v2/zones/{zone_id}/recordsets/{recordset_id}', { params, headers }));
}

/** Records up to this number of lines and characters fit without scrolling. */
const INLINE_LIMITS = { lines: 8, characters: 150 };

function isHigh(records: readonly string[]): boolean {
  const length = records.reduce((sum, record) => sum + record.length, 0);
  return records.length > INLINE_LIMITS.lines || length > INLINE_LIMITS.characters;
}

export function Records({ records }: Pick<Recordset, 'records'>) {
  return (
    // A list that is too high scrolls, also by keyboard.
    <ul class="records" tabIndex={isHigh(records) ? 0 : undefined}>
      {records.map((record) => (
        <li key={record}>
          <code>
            <Text text={record} />
          </code>
        </li>
      ))}
    </ul>
  );
}

/** Asks before a recordset is deleted. */
export function RecordsetDeletion({
  session,
  seen,
  onDeleted,
  onClose,
}: {
  readonly session: Session;
  readonly seen: Recordset;
  onDeleted(): void;
  onClose(): void;
}) {
  return (
    <ConfirmDeletion
      title="Delete recordset"
      seen={seen}
      fields={RECORDSET_CONTENTS}
      read={(signal) => readRecordset(session, seen, signal)}
      remove={(one, etag) => removed(session, one, etag)}
      onDeleted={() => {
        announce(
          <>
            Deleted <Text text={seen.name} /> {seen.type}
          </>,
        );
        onDeleted();
      }}
      onClose={onClose}
    >
      {({ name, type, records, description }) => (
        <>
          <p>
            Delete the {type} record <bdi class="name">{visible(name)}</bdi>? It will also disappear from the
            name servers.
          </p>
          <Records records={records} />
          <p class="quiet">
            <Text text={description} />
          </p>
        </>
      )}
    </ConfirmDeletion>
  );
}
