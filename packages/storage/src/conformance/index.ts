export { type Faults, FaultyStore } from '../faulty-store.ts';
export { describeStore } from './suite.ts';
export { WatchRecorder } from './watch-recorder.ts';
