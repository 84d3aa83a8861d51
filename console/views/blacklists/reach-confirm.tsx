import { Confirm } from '../../parts/confirm.tsx';
import { grouped } from '../../parts/text.tsx';
import { EFFECTS, type Mode } from './preview.tsx';
import type { Doubt } from './reach.ts';

const UNCHECKED = 'unchecked';

function Matches({ doubt, mode }: { readonly doubt: Doubt; readonly mode: Mode }) {
  if (doubt.kind === 'unknown')
    return <p>The preview failed: the pattern may match every zone. {EFFECTS[mode]}</p>;
  const { matched, seen, isAll } = doubt;
  return (
    <p>
      This pattern matches {isAll ? '' : 'at least '}
      <strong>{grouped(matched)}</strong> of {grouped(seen)} existing zones{isAll ? '' : ' checked so far'}.{' '}
      {EFFECTS[mode]} Existing zones do not change.
    </p>
  );
}

/** Asks before saving an entry that matches many zones, or an unknown number. */
export function ReachConfirm({
  doubt,
  mode,
  verb,
  onConfirm,
  onClose,
}: {
  readonly doubt: Doubt;
  readonly mode: Mode;
  readonly verb: string;
  onConfirm(): void;
  onClose(): void;
}) {
  const isWide = doubt.kind === 'wide';
  return (
    <Confirm
      title={isWide ? 'This pattern matches many zones' : 'This pattern could not be checked'}
      verb={verb}
      phrase={isWide ? String(doubt.matched) : UNCHECKED}
      onConfirm={async () => onConfirm()}
      onClose={onClose}
    >
      <Matches doubt={doubt} mode={mode} />
    </Confirm>
  );
}
