import { useRef } from 'preact/hooks';
import { type ApiResponse, api, dataOf, keyring, responseTo } from '../../api/client.ts';
import type { Blacklist } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type Form, useEdit } from '../../parts/edit.ts';
import { EditProblem } from '../../parts/edit-problem.tsx';
import { ChoiceField, LinesField, TextField } from '../../parts/field.tsx';
import { faultAt } from '../../parts/notice.tsx';
import { dateOf } from '../../parts/text.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { type Exception, ExceptionsField } from './exceptions-field.tsx';
import { type Looked, type Mode, PreviewPanel, usePreview } from './preview.tsx';
import { type Reach, reachOf, useCare } from './reach.ts';
import { ReachConfirm } from './reach-confirm.tsx';

export const MODES: readonly (readonly [Mode, string])[] = [
  ['enforce', 'Enforce: reject the name'],
  ['warn', 'Warn: allow with a warning'],
  ['audit', 'Audit: allow and record the match'],
];

/** The fields of the form. */
export interface Draft {
  readonly pattern: string;
  readonly description: string;
  readonly mode: Mode;
  /** In the format of the input: local time, to the minute; '' for never. */
  readonly expires_at: string;
  readonly exceptions: readonly Exception[];
}

/** A saved change, and how to undo it while nobody else has changed the entry. */
export interface Change {
  readonly pattern: string;
  /** Past participle for the notice, such as "Added". */
  readonly done: string;
  /** What undoing it does not restore. */
  readonly besides?: string;
  undo(): Promise<void>;
}

const EMPTY: Draft = { pattern: '', description: '', mode: 'enforce', expires_at: '', exceptions: [] };

