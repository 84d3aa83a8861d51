import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/**
 * The embedded database's index for finding zones by a part of their name. For PostgreSQL, the running service
 * creates the index.
 */
export async function nameSearch(db: Kysely<unknown>, { kind }: Dialect): Promise<void> {
  if (kind !== 'sqlite') return;
  for (const statement of [
    sql`create virtual table zone_names using fts5 (name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram')`,
    sql`insert into zone_names (zone_names, rank) values ('automerge', 0)`,
    sql`create table zone_names_changed (number integer primary key)`,
    sql`create table zone_search (up_to integer not null, is_complete integer not null)`,
    sql`insert into zone_search (up_to, is_complete) values (0, 0)`,
    // A new zone may reuse the row number of a removed one.
    sql`create trigger zone_names_added after insert on zones when new.rowid <= (select up_to from zone_search)
      begin insert or ignore into zone_names_changed (number) values (new.rowid); end`,
    sql`create trigger zone_names_removed after delete on zones when old.rowid <= (select up_to from zone_search)
      begin insert or ignore into zone_names_changed (number) values (old.rowid); end`,
    sql`create trigger zone_names_renamed after update of name on zones when new.name <> old.name
      and new.rowid <= (select up_to from zone_search)
      begin insert or ignore into zone_names_changed (number) values (new.rowid); end`,
  ]) {
    await statement.execute(db);
  }
}
