// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

/** Something that happened to an object, kept for a limited time. Reasons and notes may change; nothing should be built on them. */
export type Event = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** When it was first seen, to the microsecond. */
  eventTime: string | null;
  /** Set when it keeps happening. */
  series?: EventSeries;
  /** Controller that reported it, as a qualified name. */
  reportingController?: string;
  /** Which instance of that controller. */
  reportingInstance?: string;
  /** What was done or failed about the object, in one word. */
  action?: string;
  /** One CamelCase word for programs: why it was done. */
  reason?: string;
  /** The object it happened to. */
  regarding?: core.ObjectReference;
  /** A second object that is part of the story. */
  related?: core.ObjectReference;
  /** Details for people, at most a kilobyte. */
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

/** Tells that an event keeps happening. */
export interface EventSeries {
  /** Occurrences so far, at least two. */
  count: number;
  /** When it was last seen. */
  lastObservedTime: string | null;
}

/** Tells that an event keeps happening. */
export interface EventSeriesV1beta1 {
  /** Occurrences so far, at least two. */
  count: number;
  /** When it was last seen. */
  lastObservedTime: string | null;
  /** Whether it still does: Ongoing, Finished or Unknown. */
  state: string;
}

/** Something that happened to an object, kept for a limited time. Reasons and notes may change; nothing should be built on them. */
export type EventV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** When it was first seen, to the microsecond. */
  eventTime: string | null;
  /** Set when it keeps happening. */
  series?: EventSeriesV1beta1;
  /** Controller that reported it, as a qualified name. */
  reportingController?: string;
  /** Which instance of that controller. */
  reportingInstance?: string;
  /** What was done or failed about the object, in one word. */
  action?: string;
  /** One CamelCase word for programs: why it was done. */
  reason?: string;
  /** The object it happened to. */
  regarding?: core.ObjectReference;
  /** A second object that is part of the story. */
  related?: core.ObjectReference;
  /** Details for people, at most a kilobyte. */
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
