import { foldSet } from './analysis/fold.ts';
import type { CharSet, Node } from './ast.ts';

/** A way of writing a literal that no name contains. */
export type Misspelling =
  /** A letter and a combining mark, where names have one composed letter. */
  | 'decomposed'
  /** A full-width letter, a ligature or similar, where names have plain letters. */
  | 'compatibility'
  /** An A-label next to a U-label: in each form of a name, all labels are of one kind. */
  | 'mixed';

const NOT_ASCII = /[^\0-\x7f]/;

/** The ways in which literals of a pattern differ from every form of a name. */
export function misspellingsIn(root: Node): Set<Misspelling> {
  const found = new Set<Misspelling>();
  for (const literal of literalsIn(root)) {
    if (!NOT_ASCII.test(literal)) continue;
    const composed = literal.normalize('NFC');
    if (composed !== literal) found.add('decomposed');
    if (composed.normalize('NFKC') !== composed) found.add('compatibility');
    const labels = literal.split('.');
    if (labels.some((label) => label.startsWith('xn--')) && labels.some((label) => NOT_ASCII.test(label))) {
      found.add('mixed');
    }
  }
  return found;
}

/** The folded runs of single characters. Any other item ends a run. */
function literalsIn(root: Node): readonly string[] {
  const runs = new LiteralRuns();
  runs.visit(root);
  return runs.literals;
}

class LiteralRuns {
  readonly literals = [''];

  visit(node: Node): void {
    switch (node.kind) {
      case 'set':
        this.add(node.chars);
        break;
      case 'sequence':
        node.items.forEach((item) => {
          this.visit(item);
        });
        break;
      case 'group':
      case 'atomic':
        this.visit(node.body);
        break;
      case 'empty':
      case 'anchor':
        break;
      default:
        this.visitApart(node);
    }
  }

  private add(chars: CharSet): void {
    const codes = foldSet(chars, 1)?.codes;
    if (codes?.length === 1) this.literals[this.literals.length - 1] += String.fromCodePoint(codes[0]!);
    else this.literals.push('');
  }

  private visitApart(node: Node): void {
    for (const part of partsOf(node)) {
      this.literals.push('');
      this.visit(part);
    }
    this.literals.push('');
  }
}

function partsOf(node: Node): readonly Node[] {
  if (node.kind === 'alternatives') return node.options;
  if (node.kind === 'conditional') return [node.yes, node.no];
  return node.kind === 'repeat' || node.kind === 'look' ? [node.body] : [];
}
