import { type HealthRecord, LiveHealth } from '@orch/console/health';
import type { Env } from '@orch/machinery';
import { sleep, Turns } from '@orch/machinery/concurrency';
import type { BackgroundTask } from '@orch/program';
import type { StartContext } from './start-context.ts';

/** A reading costs a few milliseconds, or more with many resources. Two of them are the minute that conditions are about. */
const INTERVAL_MS = 30_000;

/** What the process remembers of its own metrics, for people without Prometheus. */
export interface LastHour {
  readonly read: () => Promise<HealthRecord>;
  /** Readings of the metrics, in the first thread only. */
  readonly tasks: readonly BackgroundTask[];
}

interface LastHourParts {
  readonly host: Pick<StartContext['host'], 'env' | 'furtherThread'>;
  readonly threads: Pick<StartContext['threads'], 'answerLastHour'>;
}

/** Reads the metrics of all threads in the first one; further ones ask it. */
export function lastHourOf({ host: { env, furtherThread }, threads }: LastHourParts): LastHour {
  if (furtherThread !== undefined) return { read: furtherThread.lastHour, tasks: [] };
  const health = watchedHealth(env);
  const read = async (): Promise<HealthRecord> => ({ points: health.points, episodes: health.episodes });
  threads.answerLastHour(read);
  return { read, tasks: [['own metrics of the last hour', (stop) => watched(health, env, stop)]] };
}

/** Begins after an interval: what blocks a server that starts needs no attention. */
async function watched(health: LiveHealth, { clock }: Pick<Env, 'clock'>, stop: AbortSignal): Promise<void> {
  await sleep(clock, INTERVAL_MS, stop).catch(() => undefined);
  await health.run(stop);
}

/** Metrics are read in turns: those of a large server would hold the event loop. */
function watchedHealth(env: Env): LiveHealth {
  const turns = new Turns(env);
  return new LiveHealth({
    readMetrics: () => env.metrics.exposition('text'),
    intervalMs: INTERVAL_MS,
    env,
    run: (work) => turns.run(work),
    onChange() {},
  });
}
