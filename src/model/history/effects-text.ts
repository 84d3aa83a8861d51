/**
 * The text of what a change did. Each effect is one line of JSON; many lines are deflated in blocks, and each block is a
 * line of base64. A block is read on its own, so that a large change never has to be in memory as objects.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { canonicalName, type OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { RecordsetEffect } from './past-change.ts';

/** Characters up to which deflating does not pay. */
const SHORT = 1024;
/** Characters of a block before it is deflated. */
const BLOCK = 65_536;

type StateText = readonly [
  ttl: number | null,
  records: readonly string[],
  spellings: Recordset['spellings'] | 0,
  description: string | null,
  bytes: number,
  version: number,
  updatedAt: string | null,
  /** Left out if it never expires. */
  expiresAt?: string,
];
type EffectText = readonly [
  id: string,
  projectId: string,
  name: string,
  type: StoredType,
  createdAt: string,
  managed: 0 | 1,
  before: StateText | 0,
  after: StateText | 0,
];

function stateText(recordset: Recordset | undefined): StateText | 0 {
  if (recordset === undefined) return 0;
  const { ttl, records, spellings, description, bytes, version, updatedAt, expiresAt } = recordset;
  const spelt = Object.keys(spellings).length === 0 ? 0 : spellings;
  const state = [ttl, records, spelt, description, bytes, version, updatedAt] as const;
  return expiresAt === null ? [...state] : [...state, expiresAt];
}

/** One line, without its end. */
function lineOf({ before, after }: RecordsetEffect): string {
  const { id, projectId, name, type, createdAt, managed } = (after ?? before)!;
  const line: EffectText = [
    id,
    projectId,
    name,
    type,
    createdAt,
    managed ? 1 : 0,
    stateText(before),
    stateText(after),
  ];
  return JSON.stringify(line);
}

function recordsetOf(line: EffectText, state: StateText | 0, zoneId: string): Recordset | undefined {
  if (state === 0) return undefined;
  const [id, projectId, name, type, createdAt, managed] = line;
  const [ttl, records, spellings, description, bytes, version, updatedAt, expiresAt = null] = state;
  return {
    id,
    zoneId,
    projectId,
    name: canonicalName<OwnerName>(name),
    type,
    ttl,
    records,
    spellings: spellings === 0 ? {} : spellings,
    bytes,
    description,
    // Not part of the history: it is what it is today.
    protection: null,
    expiresAt,
    managed: managed === 1,
    version,
    createdAt,
    updatedAt,
  };
}

function effectOf(text: string, zoneId: string): RecordsetEffect {
  const line: EffectText = JSON.parse(text);
  return { before: recordsetOf(line, line[6], zoneId), after: recordsetOf(line, line[7], zoneId) };
}

/** Writes effects until they are larger than a bound. */
export class EffectsWriter {
  readonly #maxBytes: number;
  readonly #blocks: string[] = [];
  #lines: string[] = [];
  #pending = 0;
  #packed = 0;
  #isTooLarge = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(effect: RecordsetEffect): void {
    if (this.#isTooLarge) return;
    const line = lineOf(effect);
    this.#lines.push(line);
    this.#pending += line.length + 1;
    if (this.#pending > BLOCK) this.#pack();
  }

  /** The characters so far, before what is still to be deflated is. */
  get size(): number {
    return this.#packed + this.#pending;
  }

  /** Undefined if the effects are larger than the bound. */
  text(): string | undefined {
    if (this.#blocks.length === 0 && this.#pending <= SHORT) return this.#within(this.#lines.join('\n'));
    this.#pack();
    return this.#within(this.#blocks.join('\n'));
  }

  #within(text: string): string | undefined {
    return this.#isTooLarge || text.length > this.#maxBytes ? undefined : text;
  }

  #pack(): void {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('\n');
    const deflated = deflateRawSync(text).toString('base64');
    const block = deflated.length < text.length ? deflated : text;
    this.#lines = [];
    this.#pending = 0;
    this.#packed += block.length + 1;
    this.#isTooLarge ||= this.#packed > this.#maxBytes;
    if (this.#isTooLarge) this.#blocks.length = 0;
    else this.#blocks.push(block);
  }
}

function blocksOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

/** The lines of a block that have a text in them. */
function linesWith(part: string, block: string): readonly string[] {
  const lines = block.startsWith('[') ? block : inflated(block);
  return lines.includes(part) ? lines.split('\n').filter((line) => line.includes(part)) : [];
}

/** The effects in a text, decoded as they are read. */
export function* effectsIn(text: string, zoneId: string): Generator<RecordsetEffect, void> {
  for (const block of blocksOf(text)) for (const line of linesWith('', block)) yield effectOf(line, zoneId);
}

/**
 * Those effects whose lines have a text in them, decoded as they are read. Undefined after each block, since there may be
 * many without one: a reader may yield to others there.
 */
export function* effectsWith(
  part: string,
  text: string,
  zoneId: string,
): Generator<RecordsetEffect | undefined, void> {
  for (const block of blocksOf(text)) {
    for (const line of linesWith(part, block)) yield effectOf(line, zoneId);
    yield undefined;
  }
}

function inflated(block: string): string {
  return inflateRawSync(Buffer.from(block, 'base64')).toString();
}
