import type { Draft } from '@orch/kinds/draft';
import type { ApiObject, FieldError, Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { ExactNumber } from '@orch/machinery/json';
import type { Lens, StructSchema } from '@orch/schema';
import type { FieldReader } from './field-reader.ts';
import type { ObjectConverter } from './object-converter.ts';
import type { WriteGuard } from './write-guard.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/**
 * One version in which a kind is served. The first version of a resource definition is the **hub**: strategies, tables,
 * selectable fields and the watch cache use objects in that version, regardless of request and storage versions.
 * Defaults, constraints and checks come from the client's version: the schema of each version has its own.
 */
export interface KindVersion {
  readonly version: string;
  /** Group that serves this version if it differs from that of the resource definition: `extensions` of Ingresses. */
  readonly group?: string;
  readonly schema: StructSchema;
  /** Converts between this version and the hub; absent when they differ only in the apiVersion. */
  readonly lens?: Lens;
  /** Releases (`1.22`) in which the version is served: from `introduced` on, before `removed`. */
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /**
   * The replacement in deprecation warnings, if it is not the hub: group, version and kind; `none` when there is none.
   */
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string } | 'none';
  /**
   * What releases before a release said of the end of this version in deprecation warnings, where later releases changed or
   * only then announced it. Without `deprecated`, they did not warn.
   */
  readonly announced?: Pick<KindVersion, 'deprecated' | 'removed' | 'replacement'> & {
    readonly before: string;
  };
  /**
   * Objects are pruned and defaulted by the schema also when they are read from the store or converted: custom
   * resources, whose schemas change while objects exist.
   */
  readonly decodedOnRead?: boolean;
  /** Text of the Warning header of every response, instead of the one derived from `deprecated`. */
  readonly deprecationWarning?: string;
  /**
   * Whether it is served without `--runtime-config`, or the first release that does; by default alpha versions are not, and
   * others are.
   */
  readonly servedByDefault?: boolean | string;
  /**
   * Served only when `--runtime-config` names its group version or its resource; `api/all` and similar keys do not
   * include it. For kinds introduced after the emulated releases: in all of them, or in those before one.
   */
  readonly onlyByName?: boolean | { readonly before: string };
  /** Differences of this version from the resource definition. */
  readonly differs?: Partial<
    Pick<
      ResourceType,
      | 'verbs'
      | 'subresources'
      | 'shortNames'
      | 'categories'
      | 'kind'
      | 'singular'
      | 'table'
      | 'scale'
      | 'unqualifiedFinalizers'
      | 'checksMetadataLast'
    > & {
      readonly strategy: Partial<Strategy>;
      /**
       * Selectable fields under the labels of this version, each with the label in the resource definition, which they
       * replace.
       */
      readonly fields: Readonly<Record<string, string>>;
    }
  >;
}

/** The only external inputs of prepare and validate functions: names, time and randomness. */
export interface StrategyContext {
  readonly names: Names;
  /** RFC 3339 UTC, seconds. */
  readonly now: string;
  /** The client's version, `batch/v1beta1`, canonical: for the few rules that older versions lack. */
  readonly requestVersion: string;
  /** Reports whether a rule holds that came with a release, and with a feature gate where one is named. */
  readonly since: (release: string, gate?: string) => boolean;
  /** Hooks of the kind check the write too, against stored state. */
  readonly hasHooks?: boolean;
  /** The user of the request. */
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  uuid(): string;
  /** Warns of something that the object loses while it is prepared; other warnings come from `Strategy.warnings`. */
  warn?(text: string): void;
}

/**
 * The rules of a write through one subresource, instead of `prepareForUpdate` and `validate` of the main resource.
 * `next` is the object from the client; `prepareForUpdate` restores everything from `old` that the subresource does not
 * write. Metadata is handled by the server, as in every write.
 */
export interface SubresourceRules<T = ApiObject> {
  prepareForUpdate(next: Draft<T>, old: T, context: StrategyContext): void;
  validate?(next: T, old: T, context: StrategyContext): readonly FieldError[];
  /** As `Strategy.warnings`, for writes through the subresource. */
  warnings?(next: T, old: T, context: StrategyContext): readonly string[];
  /** The generation stays when the subresource changes the spec. */
  readonly keepsGeneration?: true;
}

/**
 * The rules of one kind beyond its schema (facts: REST strategies). Objects are decoded, defaulted, and may be changed;
 * `old` is read only.
 */
