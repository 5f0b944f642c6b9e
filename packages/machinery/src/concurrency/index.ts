export { type ThreadTurns, TurnSchedule } from '../turn-schedule.ts';
export {
  abortable,
  aborted,
  allowListeners,
  anySignal,
  DeadlineExceeded,
  expectManyListeners,
  onAbort,
  type ScopedSignal,
  sleep,
  withDeadline,
} from './abort.ts';
export { AsyncQueue } from './async-queue.ts';
export { Backoff } from './backoff.ts';
export { type Deadline, DeadlineQueue, disarm } from './deadline-queue.ts';
export { type Deferred, deferred } from './deferred.ts';
export { Semaphore } from './semaphore.ts';
export { byUnits, type SortInPiecesOptions, sortInPieces } from './sort-in-pieces.ts';
export { type BucketRate, TokenBucket, TokenBuckets } from './token-bucket.ts';
export { atOnce, Pace, Turns, type Work } from './turns.ts';
export { UsedResource } from './used-resource.ts';
export { whenFulfilled, whenRejected, whenSettled } from './when.ts';
export { yieldToEventLoop } from './yield-to-event-loop.ts';
