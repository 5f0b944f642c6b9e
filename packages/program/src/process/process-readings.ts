import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { ProcessReadings } from './process-metrics.ts';

/** Readings of this process. */
export function processReadings(): ProcessReadings {
  let last = performance.eventLoopUtilization();
  return {
    cpuSeconds() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    memory: () => process.memoryUsage(),
    openDescriptors() {
      try {
        return readdirSync('/proc/self/fd').length;
      } catch {
        return undefined;
      }
    },
    loopUtilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    uptimeSeconds: () => process.uptime(),
  };
}
