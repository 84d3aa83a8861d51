/** LOC: RFC 1876. Latitude, longitude, altitude, then size and precisions; canonical text contains all of them. */
import { bigEndian, type RdataFields } from './fields.ts';
import { upperAscii } from './letter-case.ts';
import { RdataError, shown } from './rdata-error.ts';

/** The equator and the prime meridian, in thousandths of a second of arc (section 2). */
const MIDDLE = 2 ** 31;
/** 100,000 m below the WGS 84 spheroid, in centimetres. */
const ALTITUDE_BASE = 10_000_000;
const MAX_ALTITUDE = 2 ** 32 - 1 - ALTITUDE_BASE;
const MAX_SIZE = 9_000_000_000;

/** RFC 1876 does not say whether a digit must stand before and after the point. As in BIND, one on either side is enough. */
const METRES = /^([+-]?)(?=\.?[0-9])([0-9]{0,8})(?:\.([0-9]{0,2}))?m?$/i;
const SECONDS = /^(?=\.?[0-9])([0-9]{0,2})(?:\.([0-9]{0,3}))?$/;
const SMALL_NUMBER = /^[0-9]{1,3}$/;

interface Axis {
  readonly what: string;
  readonly positive: string;
  readonly negative: string;
  readonly maxDegrees: number;
}

const LATITUDE: Axis = { what: 'latitude', positive: 'N', negative: 'S', maxDegrees: 90 };
const LONGITUDE: Axis = { what: 'longitude', positive: 'E', negative: 'W', maxDegrees: 180 };

function refuseAngle(axis: Axis, word: string): never {
  throw new RdataError(
    `The ${axis.what} is invalid at ${shown(word)}. Write degrees from 0 to ${axis.maxDegrees}, optionally minutes ` +
      `and seconds from 0 to 59.999, then ${axis.positive} or ${axis.negative}, such as 42 21 54 ${axis.positive}.`,
  );
}

function wholeNumber(axis: Axis, word: string, max: number): number {
  const value = SMALL_NUMBER.test(word) ? Number(word) : max + 1;
  return value > max ? refuseAngle(axis, word) : value;
}

function thousandths(axis: Axis, word: string): number {
  const [, whole = '', fraction = ''] = SECONDS.exec(word) ?? refuseAngle(axis, word);
  const value = Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
  return value >= 60_000 ? refuseAngle(axis, word) : value;
}

/** The words before the hemisphere, and the sign of the hemisphere. */
function takeAngle(fields: RdataFields, axis: Axis): { words: string[]; sign: 1 | -1 } {
  const words: string[] = [];
  for (;;) {
    const word = fields.takeWord(axis.what);
    const letter = upperAscii(word);
    if (letter === axis.positive) return { words, sign: 1 };
    if (letter === axis.negative) return { words, sign: -1 };
    if (words.length === 3) refuseAngle(axis, word);
    words.push(word);
  }
}

function formatAngle(value: number, axis: Axis): string {
  const size = Math.abs(value - MIDDLE);
  const seconds = `${Math.floor((size % 60_000) / 1000)}.${String(size % 1000).padStart(3, '0')}`;
  const hemisphere = value < MIDDLE ? axis.negative : axis.positive;
  return `${Math.floor(size / 3_600_000)} ${Math.floor(size / 60_000) % 60} ${seconds} ${hemisphere}`;
}

function readAngle(fields: RdataFields, axis: Axis): number {
  const { words, sign } = takeAngle(fields, axis);
  const [degrees, minutes = '0', seconds = '0'] = words;
  if (degrees === undefined) refuseAngle(axis, sign === 1 ? axis.positive : axis.negative);
  const size =
    wholeNumber(axis, degrees, axis.maxDegrees) * 3_600_000 +
    wholeNumber(axis, minutes, 59) * 60_000 +
    thousandths(axis, seconds);
  if (size > axis.maxDegrees * 3_600_000) refuseAngle(axis, words.join(' '));
  return MIDDLE + sign * size;
}

/** Parses metres with up to two decimals, as centimetres. */
function centimetres(word: string, what: string): number {
  const match = METRES.exec(word);
  if (match === null) {
    throw new RdataError(
      `The ${what} ${shown(word)} is not a length. Write metres with at most two decimals, such as 10.50m.`,
    );
  }
  const [, sign, whole = '', fraction = ''] = match;
  const size = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -size : size;
}

function formatMetres(size: number): string {
  const absolute = Math.abs(size);
  const sign = size < 0 ? '-' : '';
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}m`;
}

function readAltitude(fields: RdataFields): number {
  const word = fields.takeWord('altitude');
  const size = centimetres(word, 'altitude');
  if (size < -ALTITUDE_BASE || size > MAX_ALTITUDE) {
    throw new RdataError(`The altitude must be from -100000.00m to 42849672.95m, not ${shown(word)}.`);
  }
  return size;
}

/** A length is a digit times a power of ten, in centimetres (section 2). Further digits are dropped, as in BIND. */
function readPrecision(fields: RdataFields, what: string, otherwise: number): number {
  if (!fields.hasMore) return otherwise;
  const word = fields.takeWord(what);
  const size = centimetres(word, what);
  if (size < 0 || size > MAX_SIZE) {
    throw new RdataError(`The ${what} must be from 0 to 90000000m, not ${shown(word)}.`);
  }
  const unit = 10 ** (String(size).length - 1);
  return Math.floor(size / unit) * unit;
}

function precisionByte(size: number): number {
  if (size === 0) return 0;
  const text = String(size);
  return Number(text[0]) * 16 + (text.length - 1);
}

/** Wire values. The precisions are size, horizontal and vertical, in centimetres. */
interface Loc {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number;
  readonly precisions: readonly number[];
}

function requireOnEarth(value: number, axis: Axis): number {
  if (Math.abs(value - MIDDLE) <= axis.maxDegrees * 3_600_000) return value;
  throw new RdataError(`The ${axis.what} must be from 0 to ${axis.maxDegrees} degrees.`);
}

/**
 * The canonical text.
 * @throws RdataError if the latitude or longitude is out of range
 */
export function formatLoc({ latitude, longitude, altitude, precisions }: Loc): string {
  return [
    formatAngle(requireOnEarth(latitude, LATITUDE), LATITUDE),
    formatAngle(requireOnEarth(longitude, LONGITUDE), LONGITUDE),
    ...[altitude - ALTITUDE_BASE, ...precisions].map(formatMetres),
  ].join(' ');
}

export function readLoc(fields: RdataFields): void {
  const latitude = readAngle(fields, LATITUDE);
  const longitude = readAngle(fields, LONGITUDE);
  const altitude = readAltitude(fields) + ALTITUDE_BASE;
  const precisions = [
    readPrecision(fields, 'size', 100),
    readPrecision(fields, 'horizontal precision', 1_000_000),
    readPrecision(fields, 'vertical precision', 1000),
  ];
  fields.write(formatLoc({ latitude, longitude, altitude, precisions }), [
    0,
    ...precisions.map(precisionByte),
    ...[latitude, longitude, altitude].flatMap((value) => bigEndian(value, 4)),
  ]);
}