export interface Strategy<T = ApiObject> {
  /** PUT to an absent object creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without a resourceVersion is allowed. */
  readonly unconditionalUpdate: boolean;
  /**
   * `spec`: 1 on create, +1 when spec changes. `updates`: absent on create, +1 when spec changes. `content`: 1 on create, +1 when anything changes but metadata and a
   * status with a subresource. `fixed`: 1 on create. `none`: never set.
   */
  readonly generation: 'spec' | 'updates' | 'content' | 'fixed' | 'none';
  /** The client's status is dropped on create, and on update through the main resource. */
  readonly resetStatus: boolean;
  /** The spec never changes: writes through the main resource, creations too, own none of its fields. */
  readonly fixedSpec?: true;
  readonly deleteReturns: 'object' | 'Status';
  /** Objects expire some time after their last write (`--event-ttl`). */
  readonly expires?: boolean;
  /** Default propagation of deletes through this resource; `Background` when absent. */
  readonly orphanByDefault?: boolean;
  /** The warning about deletions that do not say what happens to the objects that depend on the object, from a release on. */
  readonly deletionWarning?: { readonly since: string; readonly text: string };
  /**
   * Grace period of a deletion in seconds; 0 deletes immediately. `requested` is the period in the request, undefined
   * when it has none. Kinds without this function do not support graceful deletion.
   */
  gracePeriodSeconds?(object: T, requested?: number): number;
  /** Sets fields of the server before a new object is validated. Its name is set already, also a generated one. */
  prepareForCreate?(next: Draft<T>, context: StrategyContext): void;
  /**
   * Sets fields owned by the server, or restores them from the stored object, before a write through the main resource
   * is validated.
   */
  prepareForUpdate?(next: Draft<T>, old: T, context: StrategyContext): void;
  /** Rules beyond the schema's constraints and checks, for writes through the main resource. */
  validate?(next: T, old: T | undefined, context: StrategyContext): readonly FieldError[];
  /** As `validate`, with pauses for other work: for kinds whose objects may take long to validate. */
  validation?(next: T, old: T | undefined, context: StrategyContext): Work<readonly FieldError[]> | undefined;
  /**
   * What the client should know about a valid object: fields that have no effect, or that later
   * releases refuse. Texts are reference data, as clients show them.
   */
  warnings?(next: T, old: T | undefined, context: StrategyContext): readonly string[];
  /** Converts a valid object to the canonical form in which it is stored: after validation, on every write. */
  canonicalize?(next: Draft<T>, context: StrategyContext): void;
  /**
   * Rules of writes through subresources that return the object itself: `status`, `finalize`, `ephemeralcontainers`, `resize`.
   */
  readonly through?: Readonly<Record<string, SubresourceRules<T>>>;
  /**
   * The reason why clients cannot delete the object of a name (403, whether it exists or not); undefined when they can.
   */
  refuseDelete?(name: string): string | undefined;
  /** A deletion that waits sets its time only: no grace period, and the generation stays. */
  readonly onlyMarksDeletion?: true;
  /** Called when a deletion has started and the object remains for now. */
  prepareForDelete?(next: Draft<T>, context: StrategyContext): void;
  /** Finalizers that the first deletion adds to the metadata of an object. */
  finalizersOnDelete?(names: Names): readonly string[];
  /** The finalizers that keep a deleted object, besides those of its metadata and its grace period. */
  ownFinalizers?(object: T): readonly string[];
}

/** A path below an object. `behaviour` names the handler of the server that serves it. */
export interface Subresource {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly Verb[];
  readonly behaviour:
    | 'status'
    | 'scale'
    | 'finalize'
    | 'binding'
    | 'eviction'
    | 'token'
    | 'proxy'
    | 'log'
    | 'stream'
    | 'ephemeralcontainers'
    | 'resize'
    | 'approval'
    | 'rollback';
  readonly introduced?: string;
  /** First release that no longer serves it. */
  readonly removed?: string;
  /** Feature gate that must be enabled as well. */
  readonly gate?: string;
  /** Further kinds that a request body may have. */
  readonly accepts?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

/** A resource before some release: the differences that `typesAt` applies for an older emulated release. */
export interface ReleaseDifference {
  readonly before: string;
  readonly change: Partial<
    Pick<
      ResourceType,
      | 'verbs'
      | 'strategy'
      | 'subresources'
      | 'table'
      | 'shortNames'
      | 'categories'
      | 'nameFormat'
      | 'fields'
      | 'distinctFields'
    >
  >;
}

/** The format of names from a release on, and before it where a feature gate is enabled; and the one without the gate. */
export interface GatedNameFormat {
  readonly format: string;
  readonly since: string;
  readonly gate: string;
  readonly otherwise: string;
}

/** Columns with `priority` 0 are shown by default, those with 1 in the wide view. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** OpenAPI format of the values; `name` marks the column of names. */
  readonly format: string;
  readonly priority: number;
  readonly description: string;
  /** First release that shows it; earlier releases do if `gate` is enabled. */
  readonly since?: string;
  readonly gate?: string;
}

