import type { ApiObject } from '@orch/machinery';

export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  /** Machine-friendly word in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** Tells people what happened to an object. Never throws and never waits: events are written in the background, equal ones as one with a count, and lost beyond a bound. */
export interface EventRecorder {
  record(about: ApiObject, note: EventNote): void;
}
