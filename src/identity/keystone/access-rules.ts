/** What an application credential may be used for. */
export interface AccessRule {
  /** The type of a service, as the catalogue has it. */
  readonly service: string;
  readonly method: string;
  readonly path: string;
}

/** A piece of a rule's path: some characters other than a slash, any characters at all, or this one character. */
type PathPiece =
  | { readonly kind: 'segment' | 'anything' }
  | { readonly kind: 'character'; readonly text: string };

/** No path of the service is as long. */
const LONGEST_PATH = 1024;

const PIECE = /\*\*|\*|\{[^}]*\}|./gsu;

function pieceOf(text: string): PathPiece {
  if (text === '**') return { kind: 'anything' };
  if (text === '*' || (text.length > 1 && text.startsWith('{'))) return { kind: 'segment' };
  return { kind: 'character', text };
}

/** Marks the places that are reached without another character. */
function passOver(reached: boolean[], pieces: readonly PathPiece[]): void {
  for (const [at, { kind }] of pieces.entries()) {
    if (kind === 'anything' && reached[at]) reached[at + 1] = true;
  }
}

/** How many places further one more character leads from the place before a piece. */
function stepsOver(piece: PathPiece, character: string): readonly number[] {
  if (piece.kind === 'character') return piece.text === character ? [1] : [];
  return piece.kind === 'anything' || character !== '/' ? [0, 1] : [];
}

/** The places reached by one more character. */
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
 * Whether a path is one that a rule means: `*` and `{tag}` are some characters without a slash, `**` any characters, every
 * other character itself. The work is bounded by the product of both lengths.
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

/** Whether one of the rules allows the operation. */
export function isAllowed(
  rules: readonly AccessRule[],
  service: string,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  return rules.some(
    (rule) => rule.service === service && rule.method === method && pathMatches(rule.path, path),
  );
}
