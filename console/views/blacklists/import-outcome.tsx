import type { BlacklistImport } from '../../api/types.ts';
import { Notice } from '../../parts/notice.tsx';
import { counted, grouped, Text } from '../../parts/text.tsx';

const TONES = { ACTIVE: 'calm', COMPLETE: 'good', ERROR: 'bad' } as const;
const WORDS = { ACTIVE: 'Running', COMPLETE: 'Done', ERROR: 'Nothing was changed' } as const;

/** A list of more faults than this scrolls, also by keyboard. */
const SHOWN = 3;

/** Progress or result of an import, with all its faults. */
export function ImportOutcome({ task }: { readonly task: BlacklistImport }) {
  const { status, lines, added, present, removed, message, faults, fault_count } = task;
  return (
    <div aria-live="polite">
      <Notice tone={TONES[status]}>
        <p>
          <strong>{WORDS[status]}:</strong> {counted(lines, 'line')},{' '}
          {counted(added, 'new entry', 'new entries')}, {grouped(present)} already present
          {removed > 0 && `, ${grouped(removed)} removed`}.
        </p>
        {message !== null && faults.length === 0 && (
          <p>
            <Text text={message} />
          </p>
        )}
        <ul class="faults" tabIndex={faults.length > SHOWN ? 0 : undefined}>
          {faults.map(({ line, message: fault }) => (
            <li key={`${line} ${fault}`}>
              {line !== null && <strong>Line {grouped(line)}: </strong>}
              <Text text={fault} />
            </li>
          ))}
        </ul>
        {fault_count > faults.length && <p>and {counted(fault_count - faults.length, 'more error')}.</p>}
      </Notice>
    </div>
  );
}
