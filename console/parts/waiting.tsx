/** Shown while a request is pending, once it takes long enough to notice. */
export function Waiting({ isSlow, what = 'Loading…' }: { readonly isSlow: boolean; readonly what?: string }) {
  return (
    <p class="waiting" role="status">
      {isSlow ? what : ''}
    </p>
  );
}
