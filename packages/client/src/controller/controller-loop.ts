import { checkFiniteOptions, type Env, type Logger } from '@orch/machinery';
import { abortable, anySignal, deferred, sleep } from '@orch/machinery/concurrency';
import { Workers, WorkQueue } from '@orch/machinery/queue';
import { type ControllerMetrics, controllerMetrics } from './controller-metrics.ts';
import type { Controller, Source } from './types.ts';

/** A controller and its queue. `run` may be called again after it has ended: every run starts with an empty queue. */
export interface ControllerLoop {
  readonly name: string;
  /** Whether reconciliation has started: all initial objects are in the queue. */
  readonly isSynced: boolean;
  /** Number of keys that are ready. */
  readonly waiting: number;
  /** Resolves when the signal has aborted and all work has ended. */
  run(signal: AbortSignal): Promise<void>;
}

/** Interval of log entries about sources that have not synced. */
const PROGRESS_MS = 10_000;
/** Delay before a source that has ended runs again, and between checks for free capacity of a full queue. */
const ROOM_MS = 1000;

const ignore = (): void => undefined;

/** Limits of a running controller. */
export interface LoopOptions {
  /** Maximum number of queued keys. Further keys are dropped, and the sources run again when there is capacity. */
  readonly capacity?: number;
  /** Called before each reconciliation, which starts only if it returns true: a leadership may expire unnoticed. */
  readonly mayWork?: () => boolean;
}

/** Prepares a controller to run. */
export function controllerLoop<K>(
  env: Env,
  controller: Controller<K>,
  options: LoopOptions = {},
): ControllerLoop {
  return new Loop(env, controller, options);
}

class Loop<K> implements ControllerLoop {
  readonly name: string;
  readonly #env: Env;
  readonly #controller: Controller<K>;
  readonly #options: LoopOptions;
  readonly #log: Logger;
  readonly #metrics: ControllerMetrics;
  #queue: WorkQueue<K> | undefined;
  #isSynced = false;

  constructor(env: Env, controller: Controller<K>, options: LoopOptions) {
    checkFiniteOptions(controller, ['concurrency'], { least: 1 });
    checkFiniteOptions(controller, ['deadlineMs'], { above: 0 });
    checkFiniteOptions(options, ['capacity'], { above: 0 });
    this.name = controller.name;
    this.#env = env;
    this.#controller = controller;
    this.#options = options;
    this.#log = env.log.with({ controller: controller.name });
    this.#metrics = controllerMetrics(env.metrics, controller.name);
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  get waiting(): number {
    return this.#queue?.size ?? 0;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#queue !== undefined) throw new Error(`${this.name} is running already`);
    const { backoff, concurrency = 1 } = this.#controller;
    const { capacity } = this.#options;
    const queue = new WorkQueue<K>(this.#env, {
      name: this.name,
      ...(backoff === undefined ? {} : { rateLimit: backoff }),
      ...(capacity === undefined ? {} : { capacity }),
    });
    this.#queue = queue;
    // The keys of existing objects are not in the queue yet: that is work, too.
    const started = this.#env.work?.opened({ name: this.name, size: 1, working: 0, failing: 0 });
    const sources = this.#feed(queue, signal);
    try {
      if (await this.#synced(signal)) {
        this.#isSynced = true;
        started?.();
        this.#log.info('controller works', { keys: queue.size, concurrency });
        await this.#workers(queue).run(signal);
      }
    } finally {
      this.#isSynced = false;
      started?.();
      queue.discard();
      this.#queue = undefined;
    }
    await sources;
  }

  /** Runs the sources, and all of them again after keys were dropped. Never rejects. */
  async #feed(queue: WorkQueue<K>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      using round = anySignal([signal]);
      const overflow = deferred();
      const add = (key: K, delayMs = 0): void => {
        if (!queue.addAfter(key, delayMs) && !round.signal.aborted) overflow.resolve();
      };
      const ended = Promise.all(
        this.#controller.sources.map((s, i) => this.#source(s, i, add, round.signal)),
      );
      await abortable(overflow.promise, signal).catch(ignore);
      if (!signal.aborted) this.#log.error('the queue was full, the sources run again', { keys: queue.size });
      while (!signal.aborted && !queue.hasRoom) await this.#pause(ROOM_MS, signal);
      round.abort(new Error('the sources run again'));
      await ended;
    }
  }

  async #source(
    source: Source<K>,
    index: number,
    add: (key: K, delayMs?: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        await source.run(add, signal);
      } catch (error) {
        if (!signal.aborted) this.#log.error('a source failed and runs again', { source: index, error });
      }
      if (!signal.aborted) await this.#pause(ROOM_MS, signal);
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return sleep(this.#env.clock, ms, signal).catch(ignore);
  }

  /** Waits until all sources have synced. False when the signal aborts before. */
  async #synced(signal: AbortSignal): Promise<boolean> {
    const waiting = new Set<number>();
    using scope = anySignal([signal]);
    const all = this.#controller.sources.map(async (source, i) => {
      waiting.add(i);
      await source.synced(scope.signal);
      waiting.delete(i);
    });
    const startedAt = this.#env.clock.monotonic();
    const progress = async (): Promise<void> => {
      for (;;) {
        await sleep(this.#env.clock, PROGRESS_MS, scope.signal);
        const seconds = Math.round((this.#env.clock.monotonic() - startedAt) / 1000);
        this.#log.info('waiting for sources', { waiting: waiting.size, of: all.length, seconds });
      }
    };
    const reporting = progress().catch(ignore);
    try {
      await Promise.all(all);
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    } finally {
      scope.abort(new Error('waited'));
      await reporting;
    }
  }

  #workers(queue: WorkQueue<K>): Workers<K> {
    const { concurrency = 1, deadlineMs } = this.#controller;
    const { mayWork } = this.#options;
    return new Workers(queue, {
      clock: this.#env.clock,
      log: this.#log,
      workers: concurrency,
      failed: 'reconcile failed, trying again',
      work: async (key, signal) => (await this.#controller.reconcile(key, signal)).requeueAfterMs,
      ended: (result, seconds) => this.#metrics.ended(result, seconds),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(mayWork === undefined ? {} : { mayWork }),
    });
  }
}
