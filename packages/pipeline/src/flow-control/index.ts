export { controlFlow, type FlowControlOptions } from './flow-stage.ts';
export { limitInflight } from './inflight-stage.ts';
