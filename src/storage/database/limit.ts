import { LimitNode, type OperationNodeSource, SqliteQueryCompiler, ValueNode } from 'kysely';

/** A limit for a statement that is written as text. */
export function limitTo(rows: number): OperationNodeSource {
  return { toOperationNode: () => LimitNode.create(ValueNode.create(rows)) };
}

/**
 * Writes limits as literals. SQLite plans a statement for the value of its limit: with a parameter it plans again on
 * every run, which takes as long as reading a page.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const rows = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (typeof rows === 'number' && Number.isSafeInteger(rows)) this.append(`limit ${rows}`);
    else super.visitLimit(node);
  }
}
