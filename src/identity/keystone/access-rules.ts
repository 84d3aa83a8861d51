/** One operation that an application credential is restricted to. */
export interface AccessRule {
  /** Service type, as in the catalogue. */
  readonly service: string;
  readonly method: string;
  readonly path: string;
}

/** A piece of a rule's path: characters other than a slash, any characters, or one literal character. */
type PathPiece =
  | { readonly kind: 'segment' | 'anything' }
  | { readonly kind: 'character'; readonly text: string };

/** Longer than any path of this API. */
const LONGEST_PATH = 1024;

const PIECE = /\*\*|\*|\{[^}]*\}|./gsu;

function pieceOf(text: string): PathPiece {
  if (text === '**') return { kind: 'anything' };
  if (text === '*' || (text.length > 1 && text.startsWith('{'))) return { kind: 'segment' };
  return { kind: 'character', text };
}

/** Marks the positions that are reachable without consuming a character. */
function passOver(reached: boolean[], pieces: readonly PathPiece[]): void {
  for (const [at, { kind }] of pieces.entries()) {
    if (kind === 'anything' && reached[at]) reached[at + 1] = true;
  }
}

/** The offsets by which a character can advance the position in front of a piece. */
function stepsOver(piece: PathPiece, character: string): readonly number[] {
  if (piece.kind === 'character') return piece.text === character ? [1] : [];
  return piece.kind === 'anything' || character !== '/' ? [0, 1] : [];
}

/** The positions reachable after one more character. */
function step(reached: readonly boolean[], pieces: readonly PathPiece[], character: string): boolean[] {
  const next = new Array<boolean>(pieces.length + 1).fill(false);
  for (const [at, piece] of pieces.entries()) {
    if (!reached[at]) continue;
    for (const further of stepsOver(piece, character)) next[at + further] = true;
  }
  passOver(next, pieces);
  return next;
}

/**
 * True if a path matches a rule: `*` and `{tag}` match any characters except a slash, `**` matches any characters, and
 * every other character matches itself. The work is bounded by the product of both lengths.
 */
export function pathMatches(rule: string, path: string): boolean {
  if (path.length > LONGEST_PATH) return false;
  const pieces = (rule.match(PIECE) ?? []).map(pieceOf);
  let reached = new Array<boolean>(pieces.length + 1).fill(false);
  reached[0] = true;
  passOver(reached, pieces);
  for (const character of path) reached = step(reached, pieces, character);
  return reached[pieces.length]!;
}

/** True if one of the rules allows the operation. */
export function isAllowed(
  rules: readonly AccessRule[],
  service: string,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  return rules.some(
    (rule) => rule.service === service && rule.method === method && pathMatches(rule.path, path),
  );
}
