import { type ServerSummary, summaryOf } from '@orch/console/health';
import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { CommandError } from '../../../command-error.ts';
import type { Io } from '../../../io.ts';
import type { Session } from '../../../session/session.ts';
import { type Scrape, scrape } from './scrape.ts';
import { readSurroundings, type Surroundings } from './surroundings.ts';

/** One view of the server. */
export interface Snapshot extends ServerSummary, Surroundings {
  /** The replica that the numbers belong to. */
  readonly replica: string;
  readonly startedAt: string;
  /** Since the start of the process of the replica. */
  readonly upSeconds: number;
  readonly intervalSeconds: number;
}

interface Sampling {
  readonly session: Session;
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly intervalMs: number;
}

/**
 * A load balancer may route each request to another replica: after this many requests a missing replica is given up.
 */
const MAX_SCRAPES = 10;

/** Reads the metrics of a server at intervals. Each snapshot compares two scrapes of the same process. */
export class ServerSampler {
  readonly #sampling: Sampling;
  readonly #clock: Clock;
  /** The last scrape of every process that answered, by replica. */
  readonly #last = new Map<string, Scrape>();

  constructor(sampling: Sampling) {
    this.#sampling = sampling;
    this.#clock = sampling.io.env.clock;
  }

  /** Resolves after one interval, or more until a replica has answered twice. Throws a `CommandError`. */
  async next(): Promise<Snapshot> {
    const { intervalMs, signal } = this.#sampling;
    for (let count = 0; count < MAX_SCRAPES; count++) {
      if (this.#last.size > 0) await sleep(this.#clock, intervalMs, signal);
      const snapshot = await this.#compare(await this.#scrape());
      if (snapshot !== undefined) return snapshot;
    }
    const names = [...this.#last.values()].map(({ replica }) => replica).join(', ');
    throw new CommandError(
      `every request was answered by another replica (${names}); use --server with the address of one of them`,
    );
  }

  #scrape(): Promise<Scrape> {
    const { session, io, signal } = this.#sampling;
    return scrape({
      session,
      signal,
      now: () => this.#clock.monotonic(),
      newId: () => io.env.random.uuid(),
    });
  }

  async #compare(scraped: Scrape): Promise<Snapshot | undefined> {
    const before = this.#last.get(scraped.replica);
    this.#last.set(scraped.replica, scraped);
    // A replica that was started again counts from 0.
    if (before === undefined || before.startedAtMs !== scraped.startedAtMs) return undefined;
    const { session, signal } = this.#sampling;
    const seconds = (scraped.atMs - before.atMs) / 1000;
    return {
      replica: scraped.replica,
      startedAt: new Date(scraped.startedAtMs).toISOString(),
      upSeconds: Math.max(0, Math.round((this.#clock.now() - scraped.startedAtMs) / 1000)),
      intervalSeconds: seconds,
      ...(await readSurroundings({ session, clock: this.#clock, signal })),
      ...summaryOf({ before: before.series, after: scraped.series, seconds }),
    };
  }
}
