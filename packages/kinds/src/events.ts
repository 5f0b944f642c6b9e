// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

export type Event = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly eventTime?: string | null;
  readonly series?: EventSeries;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly regarding?: core.ObjectReference;
  readonly related?: core.ObjectReference;
  readonly note?: string;
  readonly type?: string;
  readonly deprecatedSource?: core.EventSource;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedCount?: number;
};

export type EventSeries = {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
};

export type EventSeriesV1beta1 = {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
  readonly state?: string;
};

export type EventV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly eventTime?: string | null;
  readonly series?: EventSeriesV1beta1;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly regarding?: core.ObjectReference;
  readonly related?: core.ObjectReference;
  readonly note?: string;
  readonly type?: string;
  readonly deprecatedSource?: core.EventSource;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedCount?: number;
};
