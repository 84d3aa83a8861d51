import type { EventContents, EventFields } from '../../model/events/stored-event.ts';

/** Maximum size of the stored contents of an event, in bytes of UTF-8. */
const MAX_BYTES = 16_384;
/**
 * Length to which a long field is cut, in characters of its JSON. It keeps the maximum number of fields, with their
 * marks, below `MAX_BYTES`.
 */
const START_OF_A_FIELD = 256;
const MAX_FIELDS = 16;

/** Replaces a long field by its first characters and its size in bytes. */
function cutField(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length <= START_OF_A_FIELD) return value;
  return { cut: text.slice(0, START_OF_A_FIELD), bytes: Buffer.byteLength(text) };
}

function cutFields(fields: EventFields): EventFields {
  const entries = Object.entries(fields);
  const kept = entries
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => [name.slice(0, START_OF_A_FIELD), cutField(value)]);
  const left = entries.length - kept.length;
  return { ...Object.fromEntries(kept), ...(left > 0 ? { cut_fields: left } : {}) };
}

/** The contents of an event as JSON of at most 16 KiB. If they are larger, long fields are cut and marked. */
export function boundedJson(contents: EventContents): string {
  const whole = JSON.stringify(contents);
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const given = Object.entries(contents).filter(([, fields]) => fields !== undefined);
  const cut = JSON.stringify(Object.fromEntries(given.map(([name, fields]) => [name, cutFields(fields)])));
  return Buffer.byteLength(cut) <= MAX_BYTES ? cut : JSON.stringify({ details: { cut: true } });
}
