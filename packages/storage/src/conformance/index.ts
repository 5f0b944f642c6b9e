export { type Faults, FaultyStore, type FaultyStoreOptions } from '../faulty-store.ts';
export type { OpenedStore } from './opened-store.ts';
export { describeStore } from './suite.ts';
export { WatchRecorder } from './watch-recorder.ts';
