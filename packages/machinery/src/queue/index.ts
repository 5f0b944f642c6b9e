export { KeyLoop, type KeyLoopOptions } from './key-loop.ts';
export { RateLimit, type RateLimitOptions } from './rate-limit.ts';
export { type RoundsOptions, runRounds } from './rounds.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
export { Workers, type WorkersOptions, type WorkResult } from './workers.ts';