/**
 * The instant whose age is shown, rendered at response time so that rows can be cached; an absent instant is shown as
 * `<unknown>`. `prefix` and `suffix` surround it: `3 (5m ago)`.
 */
export interface AgeCell {
  readonly age: string | null | undefined;
  readonly prefix?: string;
  readonly suffix?: string;
}

/** A cell: a value, or an age. */
export type Cell = string | number | ExactNumber | boolean | null | AgeCell;

export interface TableDefinition<T = ApiObject> {
  readonly columns: readonly Column[];
  cells(object: T, names: Names): readonly Cell[];
  /** Row conditions (`Completed` of finished pods). */
  conditions?(object: T): readonly { type: string; status: string; reason: string; message: string }[];
}

/** The mapping of a scalable kind to `Scale`. */
export interface ScaleMapping<T = ApiObject> {
  replicas(object: T): number;
  setReplicas(object: Draft<T>, replicas: number): void;
  statusReplicas(object: T): number;
  /** Label selector in string form. */
  selector(object: T): string;
}

/** One resource of one group, in all its versions: the resource definition that the whole server reads. One file per kind. */
export interface ResourceType {
  /** Key of the group in the names table: `''` for core, `coordination`, `apps`, … */
  readonly group: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** Kind of its lists; the kind with `List` appended when absent. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  /** Not stored: served by a separate handler (bindings, componentstatuses). */
  readonly virtual?: boolean;
  /** The first is the hub; the others follow in the order of preference in discovery. */
  readonly versions: readonly KindVersion[];
  /**
   * Version in which objects are stored in every release that has it. For exceptions: otherwise the release decides
   * (`storedVersionAt`). Objects stored in any other version are read through its lens.
   */
  readonly storedVersion?: string;
  /** Group of `storedVersion` if it differs from that of the resource definition. */
  readonly storedGroup?: string;
  /** Its objects have no Protobuf encoding, since their schema has no field numbers: they are stored as JSON. */
  readonly jsonOnly?: boolean;
  /**
   * Its schema declares no merge keys, as for custom resources: strategic merge patches are refused (415), since they
   * would replace whole lists.
   */
  readonly lacksMergeKeys?: boolean;
  /** Name of a format in machinery's `formats` that `metadata.name` must have. */
  readonly nameFormat: string;
  /** The format of `metadata.name` where a feature gate decides it. */
  readonly gatedNameFormat?: GatedNameFormat;
  readonly maxNameLength?: number;
  /** Finalizers of its objects need no domain: custom resources, kinds that extend the API and some smaller kinds. */
  readonly unqualifiedFinalizers?: boolean;
  /** Its rules do not cover metadata: that of a new object is checked only where the rest of the object is valid. */
  readonly checksMetadataLast?: boolean;
  readonly strategy: Strategy;
  readonly subresources: readonly Subresource[];
  /** Selectable fields beyond `metadata.name` and `metadata.namespace`: label → value of the stored object. */
  readonly fields: Readonly<Record<string, FieldReader>>;
  readonly indexedFields?: readonly string[];
  /** Those of `fields` whose values no or few other objects have. */
  readonly distinctFields?: readonly string[];
  readonly table?: TableDefinition;
  readonly scale?: ScaleMapping;
  /** Converts between versions without a lens: custom resources with a conversion webhook. */
  readonly objectConverter?: ObjectConverter;
  /** Makes creations depend on the declaration of the resource; absent when the resource cannot be removed. */
  readonly writeGuard?: WriteGuard;
  /** First release with the resource; all releases when absent. */
  readonly introduced?: string;
  /** Differences in older releases, newest first. */
  readonly earlier?: readonly ReleaseDifference[];
}
