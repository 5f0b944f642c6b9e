import type { AdmissionChain } from '@orch/admission';
import type { Release, ServerFeatures } from '@orch/apis';
import type { StrategicMerge } from '@orch/apply';
import type { Authorizer, TokenIssuer } from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import type { Negotiator, ProtobufKind } from '@orch/request';
import type { Codec, Field, StructSchema } from '@orch/schema';
import type { Store } from '@orch/storage';
import type { Connector } from './connector.ts';
import type { LocalPrograms } from './local-programs.ts';
import type { OwnWrites } from './own-writes.ts';
import type { TokenSource } from './paging-key.ts';
import type { RegistryMetrics } from './registry-metrics.ts';
import type { ResourceTable } from './resource-table.ts';
import type { ServedResource, StoredResource } from './served-resource.ts';
import type { UnchangedApplies } from './unchanged-applies.ts';
import type { VirtualResource } from './virtual-resource.ts';

/** Sizes and times that the registry keeps to. */
export interface RegistryLimits {
  /** Largest request body. */
  readonly bodyBytes: number;
  /** Watches without `timeoutSeconds` last this long to twice as long. */
  readonly minRequestTimeoutMs: number;
  /** How long objects that expire are kept after they were last written; 0 for ever. */
  readonly expirySeconds: number;
}

/** What the verbs of the registry share. */
export interface RegistryContext {
  readonly names: Names;
  readonly env: Env;
  readonly release: Release;
  /** What the server does or leaves, as feature gates say. */
  readonly features: ServerFeatures;
  /** Group versions (`group/version`, the group by its key) that the release before served. */
  readonly servedBefore: ReadonlySet<string>;
  /** Which members of objects the release has. */
  readonly includes: (field: Field) => boolean;
  readonly store: Store;
  /** Told of what is written, for the cache that shares it. */
  readonly ownWrites: OwnWrites | undefined;
  readonly storePrefix: string;
  readonly limits: RegistryLimits;
  readonly table: ResourceTable;
  readonly negotiator: Negotiator;
  readonly tokens: TokenSource;
  readonly metrics: RegistryMetrics;
  readonly strategic: StrategicMerge;
  /** Asked about what a request does beside what it says: an apply, or an update, that creates. */
  readonly authorizer: Authorizer;
  /** What is asked about writes that are allowed and valid; undefined where there are no such rules. */
  readonly admission: AdmissionChain | undefined;
  readonly unchangedApplies: UnchangedApplies;
  /** Serves subresources that lead to nodes, pods and services. */
  readonly connector: Connector;
  /** Makes tokens of service accounts; absent where there is no key to sign them with. */
  readonly tokenIssuer: TokenIssuer | undefined;
  /** Programs of this process, for the status of components. */
  readonly localPrograms: LocalPrograms;
  /** Codec of a kind that is no resource: `meta`, `v1`, `DeleteOptions`. Throws for an unknown one. */
  auxiliary(group: string, version: string, kind: string): Codec;
  /** The Protobuf form of such a kind. */
  auxiliaryProtobuf(group: string, version: string, kind: string): ProtobufKind;
  /** The declaration behind `auxiliary`. */
  auxiliarySchema(group: string, version: string, kind: string): StructSchema;
  /** The resource with its cache; throws `TypeError` for one that is not stored. */
  stored(resource: ServedResource): StoredResource;
  /** The handler of a resource that is not stored. */
  virtual(resource: ServedResource): VirtualResource;
}
