import pg from 'pg';
import { freshName } from './load.ts';
import { type RoundTrip, recorderOf } from './statements.ts';
import type { Tenant } from './tenants.ts';

/** More than any of them creates. */
const MAX_A_SECOND = 4000;

type TokenRow = Parameters<typeof recorderOf>[0]['row'];

const idOf = ({ token }: Tenant) => token.split('_')[1]!;

async function tokenRowsOf(url: string, tenants: readonly Tenant[]): Promise<ReadonlyMap<string, TokenRow>> {
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  try {
    const { rows } = await reader.query('select * from api_tokens where id = any($1)', [tenants.map(idOf)]);
    return new Map(rows.map((row) => [row.id, row]));
  } finally {
    await reader.end();
  }
}

/** The statements of creates for some seconds, by tenants in turn. */
export type RecordedCreates = (seconds: number) => Promise<Iterator<readonly RoundTrip[]>>;

/** The creates of tenants, each as if it came alone, made ahead of the time that is taken. */
export async function recordedCreates(url: string, tenants: readonly Tenant[]): Promise<RecordedCreates> {
  const rows = await tokenRowsOf(url, tenants);
  const recorders = tenants.map((tenant) => recorderOf({ text: tenant.token, row: rows.get(idOf(tenant))! }));
  return async (seconds) => {
    const creates: (readonly RoundTrip[])[] = [];
    const wanted = Math.ceil(seconds * MAX_A_SECOND);
    for (let number = 0; number < wanted; number++) {
      creates.push(await recorders[number % recorders.length]!(freshName()));
    }
    return creates[Symbol.iterator]();
  };
}
