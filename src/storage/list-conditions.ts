import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '../domain/acts/scope.ts';

type Condition = RawBuilder<boolean>;

/** The condition that a text matches the filter: `*` stands for any text, everything else is literal. */
export function matchesFilter(value: RawBuilder<unknown>, text: string): Condition {
  if (!text.includes('*')) return sql<boolean>`${value} = ${text}`;
  const like = text.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');
  return sql<boolean>`${value} like ${like} escape '\\'`;
}

/** The filter on a column, or on an expression. */
export function filterOn(value: string | RawBuilder<unknown>): (text: string) => Condition {
  const expression = typeof value === 'string' ? sql.ref(value) : value;
  return (text) => matchesFilter(expression, text);
}

/** Which rows belong to a scope, by the column of their project. */
export function inScope(scope: Scope, owner = 'project_id'): Condition {
  return scope === 'all projects' ? sql`true` : sql<boolean>`${sql.ref(owner)} = ${scope.projectId}`;
}
