import type { ParsedPattern } from '../ast.ts';
import { locateCode } from './backtrack.ts';
import type { StepBudget } from './budget.ts';
import { compileInstructions } from './instructions.ts';
import { Membership } from './membership.ts';
import { locateMemoised } from './memo.ts';
import { compileBacktracking } from './opcodes.ts';
import { isRegular } from './shapes.ts';
import type { Text, TextSpan } from './text.ts';

/** The match that `re.search` finds: the leftmost one, ending where greedy and lazy repeats lead. */
export function spanOf(
  pattern: ParsedPattern,
  text: Text,
  budget: StepBudget,
): TextSpan | 'miss' | 'exhausted' {
  const { root } = pattern;
  const instructions = isRegular(root) ? compileInstructions(root, 0) : undefined;
  if (instructions !== undefined) {
    return locateMemoised(instructions, new Membership(instructions.sets), text, budget);
  }
  const code = compileBacktracking(pattern);
  return locateCode(code, new Membership(code.sets), text, budget);
}
