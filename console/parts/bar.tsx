import { percent } from './text.tsx';

const NEAR = 80;

function toneOf(percentage: number): string {
  if (percentage >= 100) return 'full';
  return percentage >= NEAR ? 'near' : 'free';
}

/** Percentage of a limit in use. @param percentage null if there is no limit */
export function Bar({ label, percentage }: { readonly label: string; readonly percentage: number | null }) {
  if (percentage === null) return <span class="quiet">unlimited</span>;
  return (
    <span class="bar-and-text">
      <progress
        class={`bar ${toneOf(percentage)}`}
        max={100}
        value={Math.min(100, percentage)}
        aria-label={label}
      />
      <span class="number">{percent(percentage)}</span>
    </span>
  );
}
