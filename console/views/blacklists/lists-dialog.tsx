import { useState } from 'preact/hooks';
import { api, dataOf } from '../../api/client.ts';
import { type Fetched, useFetched } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { BlacklistImport, BlacklistList } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ChoiceField } from '../../parts/field.tsx';
import { announce, ProblemNotice } from '../../parts/notice.tsx';
import { counted, Text, Time } from '../../parts/text.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { hrefOf } from '../../place.ts';
import { MODES } from './entry-dialog.tsx';
import { whenOver } from './import-dialog.tsx';
import { ImportOutcome } from './import-outcome.tsx';

type Mode = (typeof MODES)[number][0];

interface OneList {
  readonly session: Session;
  readonly list: BlacklistList;
  onChanged(): void;
}

/** Sets the mode of every entry of a list. */
function ModeForm({ list, onChanged }: Omit<OneList, 'session'>) {
  const [mode, setMode] = useState<Mode>('enforce');
  const save = useAction(async () => {
    const params = { path: { list_name: list.name } };
    const { changed } = await dataOf(
      api.PATCH('/v2/blacklists/lists/{list_name}', { params, body: { mode } }),
    );
    announce(
      <>
        Changed {counted(changed, 'entry', 'entries')} on <Text text={list.name} />
      </>,
    );
    onChanged();
  });
  return (
    <form
      class="small-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <ChoiceField
        label={
          <>
            Mode of all entries on <Text text={list.name} />
          </>
        }
        choices={MODES}
        value={mode}
        onValue={(chosen) => setMode(chosen)}
      />
      <button type="submit" disabled={save.isRunning}>
        Apply to all
      </button>
      <ProblemNotice problem={save.problem} />
    </form>
  );
}

/** Deletes a list, and the entries that are on no other list. */
function DeleteList({ list, onChanged }: Omit<OneList, 'session'>) {
  const [isSure, setSure] = useState(false);
  const [task, setTask] = useState<BlacklistImport>();
  const run = useAction(async () => {
    const params = { path: { list_name: list.name } };
    await whenOver(await dataOf(api.DELETE('/v2/blacklists/lists/{list_name}', { params })), setTask);
    announce(
      <>
        Deleted the list <Text text={list.name} />
      </>,
    );
    onChanged();
  });
  return (
    <>
      <div class="buttons">
        {!isSure && (
          <button type="button" onClick={() => setSure(true)}>
            Delete list
            <span class="unseen">
              {' '}
              <Text text={list.name} />
            </span>
          </button>
        )}
        {isSure && (
          <button type="button" class="danger" onClick={() => void run.run()} disabled={run.isRunning}>
            <span>
              Delete <Text text={list.name} /> and its entries that are on no other list
            </span>
          </button>
        )}
      </div>
      <ProblemNotice problem={run.problem} />
      {task !== undefined && <ImportOutcome task={task} />}
    </>
  );
}

function OneList({ session, list, onChanged }: OneList) {
  return (
    <li class="one-list">
      <h3>
        <a href={hrefOf('blacklists', { list: list.name })}>
          <Text text={list.name} />
        </a>{' '}
        <span class="quiet">
          {counted(list.entries, 'entry', 'entries')}, updated{' '}
          <Time at={list.updated_at ?? list.created_at} />
        </span>
      </h3>
      {may(session, 'update_blacklist_list') && <ModeForm list={list} onChanged={onChanged} />}
      {may(session, 'delete_blacklist_list') && <DeleteList list={list} onChanged={onChanged} />}
    </li>
  );
}

function useLists(): Fetched<readonly BlacklistList[]> {
  return useFetched(async (signal) => (await dataOf(api.GET('/v2/blacklists/lists', { signal }))).lists, []);
}

/** The named lists that entries belong to. */
export function ListsDialog({
  session,
  onChanged,
  onClose,
}: {
  readonly session: Session;
  onChanged(): void;
  onClose(): void;
}) {
  const lists = useLists();
  const changed = () => {
    lists.again();
    onChanged();
  };
  return (
    <Dialog isWide title="Lists" atStake="nothing" onClose={onClose}>
      <Waiting isSlow={lists.isSlow} />
      <ProblemNotice problem={lists.problem} />
      {lists.data?.length === 0 && (
        <p class="quiet">No lists yet. Import a file with a list name to create one.</p>
      )}
      <ul class="lists">
        {lists.data?.map((list) => (
          <OneList key={list.name} session={session} list={list} onChanged={changed} />
        ))}
      </ul>
    </Dialog>
  );
}
