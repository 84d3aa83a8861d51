import { LimitNode, type OperationNodeSource, SqliteQueryCompiler, ValueNode } from 'kysely';

/** The limit of a statement that is written as text. */
export function limitTo(rows: number): OperationNodeSource {
  return { toOperationNode: () => LimitNode.create(ValueNode.create(rows)) };
}

/**
 * Writes limits into the text. SQLite plans a statement for the value of its limit: where that is a parameter, anew each
 * time that the statement runs, which takes as long as to read a page.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const rows = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (typeof rows === 'number' && Number.isSafeInteger(rows)) this.append(`limit ${rows}`);
    else super.visitLimit(node);
  }
}
