import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { type DebugEndpoint, jsonAnswer, secondsOf } from './endpoint.ts';

const bounds = { initial: 1, most: 30 } as const;
const RESOLUTION_MS = 10;
const PERCENTILES = [50, 90, 99, 99.9] as const;

/** Statistics of the event loop and of the memory of this process. */
export const runtimeEndpoints = (clock: Clock): readonly DebugEndpoint[] => [
  {
    path: '/debug/event-loop',
    summary: `Lag and utilization of the event loop, measured for ?seconds=${bounds.initial} (at most ${bounds.most}).`,
    methods: ['GET'],
    async answer({ query, signal }) {
      const seconds = secondsOf(query, bounds);
      return typeof seconds === 'number'
        ? jsonAnswer(await eventLoopFigures(clock, seconds, signal))
        : seconds;
    },
  },
  {
    path: '/debug/memory',
    summary: 'Memory of the process and of the spaces of its heap, in bytes.',
    methods: ['GET'],
    answer: () => jsonAnswer(memoryFigures()),
  },
];

async function eventLoopFigures(clock: Clock, seconds: number, signal: AbortSignal): Promise<object> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const before = performance.eventLoopUtilization();
  delay.enable();
  try {
    await sleep(clock, seconds * 1000, signal);
  } finally {
    delay.disable();
  }
  // A delay includes the time between samples.
  const lagMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    seconds,
    samples: delay.count,
    utilization: performance.eventLoopUtilization(before).utilization,
    lagMs: {
      mean: delay.count === 0 ? 0 : lagMs(delay.mean),
      ...Object.fromEntries(
        PERCENTILES.map((percentile) => [`p${percentile}`, lagMs(delay.percentile(percentile))]),
      ),
      max: lagMs(delay.max),
    },
    activeResources: countsOf(process.getActiveResourcesInfo()),
  };
}

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const memoryFigures = (): object => ({
  process: process.memoryUsage(),
  heap: getHeapStatistics(),
  spaces: getHeapSpaceStatistics(),
  uptimeSeconds: process.uptime(),
});
