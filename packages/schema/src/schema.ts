import type { FieldError, Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject, MutableJsonObject } from '@orch/machinery/json';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * The schema language: a kind is declared once with it, and everything else (decoding, defaulting, pruning,
 * validation, OpenAPI, Protobuf, tables, merge rules) is a projection. Declarations use canonical names; a projection
 * is built for one `Names`.
 */
export type Schema = ScalarSchema | StructSchema | ListSchema | MapSchema | UnionSchema;

/**
 * - `int64` values past 2^53 are exact numbers (`JSON.rawJSON`), see machinery's JSON reader.
 * - `bytes` is base64 text in JSON; `time`, `microTime` and `duration` are strings.
 * - `quantity` keeps or canonicalises its text as in the wire reference.
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

/**
 * Constraints that a declaration can express; anything else is a `Check`. They hold for fields that are present: an
 * absent field is only ever wrong when `required`, a string `''` when `required` or `emptyIsInvalid`. On a list or map
 * whose items are scalars, `enum`, `format`, `min`, `max` and `maxBytes` apply to every item.
 */
export interface Constraints {
  /** Must be present and not empty: `''`, 0 (unless of presence `pointer`), an empty list or map is not enough. */
  readonly required?: boolean;
  /**
   * Beside `format` or `enum`, for a string: it applies to an empty one too, and to each item of a list. Beside `required`,
   * a missing one is reported as required and as not of the format. In releases before `until` where one is given.
   */
  readonly emptyIsInvalid?: boolean | { readonly until: string };
  readonly enum?: readonly string[];
  /** The values of `enum` are checked by a rule of the struct instead: errors have another path there. */
  readonly enumChecked?: 'elsewhere';
  /** Name of a format of machinery's `formats` (`dns1123label`, `qualifiedName`, `portNumber`, `ip`, …). */
  readonly format?: string;
  /** A stricter format that replaces `format` where its rule holds. A stored value without it may be kept. */
  readonly strictFormat?: { readonly format: string; readonly since: string; readonly gate?: string };
  readonly min?: number;
  readonly max?: number;
  /** Maximum length of a string in UTF-8, or of the decoded bytes of `bytes`. */
  readonly maxBytes?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Equal to the old value on update. */
  readonly immutable?: boolean;
  /** Lists: no two items with the same value of this field (`''`: of the item itself). */
  readonly uniqueBy?: string;
  /** Beside `uniqueBy`: an item with errors is not one that a later one repeats. */
  readonly uniqueAmongValid?: true;
  /** Empty identities have to be unique, too. */
  readonly uniqueWithEmpty?: true;
}

export interface ScalarSchema {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  /** Canonical name of the separate OpenAPI definition, where the published documents have one: `apiextensions.v1.JSON`. */
  readonly name?: string;
  /** The description of that definition. */
  readonly doc?: string;
}

/**
 * A value of one of several variants, determined by its JSON type. In Protobuf it is a message with a field for each
 * variant: that of a list is repeated, and `bool` is `true` together with every other variant. An empty list, which Protobuf
 * cannot distinguish from an absent one, is read as an absent value.
 */
export interface UnionSchema {
  readonly kind: 'union';
  /** Protobuf message and OpenAPI definition, canonical. */
  readonly name: string;
  readonly doc: string;
  readonly object?: UnionVariant;
  readonly list?: UnionVariant;
  readonly bool?: UnionVariant;
}

export interface UnionVariant {
  /** Protobuf field number and name. */
  readonly num: number;
  readonly protoName: string;
  /** Schema of objects, or of the items of the list; absent for booleans. */
  readonly schema?: SchemaRef;
}

