// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';

export type APIGroup = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly versions?: readonly GroupVersionForDiscovery[] | null;
  readonly preferredVersion?: GroupVersionForDiscovery;
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[];
};

export type APIGroupList = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly groups?: readonly APIGroup[] | null;
};

export type APIResource = {
  readonly name?: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
};

export type APIResourceList = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly groupVersion?: string;
  readonly resources?: readonly APIResource[] | null;
};

export type APIVersions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly versions?: readonly string[] | null;
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[] | null;
};

export type ApplyOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly force?: boolean;
  readonly fieldManager?: string;
};

export type Condition = {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number | ExactNumber;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type CreateOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type DeleteOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly gracePeriodSeconds?: number | ExactNumber;
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

export type FieldSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type GetOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
};

export type GroupResource = {
  readonly group?: string;
  readonly resource?: string;
};

export type GroupVersionForDiscovery = {
  readonly groupVersion?: string;
  readonly version?: string;
};

export type LabelSelector = {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
};

export type LabelSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type ListMeta = {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number | ExactNumber;
  readonly shardInfo?: ShardInfo;
};

export type ListOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly watch?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly timeoutSeconds?: number | ExactNumber;
  readonly limit?: number | ExactNumber;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
  readonly shardSelector?: string;
};

export type PartialObjectMetadata = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
};

export type PartialObjectMetadataList = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ListMeta;
  readonly items?: readonly PartialObjectMetadata[] | null;
};

export type PatchOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly force?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type Preconditions = {
  readonly uid?: string;
  readonly resourceVersion?: string;
};

export type ServerAddressByClientCIDR = {
  readonly clientCIDR?: string;
  readonly serverAddress?: string;
};

export type ShardInfo = {
  readonly selector?: string;
};

export type Status = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ListMeta;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
};

export type StatusCause = {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
};

export type StatusDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
};

export type Table = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions?: readonly TableColumnDefinition[] | null;
  readonly rows?: readonly TableRow[] | null;
};

export type TableColumnDefinition = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
};

export type TableOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly includeObject?: string;
};

export type TableRow = {
  readonly cells?: readonly unknown[] | null;
  readonly conditions?: readonly TableRowCondition[];
  readonly object?: Readonly<Record<string, unknown>>;
};

export type TableRowCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
};

export type UpdateOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type WatchEvent = {
  readonly type?: string;
  readonly object?: Readonly<Record<string, unknown>>;
};
