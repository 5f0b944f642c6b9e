// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

/** Something that happened to an object, kept for a limited time. Reasons and notes may change; programs should not depend on them. */
export type Event = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** When it was first seen, to the microsecond. */
  eventTime: string | null;
  /** Set when the event occurs repeatedly. */
  series?: EventSeries;
  /** Controller that reported it, as a qualified name. */
  reportingController?: string;
  /** ID of the controller instance. */
  reportingInstance?: string;
  /** Action that was taken, or that failed, in one word. */
  action?: string;
  /** Machine-readable reason of the action, in CamelCase. */
  reason?: string;
  /** The object it happened to. */
  regarding?: core.ObjectReference;
  /** A second object that is involved. */
  related?: core.ObjectReference;
  /** Human-readable details, at most a kilobyte. */
  note?: string;
  /** Normal or Warning. */
  type?: string;
  /** Who reported it, in the older form. */
  deprecatedSource?: core.EventSource;
  /** When it was first reported, in the older form. */
  deprecatedFirstTimestamp?: string | null;
  /** When it was last reported, in the older form. */
  deprecatedLastTimestamp?: string | null;
  /** How often it happened, in the older form. */
  deprecatedCount?: number;
};

/** Repeated occurrences of an event. */
export interface EventSeries {
  /** Occurrences so far, at least two. */
  count: number;
  /** When it was last seen. */
  lastObservedTime: string | null;
}

/** Repeated occurrences of an event. */
export interface EventSeriesV1beta1 {
  /** Occurrences so far, at least two. */
  count: number;
  /** When it was last seen. */
  lastObservedTime: string | null;
  /** Whether the series continues: Ongoing, Finished or Unknown. */
  state: string;
}

/** Something that happened to an object, kept for a limited time. Reasons and notes may change; programs should not depend on them. */
export type EventV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** When it was first seen, to the microsecond. */
  eventTime: string | null;
  /** Set when the event occurs repeatedly. */
  series?: EventSeriesV1beta1;
  /** Controller that reported it, as a qualified name. */
  reportingController?: string;
  /** ID of the controller instance. */
  reportingInstance?: string;
  /** Action that was taken, or that failed, in one word. */
  action?: string;
  /** Machine-readable reason of the action, in CamelCase. */
  reason?: string;
  /** The object it happened to. */
  regarding?: core.ObjectReference;
  /** A second object that is involved. */
  related?: core.ObjectReference;
  /** Human-readable details, at most a kilobyte. */
  note?: string;
  /** Normal or Warning. */
  type?: string;
  /** Who reported it, in the older form. */
  deprecatedSource?: core.EventSource;
  /** When it was first reported, in the older form. */
  deprecatedFirstTimestamp?: string | null;
  /** When it was last reported, in the older form. */
  deprecatedLastTimestamp?: string | null;
  /** How often it happened, in the older form. */
  deprecatedCount?: number;
};
