export { type Run, startInProcess } from './run-in-process.ts';
