/** A zone as a client sees it that sends sets of changes. */
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../test/support/change-sets.ts';
import { within } from './draw.ts';

export interface SetAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a trial looks into whatever came back
  readonly json: any;
  readonly text: string;
}

export type Ask = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Readonly<Record<string, string>>,
) => Promise<SetAnswer>;

const PAUSE_MS = 50;

/** What must hold does not. */
export class Violation extends Error {}

export function requireEqual(what: string, found: unknown, wanted: unknown, about: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return;
  const parts = { found, wanted, about };
  throw new Violation(`${what}: ${JSON.stringify(parts, undefined, 1)}`);
}

export class SetZone {
  readonly #ask: Ask;
  readonly id: string;
  readonly name: string;

  private constructor(ask: Ask, id: string, name: string) {
    this.#ask = ask;
    this.id = id;
    this.name = name;
  }

  static async create(ask: Ask, name: string): Promise<SetZone> {
    const { status, json, text } = await ask('POST', '/v2/zones', { name, email: 'a@example.org' });
    if (status !== 202) throw new Error(`${name}: ${status} ${text}`);
    return new SetZone(ask, json.id, name);
  }

  /** Sends it again while the service is too busy: with 503, nothing has been done. */
  async #answered(...request: Parameters<Ask>): Promise<SetAnswer> {
    const answer = await this.#ask(...request);
    if (answer.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return this.#answered(...request);
    }
    if (answer.status >= 500)
      throw new Violation(`${request[0]} ${request[1]}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** @param changes of a zone called `@` */
  send(changes: readonly Change[], members: object = {}): Promise<SetAnswer> {
    return this.#answered('POST', `/v2/zones/${this.id}/changes`, {
      changes: within(changes, this.name),
      ...members,
    });
  }

  /** The zone file without its SOA, of a zone called `@`. */
  async file(): Promise<string> {
    const path = `/v2/zones/${this.id}/contents`;
    const { text } = await this.#answered('GET', path, undefined, { accept: 'text/dns' });
    const lines = text.split('\n').filter((line) => !/\sIN\sSOA\s/.test(line));
    return lines.join('\n').replaceAll(this.name, '@');
  }

  async makeLike(file: string): Promise<SetAnswer> {
    const text = file.replaceAll('@', this.name);
    return this.#answered('PUT', `/v2/zones/${this.id}/contents`, text, { 'content-type': 'text/dns' });
  }

  async states(): Promise<ReadonlyMap<string, unknown>> {
    const { json } = await this.#answered('GET', `/v2/zones/${this.id}/contents`);
    return new Map(
      json.recordsets.map(({ name, type, ...state }: Record<string, unknown>) => [`${name} ${type}`, state]),
    );
  }

  restore(serial: number): Promise<SetAnswer> {
    return this.#answered('POST', `/v2/zones/${this.id}/restore`, { serial });
  }

  revert(changeId: string): Promise<SetAnswer> {
    return this.#answered('POST', `/v2/zones/${this.id}/changes/${changeId}/revert`, {});
  }
}
