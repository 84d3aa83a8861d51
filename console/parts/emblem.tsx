/** The logo, for decoration. */
export function Emblem() {
  return (
    <svg class="emblem" viewBox="0 0 32 32" aria-hidden="true">
      <path class="shield" d="M16 1.5 28 6v9.5c0 7.2-5 12.6-12 15-7-2.4-12-7.8-12-15V6z" />
      <path class="letter" d="M10.5 11h11l-11 10.5h11" />
    </svg>
  );
}
