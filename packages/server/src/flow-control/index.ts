export { controlFlow, type FlowControlOptions } from './flow-stage.ts';