export interface StructSchema {
  readonly kind: 'struct';
  /** Protobuf message and OpenAPI definition, canonical: `core.v1.PodSpec`. */
  readonly name: string;
  readonly doc: string;
  /** In JSON order. */
  readonly fields: readonly Field[];
  /** `kind` and `apiVersion` come first in JSON. */
  readonly typeMeta?: boolean;
  /** Objects of this kind hold credentials: no message, warning or log line repeats a value of them. */
  readonly holdsCredentials?: true;
  /** Its type fields in JSON where it is embedded in another object; Protobuf has no fields for them. */
  readonly embeddedAs?: { readonly kind: string; readonly apiVersion: string };
  readonly mapType?: 'atomic' | 'granular';
  /** Release from which `mapType` holds; all of them when absent. */
  readonly mapTypeSince?: string;
  /** The struct that documents of earlier releases show in place of this one, which has the same fields there. */
  readonly formerly?: { readonly before: string; readonly schema: StructSchema };
  /**
   * Schema of the whole object, by which the fields are read that are not declared: of custom kinds, of which only type
   * and metadata are declared.
   */
  readonly rest?: () => StructuralSchema;
  /**
   * Parses and compiles, in pieces, the parts that the first write of an object needs; undefined when that is done. A
   * write that does not wait for it does all of it at once.
   */
  readonly preparation?: () => Work<void> | undefined;
  /** Publication of a custom kind in documents, by the name of its group. */
  readonly custom?: CustomPublication;
  /** Fields of which the value of a discriminator allows one; stated in the published schema only. */
  readonly unions?: readonly DiscriminatedUnion[];
  /** Rules over several fields, in the order in which their errors are reported. */
  readonly checks?: readonly Check[];
  /** Defaults that reach across fields, run when defaults are applied, after those of the fields. */
  readonly derive?: Derive;
}

/** A custom kind as the documents publish it. */
export interface CustomPublication {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /**
   * The `openAPIV3Schema` with its descriptions, parsed again on every call, in pieces; undefined when there is none, or one
   * that is not structural.
   */
  readonly document: () => Work<JsonObject | undefined>;
}

