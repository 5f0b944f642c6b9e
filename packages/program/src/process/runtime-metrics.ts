import { performance } from 'node:perf_hooks';
import type { MetricsSource } from '@orch/machinery';
import type { Counter, Registry } from 'prom-client';
import { observeLag } from './event-loop-lag.ts';

/** Milliseconds between samples of the library's event loop delay, whose statistics are omitted. */
const UNUSED_SAMPLE_MS = 3_600_000;

/**
 * Default metrics that are left out: functions of the runtime that it does not document, and statistics of the event loop
 * delay, which include the time between samples and are NaN without samples.
 */
const omitted = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  ...['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
    (statistic) => `nodejs_eventloop_lag_${statistic}_seconds`,
  ),
];

/**
 * Metrics of the process and of the runtime by prom-client. The library is loaded at the first scrape: a start does not
 * wait for it, and a process without a scraper does not observe garbage collections.
 */
export function runtimeMetrics(): MetricsSource {
  let registry: Promise<Registry> | undefined;
  return {
    async text() {
      registry ??= openRegistry();
      // The library separates families by empty lines, which the format permits and our own exposition omits.
      return (await (await registry).metrics()).replaceAll('\n\n', '\n');
    },
  };
}

async function openRegistry(): Promise<Registry> {
  // Only the default export exists in source and in bundles.
  const { default: prom } = await import('prom-client');
  const { collectDefaultMetrics, Gauge, Registry } = prom;
  const registry = new Registry();
  const usage = process.cpuUsage();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: UNUSED_SAMPLE_MS });
  for (const name of omitted) registry.removeSingleMetric(name);
  addCpuTime(registry, usage);
  let last = performance.eventLoopUtilization();
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of time that the event loop was busy since the last scrape.',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
  addLag(prom, registry);
  return registry;
}

/**
 * Adds statistics of the event loop lag since the last scrape. `nodejs_eventloop_lag_seconds` is a single sample taken
 * during the scrape, which misses most of the times at which the event loop was blocked.
 */
function addLag({ Gauge }: typeof import('prom-client'), registry: Registry): void {
  const lagOf = observeLag();
  const max = new Gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'Longest lag of the event loop since the last scrape.',
    registers: [registry],
  });
  new Gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: '99th percentile of the lag of the event loop since the last scrape.',
    registers: [registry],
    collect() {
      const { maxSeconds, p99Seconds } = lagOf();
      max.set(maxSeconds);
      this.set(p99Seconds);
    },
  });
}

/** Adds the CPU time before the first scrape, which the library leaves out. */
function addCpuTime(registry: Registry, { user, system }: NodeJS.CpuUsage): void {
  const add = (name: string, micros: number): void =>
    (registry.getSingleMetric(name) as Counter | undefined)?.inc(micros / 1e6);
  add('process_cpu_user_seconds_total', user);
  add('process_cpu_system_seconds_total', system);
  add('process_cpu_seconds_total', user + system);
}
