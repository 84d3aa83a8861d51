/** A rule as a tree with checks as leaves, in oslo.policy's syntax. */
import type { PolicyTarget, WrittenTarget } from '../model/access/policy.ts';
import { PolicyError, quoted } from './policy-error.ts';

export type CallerKey = 'projectId' | 'userId' | 'systemScope';

export type Term =
  | { readonly from: 'text'; readonly text: string }
  | { readonly from: 'caller'; readonly key: CallerKey }
  | { readonly from: 'target'; readonly key: Exclude<keyof PolicyTarget, 'shareScope'> }
  /** A value that no target has here: every comparison with it is false. */
  | { readonly from: 'nowhere' };

export type PolicyExpression =
  | { readonly kind: 'constant'; readonly value: boolean }
  /** `name` is in lower case. */
  | { readonly kind: 'role'; readonly name: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'equal'; readonly left: Term; readonly right: Term }
  | { readonly kind: 'not'; readonly body: PolicyExpression }
  | { readonly kind: 'and' | 'or'; readonly items: readonly PolicyExpression[] };

/** The caller properties that `kind:` can name; the names with "tenant" are from older policy files. */
const CALLER_KEYS = new Map<string, CallerKey>([
  ['project_id', 'projectId'],
  ['tenant_id', 'projectId'],
  ['tenant', 'projectId'],
  ['user_id', 'userId'],
  ['user', 'userId'],
  ['system_scope', 'systemScope'],
]);

/** Those of what is written or shown, which only some rules know. */
const WRITTEN = {
  recordset_type: 'recordsetType',
  recordset_name: 'recordsetName',
  zone_name: 'zoneName',
  zone_type: 'zoneType',
} as const satisfies Readonly<Record<string, keyof WrittenTarget>>;

const NAMES_OF_WRITTEN = new Map<keyof PolicyTarget, string>(
  Object.entries(WRITTEN).map(([name, key]) => [key, name]),
);

/** The target properties that `%(key)s` can name. */
const TARGET_TERMS = new Map<string, Term>([
  ['project_id', { from: 'target', key: 'projectId' }],
  ['tenant_id', { from: 'target', key: 'projectId' }],
  ['user_id', { from: 'target', key: 'userId' }],
  ['zone_shared', { from: 'target', key: 'zoneShared' }],
  ['recordset_project_id', { from: 'target', key: 'recordsetProjectId' }],
  ...Object.entries(WRITTEN).map(([name, key]): [string, Term] => [name, { from: 'target', key }]),
  // Designate's own defaults use it in rules whose other half applies here.
  ['all_tenants', { from: 'nowhere' }],
]);

const LITERAL = /^(?:'([^'"\\]*)'|"([^'"\\]*)"|(\d{1,15}|True|False|None))$/;
const SUBSTITUTION = /^%\(([^()%]+)\)s$/;

const IS_ADMIN: PolicyExpression = { kind: 'role', name: 'admin' };

export function isWrittenKey(key: keyof PolicyTarget): key is keyof WrittenTarget {
  return NAMES_OF_WRITTEN.has(key);
}

/** The name of a property in rules. */
export function nameOfWritten(key: keyof WrittenTarget): string {
  return NAMES_OF_WRITTEN.get(key)!;
}

function leftTerm(kind: string, where: string): Term {
  const key = CALLER_KEYS.get(kind);
  if (key !== undefined) return { from: 'caller', key };
  const [matched, ...texts] = LITERAL.exec(kind) ?? [];
  if (matched !== undefined) return { from: 'text', text: texts.find((text) => text !== undefined)! };
  const known = `role, rule, is_admin, ${[...CALLER_KEYS.keys()].join(', ')}, or a literal such as 'True'`;
  throw new PolicyError(where, `there is no check ${quoted(`${kind}:`)}: use ${known}.`);
}

function rightTerm(value: string, where: string): Term {
  const key = SUBSTITUTION.exec(value)?.[1];
  if (key === undefined) return { from: 'text', text: plainValue(value, where) };
  const term = TARGET_TERMS.get(key);
  if (term !== undefined) return term;
  const known = [...TARGET_TERMS.keys()].map((name) => `%(${name})s`).join(', ');
  throw new PolicyError(where, `a target has no ${quoted(key)}: use one of ${known}.`);
}

function plainValue(value: string, where: string): string {
  if (value !== '' && !/[%()'"]/.test(value)) return value;
  throw new PolicyError(where, `${quoted(value)} is not a value: write a plain word, or only %(key)s.`);
}

function adminCheck(value: string, where: string): PolicyExpression {
  if (value === 'True') return IS_ADMIN;
  if (value === 'False') return { kind: 'not', body: IS_ADMIN };
  throw new PolicyError(where, `is_admin is True or False, not ${quoted(value)}.`);
}

/**
 * Parses one check: `@`, `!`, or `kind:value`.
 * @throws PolicyError
 */
export function parseCheck(text: string, where: string): PolicyExpression {
  if (text === '@' || text === '!') return { kind: 'constant', value: text === '@' };
  const colon = text.indexOf(':');
  if (colon === -1) {
    throw new PolicyError(
      where,
      `${quoted(text)} is not a check: write @, ! or kind:value, such as role:admin.`,
    );
  }
  const kind = text.slice(0, colon);
  const value = text.slice(colon + 1);
  if (kind === 'role') return { kind: 'role', name: plainValue(value, where).toLowerCase() };
  if (kind === 'rule') return { kind: 'rule', name: plainValue(value, where) };
  if (kind === 'is_admin') return adminCheck(value, where);
  return { kind: 'equal', left: leftTerm(kind, where), right: rightTerm(value, where) };
}

/** The names of all rules that an expression refers to, or of all roles that it uses. */
export function namesIn(expression: PolicyExpression, kind: 'rule' | 'role'): string[] {
  switch (expression.kind) {
    case 'rule':
    case 'role':
      return expression.kind === kind ? [expression.name] : [];
    case 'not':
      return namesIn(expression.body, kind);
    case 'and':
    case 'or':
      return expression.items.flatMap((item) => namesIn(item, kind));
    default:
      return [];
  }
}
