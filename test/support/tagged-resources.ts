/** The kinds of resources that have ETags, each with what the tests do to one of them. */

/** What came back, as far as it matters here. */
interface Shown {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly json: any;
}

type Conditions = Readonly<Record<string, string>>;
/** How to ask a service, or one of several on one store. */
type Ask<A> = (method: string, path: string, body?: unknown, headers?: Conditions) => Promise<A>;

export interface TaggedResource<A extends Shown = Shown> {
  readonly path: string;
  /** The answer to its creation; none for quotas. */
  readonly made?: A;
  get(headers?: Conditions): Promise<A>;
  change(body: unknown, headers?: Conditions): Promise<A>;
  remove(headers?: Conditions): Promise<A>;
}

export const KINDS = ['zone', 'recordset', 'blacklist', 'quotas'] as const;

export interface TaggedKind<A extends Shown = Shown> {
  readonly method: 'PATCH' | 'PUT';
  make(): Promise<TaggedResource<A>>;
  /** A body that changes it, another one for each number. */
  body(number: number): object;
  /** The number that the last such body wrote. */
  numberIn(shown: Readonly<Record<string, unknown>>): number;
  /** A path of the same form where nothing is; quotas are everywhere. */
  readonly unknown: string | undefined;
}

const NOBODY = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';

const described = {
  body: (number: number) => ({ description: String(number) }),
  numberIn: ({ description }: Readonly<Record<string, unknown>>) => Number(description ?? 0),
};

/**
 * The four kinds.
 * @param member asks for a project that may have all the zones it needs
 * @param admin asks as an administrator
 */
export function taggedKinds<A extends Shown>(
  member: Ask<A>,
  admin: Ask<A>,
): Readonly<Record<(typeof KINDS)[number], TaggedKind<A>>> {
  let count = 0;
  const resource = (ask: Ask<A>, method: 'PATCH' | 'PUT', path: string, made?: A): TaggedResource<A> => ({
    path,
    ...(made === undefined ? {} : { made }),
    get: (headers) => ask('GET', path, undefined, headers),
    change: (body, headers) => ask(method, path, body, headers),
    remove: (headers) => ask('DELETE', path, undefined, headers),
  });
  const makeZone = (): Promise<A> =>
    member('POST', '/v2/zones', { name: `tagged-${++count}.example.`, email: 'host@example.org' });
  return {
    zone: {
      ...described,
      method: 'PATCH',
      unknown: `/v2/zones/${NOBODY}`,
      async make() {
        const made = await makeZone();
        return resource(member, 'PATCH', `/v2/zones/${made.json.id}`, made);
      },
    },
    recordset: {
      ...described,
      method: 'PUT',
      unknown: `/v2/zones/${NOBODY}/recordsets/${NOBODY}`,
      async make() {
        const { id, name } = (await makeZone()).json;
        const path = `/v2/zones/${id}/recordsets`;
        const made = await member('POST', path, { name, type: 'A', records: ['192.0.2.1'] });
        return resource(member, 'PUT', `${path}/${made.json.id}`, made);
      },
    },
    blacklist: {
      ...described,
      method: 'PATCH',
      unknown: `/v2/blacklists/${NOBODY}`,
      async make() {
        // The pattern is warned of.
        const made = await admin('POST', '/v2/blacklists', { pattern: `tagged-${++count}.forbidden` });
        return resource(admin, 'PATCH', `/v2/blacklists/${made.json.id}`, made);
      },
    },
    quotas: {
      body: (number) => ({ zones: number }),
      numberIn: ({ zones }) => Number(zones),
      method: 'PATCH',
      unknown: undefined,
      make: async () => resource(admin, 'PATCH', `/v2/quotas/project-${++count}`),
    },
  };
}

/** The ETag of an answer; empty if it has none. */
export function etagIn({ headers }: Pick<Shown, 'headers'>): string {
  return headers.get('etag') ?? '';
}

/** One more, by a client that reads what is there, and begins anew if it is not that any more. */
async function countOne({ body, numberIn }: TaggedKind, { get, change }: TaggedResource): Promise<void> {
  for (;;) {
    const read = await get();
    const { status, json } = await change(body(numberIn(read.json) + 1), { 'if-match': etagIn(read) });
    if (status < 300) return;
    if (status !== 412) throw new Error(`The change was answered ${status}: ${JSON.stringify(json)}`);
  }
}

/** Lets clients count on one resource, all at the same time, and returns how far they came. */
export async function countTogether(kind: TaggedKind, clients: number): Promise<number> {
  const resource = await kind.make();
  await resource.change(kind.body(0));
  await Promise.all(Array.from({ length: clients }, () => countOne(kind, resource)));
  return kind.numberIn((await resource.get()).json);
}
