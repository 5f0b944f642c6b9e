import { performance } from 'node:perf_hooks';
import type { Metrics } from '@orch/machinery';
import { type EventLoopLag, observeLag } from './event-loop-lag.ts';

/**
 * Adds the metrics of this thread of a process with several: its CPU time, and the utilization and lag of its event loop since the
 * last scrape, which is observed from the first one on.
 */
export function threadMetrics(metrics: Metrics, number: number): void {
  const thread = String(number);
  const gauge = (name: string, help: string) =>
    metrics.gauge({ name, help, labels: ['thread'] }).series(thread);
  const cpu = metrics
    .counter({
      name: 'process_thread_cpu_seconds_total',
      help: 'CPU time of a serving thread, without the work that the runtime does for it in other threads.',
      labels: ['thread'],
    })
    .series(thread);
  const utilization = gauge(
    'nodejs_thread_eventloop_utilization',
    'Share of time that the event loop of a serving thread was busy since the last scrape.',
  );
  const max = gauge(
    'nodejs_thread_eventloop_lag_max_seconds',
    'Longest lag of the event loop of a serving thread since the last scrape.',
  );
  const p99 = gauge(
    'nodejs_thread_eventloop_lag_p99_seconds',
    '99th percentile of the lag of the event loop of a serving thread since the last scrape.',
  );
  let lagOf: (() => EventLoopLag) | undefined;
  let last = performance.eventLoopUtilization();
  let counted = 0;
  metrics.onCollect(() => {
    const { user, system } = process.threadCpuUsage();
    cpu.inc((user + system - counted) / 1e6);
    counted = user + system;
    const now = performance.eventLoopUtilization();
    utilization.set(performance.eventLoopUtilization(now, last).utilization);
    last = now;
    lagOf ??= observeLag();
    const { maxSeconds, p99Seconds } = lagOf();
    max.set(maxSeconds);
    p99.set(p99Seconds);
  });
}
