/** What is shown while something is waited for, once it takes long enough to be noticed. */
export function Waiting({ isSlow, what = 'Loading…' }: { readonly isSlow: boolean; readonly what?: string }) {
  return (
    <p class="waiting" role="status">
      {isSlow ? what : ''}
    </p>
  );
}
