import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { createMetrics } from '@orch/machinery/env';
import { versionInfo } from '../version-info.ts';
import { processMetrics } from './process-metrics.ts';

function open() {
  const metrics = createMetrics();
  const version = versionInfo({
    release: '1.24',
    product: 'orch',
    build: { version: '1.2.3', commit: 'c', date: '' },
    runtime: process.version,
    platform: 'linux/amd64',
  });
  processMetrics(metrics, { names: namesFor('orch'), version });
  return metrics;
}

const sampleOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

describe('process metrics', () => {
  it('the exposition has metrics of process, runtime and build under the names of Prometheus clients', async () => {
    const text = await open().exposition();
    for (const name of [
      'orch_build_info',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'process_open_fds',
      'process_max_fds',
      'nodejs_heap_size_used_bytes',
      'nodejs_external_memory_bytes',
      'nodejs_eventloop_utilization',
      'nodejs_eventloop_lag_seconds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_eventloop_lag_max_seconds',
    ])
      assert.match(text, new RegExp(`^${name}[{ ]`, 'm'), name);
    assert.match(text, /^# TYPE nodejs_gc_duration_seconds histogram$/m);
  });

  it('CPU time counts from the start of the process', async () => {
    const { user, system } = process.cpuUsage();
    const text = await open().exposition();
    const seconds = sampleOf(text, 'process_cpu_seconds_total');
    const { user: userAfter, system: systemAfter } = process.cpuUsage();
    assert.ok(seconds >= (user + system) / 1e6, `${seconds}`);
    assert.ok(seconds <= (userAfter + systemAfter) / 1e6 + 0.01, `${seconds}`);
    const start = sampleOf(text, 'process_start_time_seconds');
    assert.ok(Math.abs(start - (Date.now() / 1000 - process.uptime())) < 5, `${start}`);
  });

  it('every line is a comment or a sample, and every family is declared once', async () => {
    const metrics = open();
    await metrics.exposition();
    const types = new Set<string>();
    for (const line of (await metrics.exposition()).trimEnd().split('\n')) {
      const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)?.[1];
      if (type === undefined) assert.match(line, /^(# HELP .+|[a-zA-Z_:][\w:]*(\{.*\})? [-+\d.e]+)$/);
      else {
        assert.ok(!types.has(type), line);
        types.add(type);
      }
    }
  });
});
