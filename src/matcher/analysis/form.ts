import type { AnchorKind, CharSet, Node } from '../ast.ts';

/**
 * A pattern reduced to what decides which strings it matches: groups and greediness are gone. Anything that cannot be
 * expressed here (look-around, references, word boundaries, …) is replaced by something that matches more; `exact` is
 * then false.
 */
export type Form =
  | { readonly kind: 'set'; readonly chars: CharSet }
  | { readonly kind: 'sequence'; readonly items: readonly Form[] }
  | { readonly kind: 'alternatives'; readonly options: readonly Form[] }
  | { readonly kind: 'repeat'; readonly body: Form; readonly min: number; readonly max: number }
  | { readonly kind: 'mark'; readonly at: AnchorMark }
  /** A positive look-ahead: the literals of its body must occur in the text, too. */
  | { readonly kind: 'also'; readonly body: Form };

/** The start of the text; its very end; its end or just before a final newline. */
export type AnchorMark = 'start' | 'end' | 'finalEnd';

export interface Simplified {
  readonly form: Form;
  readonly exact: boolean;
}

const NOTHING: Form = { kind: 'sequence', items: [] };
const ANYTHING: Form = { kind: 'repeat', body: { kind: 'set', chars: [0, 0x10ffff] }, min: 0, max: Infinity };

const MARKS: Partial<Record<AnchorKind, AnchorMark>> = {
  textStart: 'start',
  textEnd: 'end',
  textEndOrFinalNewline: 'finalEnd',
};

export function simplify(root: Node): Simplified {
  const simplifier = new Simplifier();
  const form = simplifier.form(root);
  return { form, exact: simplifier.exact };
}

class Simplifier {
  exact = true;

  form(node: Node): Form {
    switch (node.kind) {
      case 'empty':
        return NOTHING;
      case 'set':
        return node;
      case 'sequence':
        return this.sequence(node.items);
      case 'alternatives':
        return this.alternatives(node.options);
      case 'group':
        return this.form(node.body);
      case 'repeat':
        if (node.mode === 'possessive') this.exact = false;
        return repeat(this.form(node.body), node.min, node.max);
      default:
        return this.inexact(node);
    }
  }

  private inexact(node: Node): Form {
    if (node.kind === 'anchor' && MARKS[node.at] !== undefined) return { kind: 'mark', at: MARKS[node.at]! };
    this.exact = false;
    if (node.kind === 'atomic') return this.form(node.body);
    if (node.kind === 'look' && !node.negative && !node.behind)
      return { kind: 'also', body: this.form(node.body) };
    if (node.kind === 'backreference') return ANYTHING;
    if (node.kind === 'conditional') return this.alternatives([node.yes, node.no]);
    return NOTHING;
  }

  private sequence(nodes: readonly Node[]): Form {
    const items: Form[] = [];
    for (const node of nodes) {
      const form = this.form(node);
      if (form.kind === 'sequence') items.push(...form.items);
      else items.push(form);
    }
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  }

  private alternatives(nodes: readonly Node[]): Form {
    const options: Form[] = [];
    for (const node of nodes) {
      const form = this.form(node);
      if (form.kind === 'alternatives') options.push(...form.options);
      else options.push(form);
    }
    const solid = options.filter((option) => !isNothing(option));
    if (solid.length === options.length) return choice(options);
    return solid.length === 0 ? NOTHING : repeat(choice(solid), 0, 1);
  }
}

function choice(options: readonly Form[]): Form {
  return options.length === 1 ? options[0]! : { kind: 'alternatives', options };
}

function repeat(body: Form, min: number, max: number): Form {
  if (max === 0 || isNothing(body)) return NOTHING;
  if (min === 1 && max === 1) return body;
  return { kind: 'repeat', body, min, max };
}

export function isNothing(form: Form): boolean {
  return form.kind === 'sequence' && form.items.length === 0;
}

export function itemsOf(form: Form): readonly Form[] {
  return form.kind === 'sequence' ? form.items : [form];
}

export function optionsOf(form: Form): readonly Form[] {
  return form.kind === 'alternatives' ? form.options : [form];
}
