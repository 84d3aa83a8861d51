/** Guardrails: named checks on a zone after a write. */

export const GUARDRAIL_MODES = ['off', 'warn', 'refuse'] as const;
export type GuardrailMode = (typeof GUARDRAIL_MODES)[number];

/** What each guardrail catches. */
export const GUARDRAIL_DESCRIPTIONS = {
  in_use:
    'Deletes the last A and AAAA of a name that a CNAME, MX, SRV, NS, SVCB or HTTPS of the project points at.',
  dangling_target:
    'Points a CNAME, MX, SRV, NS, SVCB or HTTPS at a name inside a zone of the project that has nothing at that name, and no wildcard that covers it.',
  lame_delegation:
    "Delegates a child to this service's own name servers, while the project has no zone of that name here.",
  mass_deletion:
    'Deletes more than half of the recordsets of a zone that has at least 20, in a set of changes.',
  mail_policy:
    'Leaves more than one SPF record at a name, an SPF or DMARC record that does not parse, or a CNAME at a name that an MX of the project points at.',
} as const satisfies Record<string, string>;

export type GuardrailName = keyof typeof GUARDRAIL_DESCRIPTIONS;

export const GUARDRAIL_NAMES = Object.keys(GUARDRAIL_DESCRIPTIONS) as readonly GuardrailName[];

/** The mode of each guardrail. */
export type GuardrailModes = Readonly<Record<GuardrailName, GuardrailMode>>;

/** The modes that a zone has of its own; for the others it has the defaults of the service. */
export type OwnModes = Partial<GuardrailModes>;

/** Changes to the modes of a zone; null for the default. */
export type ModeChanges = { readonly [N in GuardrailName]?: GuardrailMode | null | undefined };

export interface GuardrailWarning {
  readonly guardrail: GuardrailName;
  readonly message: string;
}

/** A write that a guardrail does not like. */
export interface GuardrailFinding extends GuardrailWarning {
  readonly mode: Exclude<GuardrailMode, 'off'>;
  /** The index of the part that it concerns; undefined if it concerns the whole change. */
  readonly part: number | undefined;
}

/** What the guardrails made of a write that goes ahead, for its response and its event. */
export interface GuardrailOutcome {
  /** Includes the findings that were overridden. */
  readonly warnings: readonly GuardrailWarning[];
  /** Guardrails that would have refused the write. */
  readonly overrides: readonly GuardrailName[];
}

export const NO_FINDINGS: GuardrailOutcome = { warnings: [], overrides: [] };

/** The modes in force in a zone. */
export function modesInForce(own: OwnModes | null, defaults: GuardrailModes): GuardrailModes {
  return own === null ? defaults : { ...defaults, ...own };
}

/** The zone's own modes after a change; null if it has none. */
export function changedModes(own: OwnModes | null, changes: ModeChanges): OwnModes | null {
  const modes = Object.entries({ ...own, ...changes }).filter(([, mode]) => mode != null);
  return modes.length === 0 ? null : (Object.fromEntries(modes) as OwnModes);
}

export function isGuardrailName(text: string): text is GuardrailName {
  return Object.hasOwn(GUARDRAIL_DESCRIPTIONS, text);
}

/** The parts of an outcome that have something to say. */
export function shownOutcome({ warnings, overrides }: GuardrailOutcome): Partial<GuardrailOutcome> {
  return {
    ...(warnings.length > 0 && { warnings }),
    ...(overrides.length > 0 && { overrides }),
  };
}
