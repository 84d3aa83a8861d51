import type { EventSerializer } from './events/event-serializer.ts';

/** A rule of the policy: the operations that it guards, and its default. */
export interface RuleDefinition {
  /** Empty for a rule that guards no operation of its own. */
  readonly operations: readonly string[];
  /** In oslo.policy's rule language. */
  readonly default: string;
  readonly description: string;
  /** What the rule is asked about, if it may use that as a target: `recordset` includes its zone. */
  readonly knows?: 'zone' | 'recordset';
}

/** The types of the ports of a resource: what the store has for it, outside of transactions and in one. */
export interface ResourcePorts<Reads, Writes> {
  /** Never set: only its type is used. */
  readonly reads?: Reads;
  /** Never set: only its type is used. */
  readonly writes?: Writes;
}

/** What a resource adds to the model. Its name in `resources.ts` is that of its ports and of its use cases. */
export interface ResourcePart {
  /** Rules of the policy, by name. */
  readonly rules: Readonly<Record<string, RuleDefinition>>;
  /** Default messages of its refusals, by kind: the kind gives the status, 404 or 409. */
  readonly errors: Readonly<Record<`${string}_not_found` | `duplicate_${string}`, string>>;
  /** Types of events, such as `tld.created`. The parameter of `contents` is the data of the event. */
  readonly events: Readonly<Record<string, EventSerializer<never>>>;
  readonly ports: ResourcePorts<unknown, unknown>;
}

/** Names the types of the ports of a resource. */
export function portsOf<Reads, Writes>(): ResourcePorts<Reads, Writes> {
  return {};
}
