import type { Ledger } from './ledger.ts';

function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? String(cell).padEnd(widths[0]!) : String(cell).padStart(widths[column]!),
      )
      .join('  '),
  );
  return `${lines.join('\n')}\n`;
}

/** What a run came to. */
export function report(store: string, seed: number, ledger: Ledger): string {
  const operations = [...ledger.operations].sort(([one], [two]) => (one < two ? -1 : 1));
  const sum = (field: 'sent' | 'done' | 'refused' | 'unknown') =>
    operations.reduce((total, [, one]) => total + one[field], 0);
  const seconds = (ledger.now() / 1000).toFixed(0);
  return [
    `${store}, seed ${seed}: ${seconds} s, ${ledger.kills} kills, slowest response ${ledger.slowest.toFixed(0)} ms\n`,
    table([
      ['operation', 'sent', 'acknowledged', 'refused', 'unknown'],
      ...operations.map(([kind, { sent, done, refused, unknown }]) => [kind, sent, done, refused, unknown]),
      ['all', sum('sent'), sum('done'), sum('refused'), sum('unknown')],
    ]),
    table([['failure', 'times'], ...[...ledger.injuries].sort(([one], [two]) => (one < two ? -1 : 1))]),
    ...(ledger.figures.size === 0 ? [] : [table([['name servers', ''], ...ledger.figures])]),
    table([
      ['check', 'looked', 'faults'],
      ...[...ledger.checks].map(([check, { looked, faults }]) => [check, looked, faults]),
    ]),
  ].join('\n');
}
