/** Formats times, numbers, names and untrusted texts. */
import punycode from 'punycode/';

/** Creates a format on first use: each takes milliseconds, which would delay the first view. */
function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const moment = onFirstUse(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
);
const exactly = onFirstUse(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }),
);
const numbers = onFirstUse(() => new Intl.NumberFormat());
const percentages = onFirstUse(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }));
const sizes = onFirstUse(() => new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }));
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Parses an API time, which is in UTC. */
export function dateOf(time: string): Date {
  return new Date(`${time.slice(0, 23)}Z`);
}

/** Creates the formats that every view needs, while waiting for the service. */
export function prepareForms(): void {
  moment();
  numbers();
}

/** A time in the user's time zone. */
export const momentOf = (date: Date): string => moment().format(date);

/** A time in the user's time zone, exact in the tooltip. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="quiet">never</span>;
  const date = dateOf(at);
  return (
    <time
      class="time"
      dateTime={`${at}Z`}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = `${exactly().format(date)}\n${at} UTC`;
      }}
    >
      {momentOf(date)}
    </time>
  );
}

/** How long ago a time is, such as "3 minutes". */
export function ageOf(at: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - dateOf(at).getTime()) / 1000));
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / size),
  );
}

/** A number with its digits grouped. */
export const grouped = (number: number): string => numbers().format(number);
/** A number with its noun, such as "1 zone" or "2 entries". */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${grouped(number)} ${number === 1 ? one : many}`;
export const percent = (number: number): string => `${percentages().format(number)} %`;

/** A number of bytes, such as "1.2 MB". */
export function sized(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${sizes().format(bytes / 1000 ** power)} ${SIZES[power]}`;
}

/** Invisible characters, and those that change the text direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|\u034F/gu;

function named(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** An untrusted text, with invisible characters shown as code points. */
export function visible(text: string): string {
  return text.replace(UNSEEN, named);
}

/** An untrusted text, isolated from the direction of its surroundings. */
export function Text({ text }: { readonly text: string | null | undefined }) {
  return text === null || text === undefined || text === '' ? null : <bdi class="text">{visible(text)}</bdi>;
}

/** The Unicode form of a name; the name itself if it has none. */
export function unicodeOf(name: string): string {
  if (!/(^|\.)xn--/i.test(name)) return name;
  try {
    return punycode.toUnicode(name);
  } catch {
    return name;
  }
}

/** A name in DNS form, plus its Unicode form if that differs. */
export function DnsName({ name, href }: { readonly name: string; readonly href?: string | undefined }) {
  const unicode = visible(unicodeOf(name));
  const shown = <bdi class="name">{visible(name)}</bdi>;
  return (
    <span class="names">
      {href === undefined ? shown : <a href={href}>{shown}</a>}
      {unicode !== name && <bdi class="name-unicode">{unicode}</bdi>}
    </span>
  );
}
