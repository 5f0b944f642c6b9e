// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** One aspect of the state of an object, at its latest observation. */
export interface Condition {
  /** Which aspect; CamelCase, with a domain prefix when it is not a common one. */
  type: string;
  /** Whether it holds: True, False or Unknown. */
  status: string;
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: number;
  /** When the status last changed from one value to another. */
  lastTransitionTime: string;
  /** One CamelCase word for programs: why it is so. */
  reason: string;
  /** Details for people. */
  message: string;
}

/** How an object is deleted. */
export type DeleteOptions = {
  kind?: string;
  apiVersion?: string;
  /** Seconds to end in an orderly way; 0 removes at once. The kind's own default when absent. */
  gracePeriodSeconds?: number;
  /** What must hold for the deletion to happen. */
  preconditions?: Preconditions;
  /** Older form of propagationPolicy: true leaves dependents behind. */
  orphanDependents?: boolean;
  /** What happens to dependents: Orphan leaves them, Background removes them afterwards, Foreground removes them first. */
  propagationPolicy?: string;
  /** With `All`, everything happens except storing. */
  dryRun?: string[];
};

/** A resource, whatever its version. */
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
  /** Label that the condition speaks of. */
  key: string;
  /** How the values relate: In, NotIn, Exists or DoesNotExist. */
  operator: string;
  /** Values for In and NotIn; empty for the other two. */
  values?: string[];
}

/** What a list carries beside its items. */
export interface ListMeta {
  /** Path of the list. No longer filled in. */
  selfLink?: string;
  /** Version at which the list was read; a watch can start from it. */
  resourceVersion?: string;
  /** Opaque token for the next chunk, empty at the end of the list. */
  continue?: string;
  /** Items after this chunk, when the server can tell. */
  remainingItemCount?: number;
}

/** Any object, reduced to its metadata. */
export type PartialObjectMetadata = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
};

/** A list of objects, reduced to their metadata. */
export type PartialObjectMetadataList = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ListMeta;
  /** The objects. */
  items: PartialObjectMetadata[] | null;
};

/** Must hold for the object as it is stored, or the request is refused with a conflict. */
export interface Preconditions {
  /** The object must be this very one. */
  uid?: string;
  /** The object must not have changed since. */
  resourceVersion?: string;
}

/** The answer of a request that returns no object: every failure, and some successes. */
export type Status = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ListMeta;
  /** Success or Failure. */
  status?: string;
  /** What happened, for people. */
  message?: string;
  /** Why, in one CamelCase word for programs. */
  reason?: string;
  /** What the answer speaks of. */
  details?: StatusDetails;
  /** HTTP status code. */
  code?: number;
};

/** One of several causes of a failure. */
export interface StatusCause {
  /** Kind of cause, for programs. */
  reason?: string;
  /** The cause, for people. */
  message?: string;
  /** Path of the field that is wrong, in JSON terms. */
  field?: string;
}

/** What a Status speaks of, and why. */
export interface StatusDetails {
  /** Name of the object. */
  name?: string;
  /** Group of the resource. */
  group?: string;
  /** Resource or kind. */
  kind?: string;
  /** Identity of the object. */
  uid?: string;
  /** Everything that is wrong, where there is more to say. */
  causes?: StatusCause[];
  /** Seconds to wait before another attempt. */
  retryAfterSeconds?: number;
}

/** Objects in the form of a table, so that clients can show kinds they know nothing about. */
export type Table = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
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
  /** What the column shows. */
  description: string;
  /** 0 for columns that are always shown; higher ones need more room. */
  priority: number;
}

/** One object of a table. */
export interface TableRow {
  /** One value per column. */
  cells: unknown[] | null;
  /** Marks of the row. */
  conditions?: TableRowCondition[];
  /** The object that the row shows, as much of it as was asked for. */
  object?: Record<string, unknown>;
}

/** Marks a row as special. */
export interface TableRowCondition {
  /** Which mark, such as Completed. */
  type: string;
  /** Whether it holds. */
  status: string;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}
