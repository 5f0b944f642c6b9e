import type { FollowOptions } from '@orch/client';
import { atOnce, sleep, type Work } from '@orch/machinery/concurrency';
import type { Freshness } from '../rows/live-rows.ts';
import { type Episode, episodesAfter } from './episodes.ts';
import { type Exposition, expositionIn } from './exposition.ts';
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

/** What a server remembers of its health. It is JSON. */
export interface HealthRecord {
  readonly points: readonly HealthPoint[];
  readonly episodes: readonly Episode[];
}

export interface LiveHealthOptions {
  /** The metrics in the text format. */
  readonly readMetrics: (signal: AbortSignal) => Promise<string>;
  /** What was before the first reading; undefined where nobody remembers it. */
  readonly readPast?: (signal: AbortSignal) => Promise<HealthRecord | undefined>;
  /** The time between readings; at most half a minute. */
  readonly intervalMs: number;
  /** The time between the first two readings, so that a page has rates soon; the interval when absent. */
  readonly firstIntervalMs?: number;
  readonly env: FollowOptions['env'];
  /** Runs long work in pieces; at once when absent. */
  readonly run?: <T>(work: Work<T>) => T | Promise<T>;
  readonly onChange: () => void;
}

interface Reading {
  readonly series: Exposition;
  readonly atMs: number;
}

/** Rates are those of the last minute. */
const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;
const DEADLINE_MS = 20_000;

/** The metrics of a replica, read at an interval until the signal of `run` aborts. */
export class LiveHealth {
  freshness: Freshness = { phase: 'loading' };
  /** Undefined before the second reading. */
  state: ReplicaState | undefined;
  /** Start of the process that answers, in epoch milliseconds. */
  startedMs = 0;
  /** The values of the last hour, the oldest first. */
  readonly points: HealthPoint[] = [];
  /** What needed attention in the last hour. */
  episodes: readonly Episode[] = [];
  readonly #options: LiveHealthOptions;
  #readings: Reading[] = [];

  constructor(options: LiveHealthOptions) {
    this.#options = options;
  }

  /** Never rejects: a failure is the freshness, and is followed by another attempt. */
  async run(signal: AbortSignal): Promise<void> {
    const { env, onChange, intervalMs, firstIntervalMs = intervalMs } = this.#options;
    await this.#readPast(signal);
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
      await sleep(env.clock, this.#readings.length === 1 ? firstIntervalMs : intervalMs, signal).catch(
        () => undefined,
      );
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { readMetrics, env, run = atOnce } = this.#options;
    const text = await readMetrics(withDeadline(signal));
    const atMs = env.clock.monotonic();
    this.take({ series: await run(expositionIn(text, stateSeries)), atMs });
  }

  async #readPast(signal: AbortSignal): Promise<void> {
    // Without the past, the present is still there; a failure that lasts is that of the readings.
    const past = await this.#options.readPast?.(withDeadline(signal)).catch(() => undefined);
    if (past === undefined) return;
    this.points.push(...past.points);
    this.episodes = past.episodes;
  }

  /** Adds a reading. The first reading of another process replaces the earlier ones, because its counters start at zero. */
  take(reading: Reading): void {
    const startedMs = (reading.series.get(START_TIME)?.[0]?.value ?? 0) * 1000;
    if (startedMs !== this.startedMs) this.#readings = [];
    this.startedMs = startedMs;
    this.#readings.push(reading);
    if (this.#readings.length > WINDOW_MS / this.#options.intervalMs + 1) this.#readings.shift();
    const [first] = this.#readings;
    if (first === undefined || first === reading) return;
    const seconds = (reading.atMs - first.atMs) / 1000;
    this.state = stateOf({ before: first.series, after: reading.series, seconds });
    this.episodes = episodesAfter(this.episodes, this.state.findings, this.#options.env.clock.now());
    this.#addPoint(this.state);
  }

  #addPoint({ requests, lagSeconds, watches }: ReplicaState): void {
    const nowMs = this.#options.env.clock.now();
    this.points.push({
      timeMs: nowMs,
      requestsPerSecond: requests.perSecond,
      errorsPerSecond: requests.serverErrorsPerSecond,
      lagMs: lagSeconds * 1000,
      watches: watches.open,
    });
    while ((this.points[0]?.timeMs ?? nowMs) <= nowMs - HOUR_MS) this.points.shift();
  }
}

const withDeadline = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
