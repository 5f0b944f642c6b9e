export { controlFlow, type FlowControlOptions } from './flow-stage.ts';
export { limitInflight } from './inflight-stage.ts';
export { PriorityLevel } from './priority-level.ts';
export { SharedInflight } from './shared-inflight.ts';
export { seatsOfThread } from './thread-seats.ts';
export type { WorkCounts } from './width.ts';