/** `discriminator` names a string field; each of `fields` belongs to one value of it. */
export interface DiscriminatedUnion {
  readonly discriminator: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface ListSchema {
  readonly kind: 'list';
  readonly items: SchemaRef;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** In Protobuf a separate message with the items in field 1, as Go's named list types are (`Verbs`). */
  readonly protoWrapped?: boolean;
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
 * How a field appears in JSON (and so in stored bytes):
 * - `optional`: omitted when it has its zero value (`''`, 0, false, empty list or map);
 * - `pointer`: omitted when absent, kept when zero;
 * - `always`: written even when zero: a struct as `{}`, a time, list or map as `null`, a scalar as its zero; when also
 *   `nullable`, as `null` when absent and kept when zero.
 */
export type Presence = 'optional' | 'pointer' | 'always';

/**
 * The values of a string that the published schema lists, in alphabetical order: those of `enum` unless declared otherwise.
 * `never` lists none. Validation does not read it.
 */
export type PublishedEnum =
  | 'never'
  | {
      /** Release from which the values are listed; all of them when absent. */
      readonly since?: string;
      readonly values?: readonly string[];
      /** The values that documents of earlier releases list in place of these. */
      readonly formerly?: { readonly before: string; readonly values: readonly string[] };
    };

export interface Field extends Constraints {
  /** JSON name, canonical. Empty with `inline`: the fields of the struct merge into the parent. */
  readonly name: string;
  readonly inline?: boolean;
  /** Protobuf field number, and the Protobuf name when it differs from `name`. */
  readonly num: number;
  readonly protoName?: string;
  readonly schema: SchemaRef;
  readonly presence: Presence;
  readonly nullable?: boolean;
  /**
   * Value taken when the field is absent, or zero unless its presence is `pointer`. A function receives the
   * enclosing struct under wire names and returns `undefined` for none; values are filled in first, then functions are
   * called in declaration order. The value is read like input, so the fields that a struct leaves out get their defaults too.
   */
  readonly default?: unknown | ComputeDefault;
  readonly doc: string;
  /**
   * Listed as required in the published schema, which clients check before sending. By default fields of presence
   * `always` are, except structs and times: set it where the published list differs from that, or where it is the
   * opposite before a release.
   */
  readonly openapiRequired?: boolean | { readonly since: string; readonly is: boolean };
  /** Values that the published schema lists, where they differ from `enum` or not every release lists them. */
  readonly openapiEnum?: PublishedEnum;
  /**
   * The published schema refers to the definition of the struct in the version that declares it, whichever version is
   * described: by default each version publishes shared structs under its own names.
   */
  readonly shared?: true;
  /** Release from which the fields of the struct have separate owners, although the struct is atomic elsewhere. */
  readonly granularSince?: string;
  /** What the published schema calls an atomic list: in all releases, or from `since` and before `until`. */
  readonly atomic?: true | { readonly since?: string; readonly until?: string };
  readonly deprecated?: string;
  /**
   * Releases between which the field exists, and the feature gate that opens it before; `since` is `never` where every
   * release has it only behind the gate.
   */
  readonly since?: string;
  readonly until?: string;
  readonly gate?: string;
  /** First release that has the field behind the gate; that of the gate when absent. */
  readonly gatedSince?: string;
  /**
   * Release from which values below the field are validated; `never` when they are not. For templates of objects that
   * are validated only when they are created.
   */
  readonly validatedSince?: string;
  /** An update validates no values below the field, from a release on where one is given: it cannot change. */
  readonly validatedOnCreate?: boolean | { readonly since: string };
  /** An update reports no errors below the field where its old value has errors: they were not always found. */
  readonly toleratesOldErrors?: true;
  /** Reports whether values below the field are validated, of the struct that holds it. */
  readonly validatedIf?: ValidatedIf;
  /** The name of the field in the paths of errors, where it is another one. */
  readonly nameInErrors?: string;
  /** Release from which the field has its default. */
  readonly defaultedSince?: string;
  /** Release from which the field is left out where it is empty, although its presence is `always`. */
  readonly omittedSince?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** Release from which the published schema does not say how patches merge the field. */
  readonly patchShownUntil?: string;
}

/**
 * A function over a struct of a certain type. Its parameters are compared as those of methods are, so that functions over
 * any struct can be part of a schema: the codec has checked the types before it calls them.
 */
type OfStruct<F extends { call(...args: never): unknown }> = F['call'];

/** Computes a default from the enclosing struct. */
export type ComputeDefault<T = JsonObject> = OfStruct<{
  call(parent: T, names: Names, context: DefaultContext): unknown;
}>;

/** Reports whether a field of a struct, which is at `path`, is validated. */
export type ValidatedIf<T = JsonObject> = OfStruct<{
  call(parent: T, names: Names, path: string): boolean;
}>;

/** Input of a check other than the value itself. */
export interface CheckContext<T = JsonObject> {
  /** Path of the struct, `''` at the root. */
  readonly path: string;
  /** The same struct before the update; undefined on create. */
  readonly old: T | undefined;
  readonly operation: 'create' | 'update';
  /** The whole object. */
  readonly root: JsonObject;
  readonly names: Names;
  /**
   * Reports whether a rule holds that came with a release, and with a feature gate where one is named: in this release
   * and later ones unless the gate is disabled, and where the gate is enabled.
   */
  readonly since: (release: string, gate?: string) => boolean;
  /** Takes checks that last long, for the caller to do later; without it they are done at once. */
  readonly postponed?: PostponedChecks | undefined;
  /** Whether checks of values with many parts are added to `postponed`. */
  readonly isDivided?: boolean;
}

/** Checks that are begun and that last long: they are continued in pieces, each to the violations that it finds. */
export type PostponedChecks = Work<readonly FieldError[]>[];

/**
 * Changes a struct after the defaults of its fields (and of everything below) were applied: a default that depends on
 * another level, a field that another one replaces. Returns whether it changed anything; added fields may be put
 * anywhere, their order is repaired. Idempotent.
 */
export type Derive<T = MutableJsonObject> = OfStruct<{
  call(value: T, names: Names, context: DefaultContext): boolean;
}>;

/** What a computed or derived default depends on besides its struct. */
export interface DefaultContext {
  /** The schema name of the whole object, for structs whose defaults differ between the kinds that they are part of. */
  readonly root: string;
  /** Reports whether a default holds that came with a release, and with a feature gate where one is named. */
  readonly since: CheckContext['since'];
}

/** A rule over one struct: pure, returns every violation. The codec has read the struct, so its fields have their types. */
export type Check<T = JsonObject> = OfStruct<{
  call(value: T, context: CheckContext<T>): readonly FieldError[];
}>;

export const resolveRef = (ref: SchemaRef): Schema => (typeof ref === 'function' ? ref() : ref);
