import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '@orch/machinery/env';
import { threadMetrics } from './thread-metrics.ts';

const cpuSeconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
};

const sampleOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}\\{thread="2"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

describe('the metrics of a serving thread', () => {
  it('the CPU time of a thread counts from its start, and its event loop has a utilization and a lag', async () => {
    const metrics = createMetrics();
    threadMetrics(metrics, 2);
    for (let scrape = 0; scrape < 2; scrape += 1) {
      const before = cpuSeconds();
      const text = await metrics.exposition();
      const counted = sampleOf(text, 'process_thread_cpu_seconds_total');
      assert.ok(counted >= before && counted <= cpuSeconds(), `${counted}`);
      const utilization = sampleOf(text, 'nodejs_thread_eventloop_utilization');
      assert.ok(utilization >= 0 && utilization <= 1, `${utilization}`);
      for (const statistic of ['max', 'p99'])
        assert.ok(sampleOf(text, `nodejs_thread_eventloop_lag_${statistic}_seconds`) >= 0, statistic);
    }
  });
});