/** Converts an API time to the local time of an input. */
function localOf(time: string): string {
  const date = dateOf(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function draftOf({ pattern, description, mode = 'enforce', expires_at, exceptions = [] }: Blacklist): Draft {
  const expires = expires_at === undefined ? '' : localOf(expires_at);
  return { pattern, description: description ?? '', mode, expires_at: expires, exceptions };
}

const FORM: Form<Blacklist, Draft> = {
  fields: [
    ['pattern', 'Pattern'],
    ['description', 'Description'],
    ['mode', 'Mode'],
    ['expires_at', 'Expires (local time)'],
    ['exceptions', 'Exceptions'],
  ],
  draftOf,
};

/** The time of an input, which has no seconds: that of the entry, if it was not changed. */
function timeOf(local: string, stored: string | undefined): string | null {
  if (local === '') return null;
  return stored !== undefined && localOf(stored) === local ? stored : new Date(local).toISOString();
}

/** @param stored the entry that is changed; undefined for a new one */
function bodyOf({ pattern, description, mode, expires_at, exceptions }: Draft, stored?: Blacklist) {
  return {
    pattern,
    description: description === '' ? null : description,
    mode,
    expires_at: timeOf(expires_at, stored?.expires_at),
    exceptions: exceptions.map(({ project_id, name, description: why, expires_at: end }) => ({
      project_id: project_id || null,
      name: name || null,
      description: why || null,
      expires_at: end || null,
    })),
  };
}

async function added(draft: Draft, key: Record<string, string>): Promise<Change> {
  const { data, headers } = await responseTo(
    api.POST('/v2/blacklists', { body: bodyOf(draft), headers: key }),
  );
  const path = { blacklist_id: data.id };
  const ifMatch = { 'if-match': headers.get('etag') ?? '*' };
  return {
    pattern: data.pattern,
    done: 'Added',
    undo: async () =>
      void (await dataOf(
        api.DELETE('/v2/blacklists/{blacklist_id}', { params: { path }, headers: ifMatch }),
      )),
  };
}

async function changed(entry: Blacklist, etag: string, draft: Draft): Promise<Change> {
  const params = { path: { blacklist_id: entry.id } };
  const patch = (body: ReturnType<typeof bodyOf>, tag: string) =>
    responseTo(api.PATCH('/v2/blacklists/{blacklist_id}', { params, body, headers: { 'if-match': tag } }));
  const { data, headers } = await patch(bodyOf(draft, entry), etag);
  return {
    pattern: data.pattern,
    done: 'Saved',
    undo: async () => void (await patch(bodyOf(draftOf(entry), entry), headers.get('etag') ?? '*')),
  };
}

/** Deletes an entry if it is unchanged. Undo adds it again with its contents. */
export async function removed(entry: Blacklist, etag: string): Promise<Change> {
  const params = { path: { blacklist_id: entry.id } };
  const ifMatch = { 'if-match': etag };
  await dataOf(api.DELETE('/v2/blacklists/{blacklist_id}', { params, headers: ifMatch }));
  const body = { ...bodyOf(draftOf(entry)), expires_at: entry.expires_at ?? null };
  const [key, { lists = [] }] = [keyring()(body), entry];
  const besides =
    lists.length === 0 ? {} : { besides: `Undo does not restore its lists: ${lists.join(', ')}.` };
  return {
    pattern: entry.pattern,
    done: 'Deleted',
    ...besides,
    undo: async () => void (await dataOf(api.POST('/v2/blacklists', { body, headers: key }))),
  };
}

/** The reach of the draft; an edit that keeps pattern and mode blocks nothing new. */
function reachOfDraft({ pattern, mode }: Draft, looked: Looked, stored: Blacklist | undefined): Reach {
  const isKept = stored?.pattern === pattern && (stored.mode ?? 'enforce') === mode;
  if (pattern === '' || isKept) return { kind: 'narrow' };
  const isCurrent = looked.pattern === pattern && looked.mode === mode;
  return isCurrent ? reachOf(looked) : { kind: 'pending' };
}

/** The form for a new or an existing entry, with a preview of its matches. */
export function EntryDialog({
  read,
  readAgain,
  onStored,
  onClose,
}: {
  /** Undefined for a new entry. */
  readonly read?: ApiResponse<Blacklist> | undefined;
  readAgain(entry: Blacklist): Promise<ApiResponse<Blacklist>>;
  onStored(change: Change): void;
  onClose(): void;
}) {
  const edit = useEdit(FORM, read, read === undefined ? EMPTY : draftOf(read.data), readAgain);
  const { draft, base } = edit;
  const keys = useRef(keyring());
  const looked = usePreview(draft.pattern, draft.mode);
  const store = useAction(async () => {
    const change =
      base === undefined
        ? added(draft, keys.current(bodyOf(draft)))
        : edit.save(base, (etag, entry) => changed(entry, etag, draft));
    onStored(await change);
  });
  const care = useCare(reachOfDraft(draft, looked, base?.data), () => void store.run());
  const verb = base === undefined ? 'Add entry' : 'Save';
  const set = <K extends keyof Draft>(key: K) => ({
    value: draft[key],
    onValue: (value: Draft[K]) => {
      care.stop();
      edit.write({ ...draft, [key]: value });
    },
    fault: faultAt(store.problem, key),
  });
  return (
    <>
      <Dialog isWide title={base === undefined ? 'Add entry' : 'Edit entry'} onClose={onClose}>
        <form
          class="entry"
          onSubmit={(event) => {
            event.preventDefault();
            care.begin();
          }}
        >
          <div class="entry-fields">
            <LinesField
              label="Pattern"
              rows={3}
              note="Regular expression, Python re syntax. Names end in a dot."
              {...set('pattern')}
            />
            <TextField label="Description" {...set('description')} />
            <ChoiceField label="Mode" choices={MODES} {...set('mode')} />
            <TextField label="Expires (local time)" type="datetime-local" {...set('expires_at')} />
            <ExceptionsField {...set('exceptions')} />
          </div>
          <PreviewPanel looked={looked} />
          <EditProblem edit={edit} problem={store.problem} />
          <Waiting isSlow={care.isWaiting} what="Checking existing zones…" />
          <div class="buttons">
            <button type="submit" class="primary" disabled={store.isRunning}>
              {verb}
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </div>
        </form>
      </Dialog>
      {care.doubt !== undefined && (
        <ReachConfirm
          doubt={care.doubt}
          mode={draft.mode}
          verb={verb}
          onConfirm={() => void store.run()}
          onClose={care.settle}
        />
      )}
    </>
  );
}
