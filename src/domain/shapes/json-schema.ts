type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** The subset of JSON Schema (2020-12) used for bodies and responses. */
export interface JsonSchema extends About {
  readonly type: JsonType | readonly JsonType[];
  /** The name of a schema that several operations share; the API document describes it once. */
  readonly title?: string;
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
}

/** Schema details of a text. The parser of the text is authoritative. */
export interface About {
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
}
