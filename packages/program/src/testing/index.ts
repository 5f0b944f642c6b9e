export { type CapturedRun, capturedRun } from './captured-run.ts';
