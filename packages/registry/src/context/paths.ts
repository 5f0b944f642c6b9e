import type { AdmissionChain, VersionedResource } from '@orch/admission';
import type { Release, ServerFeatures } from '@orch/apis';
import type { StrategicMerge } from '@orch/apply';
import type { Authorizer } from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import type { Negotiator, ProtobufKind } from '@orch/request';
import type { Codec, StructSchema } from '@orch/schema';
import type { Store } from '@orch/storage';
import type { ContinueTokenSource } from '../continue-token/continue-token-source.ts';
import type { ResourceEncodings } from '../encode/encodings.ts';
import type { ChangeRecorder } from '../resource/change-recorder.ts';
import type { ObjectCommitter } from '../resource/object-committer.ts';
import type { RegistryMetrics } from '../resource/registry-metrics.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ServedResource, StoredResource } from '../resource/served-resource.ts';
import type { UnchangedApplies } from '../resource/unchanged-applies.ts';
import type { YamlParser } from '../yaml/yaml-parser.ts';

/** Limits on sizes and times that the registry enforces. */
export interface RegistryLimits {
  /** Largest request body. */
  readonly bodyBytes: number;
  /** Watches without `timeoutSeconds` end after this time to twice this time. */
  readonly minRequestTimeoutMs: number;
  /** Retention time of objects that expire, from their last write; 0 keeps them without limit. */
  readonly expirySeconds: number;
  /** Number of concurrent deletions for one request that deletes a collection. */
  readonly deleteCollectionWorkers: number;
}

/** Finds served resources, and the caches of those that are stored. */
export interface ResourceLookup {
  readonly table: ResourceTable;
  /** The resource with its cache; throws `TypeError` for one that is not stored. */
  stored(resource: ServedResource): StoredResource;
}

/** Codecs and schemas of kinds that are not resources: `meta`, `v1`, `DeleteOptions`. Throws `TypeError` for an unknown kind. */
export interface KindLookup {
  auxiliary(group: string, version: string, kind: string): Codec;
  auxiliaryProtobuf(group: string, version: string, kind: string): ProtobufKind;
  auxiliarySchema(group: string, version: string, kind: string): StructSchema;
  /** Encodings of a Scale in all formats of a resource. */
  scaleEncodings(group: string, version: string): ResourceEncodings;
}

/** Served resources and subresources, for the rules of admission webhooks and policies. */
export interface VersionLookup {
  of(resource: ServedResource, subresource: string): VersionedResource;
}

/** The context for parsing the options and the body of a request. */
export interface RequestPath extends KindLookup {
  readonly names: Names;
  readonly release: Release;
  /** Server features, as the feature gates enable them. */
  readonly features: ServerFeatures;
  readonly limits: RegistryLimits;
  readonly negotiator: Negotiator;
  /** For the parse of large bodies. */
  readonly turns: Turns;
  /** For large bodies of YAML; absent where they are parsed at once. */
  readonly yaml: YamlParser | undefined;
}

/** The context of `get`, `list` and `watch`. */
export interface ReadPath {
  readonly names: Names;
  readonly env: Env;
  readonly features: ServerFeatures;
  readonly limits: RegistryLimits;
  readonly negotiator: Negotiator;
  readonly tokens: ContinueTokenSource;
  readonly metrics: RegistryMetrics;
}

/** The context for admitting, validating and storing an object. */
export interface WritePath extends ResourceLookup {
  readonly names: Names;
  readonly env: Env;
  readonly release: Release;
  readonly limits: RegistryLimits;
  /** For reads of the latest state; objects are written by `committer`. */
  readonly store: Store;
  readonly storePrefix: string;
  readonly committer: ObjectCommitter;
  /** Undefined when no history is kept. */
  readonly recorder: ChangeRecorder | undefined;
  /** Undefined when no admission plugin is enabled. */
  readonly admission: AdmissionChain | undefined;
  readonly versioned: VersionLookup;
  /** Authorizes what a request does in addition to its verb: an update or an apply that creates. */
  readonly authorizer: Authorizer;
  readonly strategic: StrategicMerge;
  readonly unchangedApplies: UnchangedApplies;
  /** For work on large objects, and validations that take long. */
  readonly turns: Turns;
  /** For large bodies of YAML; absent where they are parsed at once. */
  readonly yaml: YamlParser | undefined;
}
