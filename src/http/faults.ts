import type { TSchema } from 'typebox';
import type { Fault } from '../domain/errors.ts';

/** How many faults of one body are told, at most: an answer shall not be many times as large as the body. */
const MOST_FAULTS = 100;

/** The part of JSON Schema that the bodies here are described in. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  /** What the value of any other key is. */
  readonly additionalProperties?: Shape | false;
  readonly items?: Shape;
  readonly '~refine'?: readonly {
    readonly check: (value: unknown) => boolean;
    readonly error: (value: unknown) => string;
  }[];
}

const UNKNOWN_KEY = 'This key is unknown here, or cannot be written. Leave it out.';

type Path = readonly string[];
type Faults = Iterable<Fault>;

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function* numberFaults({ minimum, maximum }: Shape, value: number, path: Path): Faults {
  if (minimum !== undefined && value < minimum)
    yield { path, message: `Give a number of at least ${minimum}.` };
  if (maximum !== undefined && value > maximum)
    yield { path, message: `Give a number of at most ${maximum}.` };
}

function* memberFaults(shape: Shape, value: Readonly<Record<string, unknown>>, path: Path): Faults {
  const { required = [], properties = {}, additionalProperties = {} } = shape;
  for (const key of required) {
    if (!Object.hasOwn(value, key)) yield { path: [...path, key], message: 'This key is required.' };
  }
  for (const [key, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key]! : additionalProperties;
    if (known !== false) yield* faultsAt(known, member, [...path, key]);
    else yield { path: [...path, key], message: UNKNOWN_KEY };
  }
}

function* innerFaults(shape: Shape, value: unknown, path: Path): Faults {
  if (typeof value === 'number') yield* numberFaults(shape, value, path);
  else if (Array.isArray(value)) {
    if (shape.items === undefined) return;
    for (const [at, item] of value.entries()) yield* faultsAt(shape.items, item, [...path, String(at)]);
  } else if (typeof value === 'object' && value !== null) {
    yield* memberFaults(shape, value as Record<string, unknown>, path);
  }
}

function* faultsAt(shape: Shape, value: unknown, path: Path): Faults {
  const types = typeof shape.type === 'string' ? [shape.type] : (shape.type ?? []);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    yield { path, message: `Give a value of type ${types.join(' or ')}.` };
    return;
  }
  yield* innerFaults(shape, value, path);
  for (const { check, error } of shape['~refine'] ?? []) {
    if (!check(value)) yield { path, message: error(value) };
  }
}

/** What is wrong with a value by its shape, each fault where it is: the first hundred, and a word on the rest. */
export function faultsOf(schema: TSchema, value: unknown): Fault[] {
  const faults: Fault[] = [];
  for (const fault of faultsAt(schema as Shape, value, [])) {
    if (faults.length === MOST_FAULTS) {
      return [...faults, { path: [], message: `The faults after the first ${MOST_FAULTS} are not told.` }];
    }
    faults.push(fault);
  }
  return faults;
}
