export { FAKE_EPOCH_MS, FakeClock, settle } from './fake-clock.ts';
export { freePorts } from './free-ports.ts';
export { eventually, poll, until } from './poll.ts';
export { seededRandom } from './seeded-random.ts';
export { type RecordedLog, recordedLog, type TestEnv, testEnv } from './test-env.ts';
