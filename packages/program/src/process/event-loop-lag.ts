import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between samples of the event loop lag. The default of 10 would cost 0.5 % of a CPU in an idle process. */
const LAG_SAMPLE_MS = 100;

export interface EventLoopLag {
  readonly maxSeconds: number;
  readonly p99Seconds: number;
}

/** Observes the event loop of this thread from now on. The returned function gives the lag since its last call. */
export function observeLag(): () => EventLoopLag {
  const delay = monitorEventLoopDelay({ resolution: LAG_SAMPLE_MS });
  delay.enable();
  // A delay includes the time between samples. Without a sample the histogram has no percentiles.
  const seconds = (nanoseconds: number): number =>
    delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - LAG_SAMPLE_MS / 1000);
  return () => {
    const lag = { maxSeconds: seconds(delay.max), p99Seconds: seconds(delay.percentile(99)) };
    delay.reset();
    return lag;
  };
}
