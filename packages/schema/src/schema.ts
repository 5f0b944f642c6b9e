import type { FieldError } from '@orch/machinery';

/**
 * The schema language: a kind is declared once with it, and everything else (decoding, defaulting, pruning,
 * validation, OpenAPI, Protobuf, tables, merge rules) is a projection. Declarations use neutral names; a projection
 * is built for one `Names`.
 */
export type Schema = ScalarSchema | StructSchema | ListSchema | MapSchema;

/**
 * - `int64` values past 2^53 are exact numbers (`JSON.rawJSON`), see machinery's JSON reader.
 * - `bytes` is base64 text in JSON; `time`, `microTime` and `duration` are strings.
 * - `quantity` keeps or canonicalises its text as the wire reference says.
 * - `object` is a free-form JSON object kept as it came (RawExtension, FieldsV1); `json` is any JSON value.
 */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'object'
  | 'json';

/** Constraints that a declaration can say by itself; anything else is a `Check`. */
export interface Constraints {
  /** Must be present and not empty. */
  readonly required?: boolean;
  readonly enum?: readonly string[];
  /** Name of a format of machinery's `formats` (`dns1123label`, `qualifiedName`, `portNumber`, `ip`, …). */
  readonly format?: string;
  readonly min?: number;
  readonly max?: number;
  readonly maxBytes?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Equal to the old value on update. */
  readonly immutable?: boolean;
  /** Lists: no two items with the same value of this member (`''`: of the item itself). */
  readonly uniqueBy?: string;
}

export interface ScalarSchema {
  readonly kind: 'scalar';
  readonly type: ScalarType;
}

export interface StructSchema {
  readonly kind: 'struct';
  /** Protobuf message and OpenAPI definition, neutral: `core.v1.PodSpec`. */
  readonly name: string;
  readonly doc: string;
  /** In JSON order. */
  readonly fields: readonly Field[];
  /** `kind` and `apiVersion` come first in JSON. */
  readonly typeMeta?: boolean;
  readonly mapType?: 'atomic' | 'granular';
  /** Rules over several members, in the order in which their errors are reported. */
  readonly checks?: readonly Check[];
}

export interface ListSchema {
  readonly kind: 'list';
  readonly items: SchemaRef;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

export interface MapSchema {
  readonly kind: 'map';
  readonly values: SchemaRef;
  readonly mapType?: 'atomic' | 'granular';
  /** Format of the keys, as in `Constraints.format`. */
  readonly keyFormat?: string;
}

/** A schema, or a function that returns it where declarations refer to each other. */
export type SchemaRef = Schema | (() => Schema);

/**
 * How a member appears in JSON (and so in stored bytes):
 * - `optional`: omitted when it has its zero value (`''`, 0, false, empty list or map);
 * - `pointer`: omitted when absent, kept when zero;
 * - `always`: written even when zero: a struct as `{}`, a time, list or map as `null`, a scalar as its zero.
 */
export type Presence = 'optional' | 'pointer' | 'always';

export interface Field extends Constraints {
  /** JSON name, neutral. Empty with `inline`: the members of the struct merge into the parent. */
  readonly name: string;
  readonly inline?: boolean;
  /** Protobuf field number, and the Protobuf name when it differs from `name`. */
  readonly num: number;
  readonly protoName?: string;
  readonly schema: SchemaRef;
  readonly presence: Presence;
  readonly nullable?: boolean;
  /** Value taken when the member is absent, or zero for presence `optional`. A function sees the enclosing struct. */
  readonly default?: unknown | ((parent: Readonly<Record<string, unknown>>) => unknown);
  readonly doc: string;
  readonly deprecated?: string;
  /** Releases between which the member exists, and the feature gate that opens it before. */
  readonly since?: string;
  readonly until?: string;
  readonly gate?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

/** What a check may know beside the value itself. */
export interface CheckContext {
  /** Path of the struct, `''` at the root. */
  readonly path: string;
  /** The same struct before the update; undefined on create. */
  readonly old: Readonly<Record<string, unknown>> | undefined;
  readonly operation: 'create' | 'update';
  /** The whole object. */
  readonly root: Readonly<Record<string, unknown>>;
}

/** A rule over one struct: pure, returns every violation. */
export type Check = (value: Readonly<Record<string, unknown>>, context: CheckContext) => readonly FieldError[];

export const resolveRef = (ref: SchemaRef): Schema => (typeof ref === 'function' ? ref() : ref);
