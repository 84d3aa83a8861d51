/** The parts of the resources, combined for the catalogues that contain them. */
import type { EventSerializer } from './events/event-serializer.ts';
import type { ResourcePorts, RuleDefinition } from './resource-part.ts';
import * as resources from './resources.ts';

type Resources = typeof resources;
type AnyResource = Resources[keyof Resources];

/** The keys of every object of a union. */
type KeysOf<T> = T extends unknown ? keyof T : never;

type ResourceRule = KeysOf<AnyResource['rules']>;
type ResourceError = KeysOf<AnyResource['errors']>;
type ResourceEvent = KeysOf<AnyResource['events']>;

/** The serializer of one type of event. */
type SerializerOf<T extends ResourceEvent> = Extract<AnyResource['events'], Readonly<Record<T, unknown>>>[T];

/** The data of each type of event of the resources. */
export type ResourceEventData = {
  readonly [T in ResourceEvent]: SerializerOf<T> extends EventSerializer<infer Data> ? Data : never;
};

/** What the store reads outside of transactions, by the name of the resource. */
export type ResourceReads = {
  readonly [N in keyof Resources]: Resources[N]['ports'] extends ResourcePorts<infer Reads, unknown>
    ? Reads
    : never;
};

/** What the store does in a transaction, by the name of the resource. */
export type ResourceWrites = {
  readonly [N in keyof Resources]: Resources[N]['ports'] extends ResourcePorts<unknown, infer Writes>
    ? Writes
    : never;
};

/** One part of every resource, as one object. */
function combined<K extends string, V>(
  parts: readonly Readonly<Record<string, V>>[],
): Readonly<Record<K, V>> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part))) as Record<K, V>;
}

const ALL = Object.values(resources);

export const RESOURCE_RULES = combined<ResourceRule, RuleDefinition>(ALL.map(({ rules }) => rules));
export const RESOURCE_RULE_NAMES = Object.keys(RESOURCE_RULES) as ResourceRule[];
export const RESOURCE_ERRORS = combined<ResourceError, string>(ALL.map(({ errors }) => errors));
export const RESOURCE_EVENTS = combined<ResourceEvent, EventSerializer<never>>(
  ALL.map(({ events }) => events),
) as { readonly [T in ResourceEvent]: SerializerOf<T> };
