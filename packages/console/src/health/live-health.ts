import type { FollowOptions } from '@orch/client';
import { sleep } from '@orch/machinery/concurrency';
import type { Connection } from '../api/connection.ts';
import type { Freshness } from '../rows/live-rows.ts';
import { type Episode, episodesAfter } from './episodes.ts';
import { type Exposition, parseExposition } from './exposition.ts';
import { type ReplicaState, stateOf, stateSeries } from './state.ts';
import { START_TIME } from './summary.ts';

/** The values of one moment that charts show. */
export interface HealthPoint {
  readonly timeMs: number;
  readonly requestsPerSecond: number;
  readonly errorsPerSecond: number;
  readonly lagMs: number;
  readonly watches: number;
}

export interface LiveHealthOptions {
  readonly connection: Connection;
  readonly env: FollowOptions['env'];
  readonly onChange: () => void;
}

interface Reading {
  readonly series: Exposition;
  readonly atMs: number;
}

/** Interval of readings. */
const INTERVAL_MS = 5000;
/** Rates are those of the last minute. */
const WINDOW_READINGS = 12;
/** An hour. */
const MAX_POINTS = 720;
const DEADLINE_MS = 20_000;

/** The metrics of the replica that answers, read every five seconds until the signal of `run` aborts. */
export class LiveHealth {
  freshness: Freshness = { phase: 'loading' };
  /** Undefined before the second reading. */
  state: ReplicaState | undefined;
  /** Start of the process that answers, in epoch milliseconds. */
  startedMs = 0;
  readonly points: HealthPoint[] = [];
  /** What needed attention in the last hour, since the first reading. */
  episodes: readonly Episode[] = [];
  readonly #options: LiveHealthOptions;
  #readings: Reading[] = [];

  constructor(options: LiveHealthOptions) {
    this.#options = options;
  }

  /** Never rejects: a failure is the freshness, and is followed by another attempt. */
  async run(signal: AbortSignal): Promise<void> {
    const { env, onChange } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#read(signal);
        this.freshness = { phase: 'live' };
      } catch (problem) {
        if (signal.aborted) return;
        const { freshness } = this;
        const sinceMs = freshness.phase === 'stale' ? freshness.sinceMs : env.clock.now();
        this.freshness = { phase: 'stale', sinceMs, problem };
      }
      onChange();
      await sleep(env.clock, this.#readings.length === 1 ? 1000 : INTERVAL_MS, signal).catch(() => undefined);
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { connection, env } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const text = await connection.text({ target: '/metrics', accept: 'text/plain' }, limit);
    this.take({ series: parseExposition(text, stateSeries), atMs: env.clock.monotonic() });
  }

  /** Adds a reading. The first reading of another process replaces the earlier ones, because its counters start at zero. */
  take(reading: Reading): void {
    const startedMs = (reading.series.get(START_TIME)?.[0]?.value ?? 0) * 1000;
    if (startedMs !== this.startedMs) this.#readings = [];
    this.startedMs = startedMs;
    this.#readings.push(reading);
    if (this.#readings.length > WINDOW_READINGS + 1) this.#readings.shift();
    const [first] = this.#readings;
    if (first === undefined || first === reading) return;
    const seconds = (reading.atMs - first.atMs) / 1000;
    this.state = stateOf({ before: first.series, after: reading.series, seconds });
    this.episodes = episodesAfter(this.episodes, this.state.findings, this.#options.env.clock.now());
    this.#addPoint(this.state);
  }

  #addPoint({ requests, lagSeconds, watches }: ReplicaState): void {
    this.points.push({
      timeMs: this.#options.env.clock.now(),
      requestsPerSecond: requests.perSecond,
      errorsPerSecond: requests.serverErrorsPerSecond,
      lagMs: lagSeconds * 1000,
      watches: watches.open,
    });
    if (this.points.length > MAX_POINTS) this.points.shift();
  }
}
