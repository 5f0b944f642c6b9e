// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';

/** One aspect of the state of an object, at its latest observation. */
export interface Condition {
  /** Type of the condition; CamelCase, with a domain prefix when it is not a common one. */
  type: string;
  /** Whether it holds: True, False or Unknown. */
  status: 'False' | 'True' | 'Unknown' | (string & {});
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: Int64;
  /** When the status last changed from one value to another. */
  lastTransitionTime: string;
  /** Machine-readable reason, in CamelCase. */
  reason: string;
  /** Human-readable details. */
  message: string;
}

/** How an object is deleted. */
export type DeleteOptions = {
  kind?: string;
  apiVersion?: string;
  /** Seconds for graceful termination; 0 deletes immediately. The default of the kind when absent. */
  gracePeriodSeconds?: Int64;
  /** Conditions of the deletion. */
  preconditions?: Preconditions;
  /** Older form of propagationPolicy: true orphans the dependents. */
  orphanDependents?: boolean;
  /** What happens to dependents: Orphan leaves them, Background removes them afterwards, Foreground removes them first. */
  propagationPolicy?: string;
  /** With `All`, the request is processed but nothing is stored. */
  dryRun?: string[];
  /** Also deletes an object that cannot be read, without its finalizers and dependents. Not together with other options. */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

/** A condition on a field. */
export interface FieldSelectorRequirement {
  /** The field. */
  key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  operator: string;
  /** Values, for In and NotIn. */
  values?: string[];
}

/** A resource, in any version. */
export interface GroupResource {
  /** Its group; empty for the core group. */
  group: string;
  /** Its name in paths: the plural. */
  resource: string;
}

/** Selects objects by label. Everything in it must hold; an empty selector selects everything, an absent one nothing. */
export interface LabelSelector {
  /** Labels that must be present with exactly these values. */
  matchLabels?: Record<string, string>;
  /** Conditions on labels. */
  matchExpressions?: LabelSelectorRequirement[];
}

/** One condition on the values of a label key. */
export interface LabelSelectorRequirement {
  /** Label that the condition applies to. */
  key: string;
  /** How the values relate: In, NotIn, Exists or DoesNotExist. */
  operator: string;
  /** Values for In and NotIn; empty for the other two. */
  values?: string[];
}

/** Metadata of lists. */
export interface ListMeta {
  /** Path of the list. No longer filled in. */
  selfLink?: string;
  /** Version at which the list was read; a watch can start from it. */
  resourceVersion?: string;
  /** Opaque token for the next chunk, empty at the end of the list. */
  continue?: string;
  /** Number of items after this chunk, when it is known. */
  remainingItemCount?: Int64;
  /** Set where the request has a shardSelector. */
  shardInfo?: ShardInfo;
}

/** Any object, reduced to its metadata. */
export type PartialObjectMetadata = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
};

/** A list of objects, reduced to their metadata. */
export type PartialObjectMetadataList = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ListMeta;
  /** The objects. */
  items: PartialObjectMetadata[] | null;
};

/** Conditions on the stored object; the request is refused with a conflict when one is not satisfied. */
export interface Preconditions {
  /** Required uid of the object. */
  uid?: string;
  /** Required resourceVersion of the object. */
  resourceVersion?: string;
}

/** The part of the objects that a list has. */
export interface ShardInfo {
  /** Selector of the request. */
  selector: string;
}

/** The response of a request that returns no object: of every failure, and of some successes. */
export type Status = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ListMeta;
  /** Success or Failure. */
  status?: string;
  /** Human-readable description of the result. */
  message?: string;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** The object and the causes of the result. */
  details?: StatusDetails;
  /** HTTP status code. */
  code?: number;
};

/** One of several causes of a failure. */
export interface StatusCause {
  /** Machine-readable type of the cause. */
  reason?: string;
  /** Human-readable description of the cause. */
  message?: string;
  /** Path of the field that is wrong, in JSON terms. */
  field?: string;
}

/** The object and the causes of a Status. */
export interface StatusDetails {
  /** Name of the object. */
  name?: string;
  /** Group of the resource. */
  group?: string;
  /** Resource or kind. */
  kind?: string;
  /** Identity of the object. */
  uid?: string;
  /** The causes of the failure. */
  causes?: StatusCause[];
  /** Seconds to wait before another attempt. */
  retryAfterSeconds?: number;
}

/** Objects in the format of a table, for clients that do not know their kind. */
export type Table = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ListMeta;
  /** The columns, in order. */
  columnDefinitions: TableColumnDefinition[] | null;
  /** The objects. */
  rows: TableRow[] | null;
};

/** Describes one column of a table. */
export interface TableColumnDefinition {
  /** Heading. */
  name: string;
  /** Type of the cells, as in OpenAPI. */
  type: string;
  /** Further detail of the type; `name` marks the column that identifies the row. */
  format: string;
  /** Description of the column. */
  description: string;
  /** 0 for columns that are always shown; others are shown in wide output. */
  priority: number;
}

/** One object of a table. */
export interface TableRow {
  /** One value per column. */
  cells: unknown[] | null;
  /** Marks of the row. */
  conditions?: TableRowCondition[];
  /** The object of the row, or the requested part of it. */
  object?: Record<string, unknown>;
}

/** Marks a row as special. */
export interface TableRowCondition {
  /** Type of the mark, such as Completed. */
  type: string;
  /** Whether it holds. */
  status: string;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}
