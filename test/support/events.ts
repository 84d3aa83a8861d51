import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';
import { inStoreOf } from './store.ts';

/** An event as the API shows it. */
export interface ShownEvent {
  readonly id: string;
  readonly position: number;
  readonly time: string;
  readonly type: string;
  readonly outcome: 'done' | 'refused';
  readonly error: string | null;
  readonly actor: Readonly<Record<string, string | null>>;
  readonly target: Readonly<Record<string, string | null>>;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly restricted?: Readonly<Record<string, unknown>>;
  readonly hash: string;
  readonly links: { readonly self: string };
}

/** Waits until every committed event of the store of a data folder has its position. */
export function sealed(dataDir: string): Promise<true> {
  return eventually(async () => {
    const rows = await inStoreOf(dataDir, 'select id from event_queue limit 1');
    return rows.length === 0 ? true : undefined;
  });
}

/** The newest events that a token shows, up to 1,000, once all that are committed are sealed. */
export async function eventsOf(
  service: TestService,
  query = '',
  token: string = service.admin,
): Promise<readonly ShownEvent[]> {
  await sealed(service.dataDir);
  const { status, json, text } = await service.request('GET', `/v2/events?limit=1000${query}`, { token });
  if (status !== 200) throw new Error(text);
  return json.events;
}

/** The newest refusal of a type, once it is written. */
export function refusalOf(service: TestService, type: string, token?: string): Promise<ShownEvent> {
  return eventually(async () => (await eventsOf(service, `&type=refused.${type}`, token))[0]);
}
