import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import { filteredName, hasWildcard } from '../../model/name-filter.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** True if a text matches the filter: `*` stands for any text, everything else is literal. */
export function matchesFilter(value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  if (!text.includes('*')) return sql<boolean>`${value} = ${text}`;
  const like = text.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');
  return sql<boolean>`${value} like ${like} escape '\\'`;
}

/** True if a name matches the filter: `*` stands for any text, `\*` for itself. */
export function matchesName(column: string, text: string): RawBuilder<boolean> {
  const name = sql.ref(column);
  if (!hasWildcard(text)) return sql<boolean>`${name} = ${filteredName(text)}`;
  const like = text.replace(/\\\*|\*+|[\\%_]/g, (part) => {
    if (part === '\\*') return '*';
    return part.startsWith('*') ? '%' : `\\${part}`;
  });
  return sql<boolean>`${name} like ${like} escape '\\'`;
}

/** The filter on a column of names. */
export function nameFilterOn(column: string): (text: string) => RawBuilder<boolean> {
  return (text) => matchesName(column, text);
}

/** The filter on a column, or on an expression. */
export function filterOn(value: string | RawBuilder<unknown>): (text: string) => RawBuilder<boolean> {
  const expression = typeof value === 'string' ? sql.ref(value) : value;
  return (text) => matchesFilter(expression, text);
}

/**
 * True for rows whose text is in the list. The list is one value, so that lists of any length share one statement
 * text: each text is prepared, and their number would be unlimited.
 */
export function isAmong(db: Kysely<Schema>, column: string, texts: readonly string[]): RawBuilder<boolean> {
  return dialectOf(db).isAmong(sql.ref(column), sql`${JSON.stringify(texts)}`);
}

/** True for rows that belong to a scope, by their project column. */
export function inScope(scope: Scope, owner = 'project_id'): RawBuilder<boolean> {
  return scope === 'all projects' ? sql`true` : sql<boolean>`${sql.ref(owner)} = ${scope.projectId}`;
}
