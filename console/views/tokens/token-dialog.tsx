import { useRef, useState } from 'preact/hooks';
import { api, dataOf, keyring } from '../../api/client.ts';
import { useAction } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { faultAt, Notice, ProblemNotice } from '../../parts/notice.tsx';

interface Draft {
  readonly project: string;
  readonly roles: string;
  readonly user: string;
  readonly expires: string;
  readonly description: string;
}

const FIELDS = ['project_id', 'roles', 'user_id', 'expires_at', 'description'];

function bodyOf({ project, roles, user, expires, description }: Draft) {
  return {
    project_id: project.trim(),
    roles: roles.split(/[\s,]+/).filter((role) => role !== ''),
    ...(user.trim() === '' ? {} : { user_id: user.trim() }),
    ...(expires.trim() === '' ? {} : { expires_at: expires.trim() }),
    ...(description === '' ? {} : { description }),
  };
}

function Made({ token, onClose }: { readonly token: string; onClose(): void }) {
  return (
    <div class="made">
      <Notice tone="warn">Copy the token now. It will not be shown again.</Notice>
      <p>
        <code class="secret">{token}</code>
      </p>
      <div class="buttons">
        <CopyButton text={token} what="token" />
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}

const EMPTY: Draft = { project: '', roles: 'member', user: '', expires: '90d', description: '' };

/** Creates a token, and shows its text once. */
export function TokenDialog({ onClose }: { onClose(): void }) {
  const [draft, setDraft] = useState(EMPTY);
  const [text, setText] = useState<string>();
  const keys = useRef(keyring());
  const make = useAction(async () => {
    const body = bodyOf(draft);
    const { token } = await dataOf(api.POST('/v2/tokens', { body, headers: keys.current(body) }));
    setText(
      token ??
        'An earlier request created this token, but its response was lost. Revoke it and create a new one.',
    );
  });
  const field = (key: keyof Draft, name: string) => ({
    value: draft[key],
    onValue: (value: string) => setDraft({ ...draft, [key]: value }),
    fault: faultAt(make.problem, name),
  });
  return (
    <Dialog title="Create token" atStake={text === undefined ? 'input' : 'secret'} onClose={onClose}>
      {text !== undefined ? (
        <Made token={text} onClose={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void make.run();
          }}
        >
          <TextField label="Project" {...field('project', 'project_id')} />
          <TextField label="Roles" note="Such as reader, member or admin." {...field('roles', 'roles')} />
          <div class="side-by-side">
            <TextField label="User" placeholder="the token's own ID" {...field('user', 'user_id')} />
            <TextField label="Expires" placeholder="never" {...field('expires', 'expires_at')} />
          </div>
          <p class="note">
            Expires: a time, such as 2030-01-31T12:00:00Z, or a duration, such as 90d, 12h or 30m.
          </p>
          <TextField
            label="Description"
            placeholder="Purpose of the token"
            {...field('description', 'description')}
          />
          <ProblemNotice problem={make.problem} besides={FIELDS} />
          <div class="buttons">
            <button type="submit" class="primary" disabled={make.isRunning}>
              Create token
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
