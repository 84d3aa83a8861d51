import type { Node } from '../ast.ts';

/** True if a match may be empty. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'sequence':
      return node.items.every(isNullable);
    case 'alternatives':
      return node.options.some(isNullable);
    case 'group':
    case 'atomic':
      return isNullable(node.body);
    case 'repeat':
      return node.min === 0 || isNullable(node.body);
    default:
      return true;
  }
}

/** True if every match begins at the start of the text. */
export function isAnchored(node: Node): boolean {
  switch (node.kind) {
    case 'anchor':
      return node.at === 'textStart';
    case 'sequence':
      return node.items.length > 0 && isAnchored(node.items[0] as Node);
    case 'alternatives':
      return node.options.every(isAnchored);
    case 'group':
    case 'atomic':
      return isAnchored(node.body);
    default:
      return false;
  }
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'sequence':
      return node.items;
    case 'alternatives':
      return node.options;
    case 'group':
    case 'repeat':
    case 'atomic':
    case 'look':
      return [node.body];
    default:
      return [];
  }
}

/** True if a tree has no back-references and no conditionals. */
export function isRegular(node: Node): boolean {
  if (node.kind === 'backreference' || node.kind === 'conditional') return false;
  return childrenOf(node).every(isRegular);
}
