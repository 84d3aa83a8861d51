/** Checks that stored JSON can be read. */
import { GUARDRAIL_MODES, isGuardrailName } from '../../model/guardrails/guardrail.ts';
import { TIMER_NAMES } from '../../model/zones/soa-timers.ts';

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function areSpellings(column: string | null): boolean {
  if (column === null) return true;
  const value = parsed(column);
  return isObject(value) && isTexts(Object.values(value));
}

export function areTimers(column: string | null): boolean {
  if (column === null) return true;
  const value = parsed(column);
  return isObject(value) && TIMER_NAMES.every((name) => Number.isInteger(value[name]));
}

/** Modes by the names of guardrails. */
export function areModes(column: string | null): boolean {
  if (column === null) return true;
  const value = parsed(column);
  const isMode = (mode: unknown) => GUARDRAIL_MODES.some((one) => one === mode);
  return (
    isObject(value) && Object.entries(value).every(([name, mode]) => isGuardrailName(name) && isMode(mode))
  );
}
