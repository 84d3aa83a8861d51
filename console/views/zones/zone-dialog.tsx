import { useRef, useState } from 'preact/hooks';
import { api, dataOf, keyring } from '../../api/client.ts';
import { useFetched, useSettled } from '../../api/fetched.ts';
import type { Zone } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { faultAt, ProblemNotice } from '../../parts/notice.tsx';
import { Text } from '../../parts/text.tsx';
import { absolute, numberIn } from '../../parts/typed.ts';
import { sentencesIn } from '../../parts/warnings.ts';

const PAUSE = 300;
const FIELDS = ['name', 'email', 'ttl', 'description'];

interface Draft {
  readonly name: string;
  readonly email: string;
  readonly ttl: string;
  readonly description: string;
}

function bodyOf({ name, email, ttl, description }: Draft) {
  return {
    name: absolute(name),
    email: email.trim(),
    ...(ttl.trim() === '' ? {} : { ttl: numberIn(ttl) }),
    ...(description === '' ? {} : { description }),
  };
}

/**
 * Checks while the user types whether a zone of this name can be created.
 * @param refusal the last error for the name, shown elsewhere
 */
function NameVerdict({ typed, refusal }: { readonly typed: string; readonly refusal: string | undefined }) {
  const name = absolute(useSettled(typed, PAUSE));
  const check = useFetched(
    name === '' ? undefined : (signal) => dataOf(api.POST('/v2/zones/check', { body: { name }, signal })),
    [name],
  );
  const { data, problem } = check;
  if (refusal !== undefined && refusal === data?.refusal?.message) return null;
  const words = data?.allowed ? 'This name can be created.' : data?.refusal?.message;
  const tone = data?.allowed ? 'good-words' : 'fault';
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  return (
    <p class={tone} aria-live="polite">
      <Text text={words} />{' '}
      <Text text={data?.refusal?.hint ?? (data?.warning && sentencesIn(data.warning))} />
    </p>
  );
}

/** The form for a new zone. */
export function ZoneDialog({ onCreated, onClose }: { onCreated(zone: Zone): void; onClose(): void }) {
  const [draft, setDraft] = useState<Draft>({ name: '', email: '', ttl: '', description: '' });
  const keys = useRef(keyring());
  const create = useAction(async () => {
    const body = bodyOf(draft);
    onCreated(await dataOf(api.POST('/v2/zones', { body, headers: keys.current(body) })));
  });
  const field = (key: keyof Draft) => ({
    value: draft[key],
    onValue: (value: string) => setDraft({ ...draft, [key]: value }),
    fault: faultAt(create.problem, key),
  });
  return (
    <Dialog title="Create zone" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <div>
          <TextField
            label="Name"
            placeholder="shop.example.org"
            {...field('name')}
            onValue={(name) => {
              create.forget();
              setDraft({ ...draft, name });
            }}
          />
          <NameVerdict typed={draft.name} refusal={create.problem?.message} />
        </div>
        <TextField
          label="Email"
          placeholder="hostmaster@example.org"
          note="Contact address, published in the SOA record."
          {...field('email')}
        />
        <div class="side-by-side">
          <TextField label="TTL (seconds)" placeholder="default" {...field('ttl')} />
          <TextField label="Description" {...field('description')} />
        </div>
        <ProblemNotice problem={create.problem} besides={FIELDS} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={create.isRunning}>
            Create zone
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
