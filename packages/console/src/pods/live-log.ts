import { type FollowOptions, TransportError } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { Backoff } from '@orch/machinery/concurrency';
import type { Connection } from '../api/connection.ts';
import { type ObjectPlace, pathOf } from '../api/objects.ts';
import type { Freshness } from '../rows/live-rows.ts';
import { LogLines } from './log-lines.ts';

/** The log of a container that is read. */
export interface LogChoice {
  readonly place: ObjectPlace;
  readonly container: string;
  /** Reads the log of the previous run. */
  readonly isPrevious: boolean;
}

export interface LiveLogOptions {
  readonly connection: Connection;
  readonly choice: LogChoice;
  /** Whether the container is running now: servers end a log in the same way when they lose the node and when it has ended. */
  readonly isRunning: () => boolean;
  readonly env: FollowOptions['env'];
  readonly onChange: () => void;
}

/** Lines at the end of the log at the time when it is opened. */
const TAIL_LINES = 1000;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 15_000;

/** The end of the log of a container, and what is added to it, until the container ends or the signal of `run` aborts. */
export class LiveLog {
  readonly lines = new LogLines();
  freshness: Freshness | { readonly phase: 'ended' } = { phase: 'loading' };
  readonly #options: LiveLogOptions;

  constructor(options: LiveLogOptions) {
    this.#options = options;
  }

  /** Never rejects: a final failure is the freshness. A lost connection is resumed after the last line. */
  async run(signal: AbortSignal): Promise<void> {
    const { env } = this.#options;
    const retry = new Backoff(env, FIRST_WAIT_MS, MAX_WAIT_MS);
    try {
      while (!(await this.#read(retry, signal))) await retry.wait(signal);
    } catch (problem) {
      if (!signal.aborted) this.#become({ phase: 'failed', problem });
    }
  }

  /** Resolves with true at the end of the log, and with false after a failure that another attempt may change. */
  async #read(retry: Backoff, signal: AbortSignal): Promise<boolean> {
    const { connection, choice, isRunning } = this.#options;
    const target = `${pathOf(choice.place)}/log?${this.#query()}`;
    this.lines.resume();
    try {
      const onOpen = (): void => this.#become({ phase: 'live' });
      for await (const part of connection.parts({ target, accept: '*/*' }, signal, onOpen)) {
        retry.reset();
        this.lines.add(part);
        this.#options.onChange();
      }
      if (isRunning() && !choice.isPrevious)
        throw new TransportError('noEffect', 'the server has ended the log of a running container');
      this.lines.end();
      this.#become({ phase: 'ended' });
      return true;
    } catch (problem) {
      if (signal.aborted || !isTemporary(problem)) throw problem;
      const { freshness } = this;
      const sinceMs = freshness.phase === 'stale' ? freshness.sinceMs : this.#options.env.clock.now();
      this.#become({ phase: 'stale', sinceMs, problem });
      return false;
    }
  }

  #query(): URLSearchParams {
    const { container, isPrevious } = this.#options.choice;
    const { lastTime } = this.lines;
    return new URLSearchParams({
      ...{ container, timestamps: 'true' },
      ...(isPrevious ? { previous: 'true' } : { follow: 'true' }),
      ...(lastTime === '' ? { tailLines: String(TAIL_LINES) } : { sinceTime: lastTime }),
    });
  }

  #become(freshness: LiveLog['freshness']): void {
    this.freshness = freshness;
    this.#options.onChange();
  }
}

const isTemporary = (problem: unknown): boolean =>
  problem instanceof ApiError
    ? problem.status.code === 429 || problem.status.code >= 500
    : problem instanceof TransportError;
