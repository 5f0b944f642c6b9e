import type { ApiObject } from '@orch/machinery';

/** The content of an event. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  /** Machine-readable reason in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** Records events about objects. Never throws and never waits: events are written in the background, equal ones as one with a count, and dropped beyond a maximum. */
export interface EventRecorder {
  record(about: ApiObject, note: EventNote): void;
}
