export { RateLimit, type RateLimitOptions } from './rate-limit.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
