import type { Change, ControllerContext, DiscoverySnapshot, InformerSettings } from '@orch/client';
import { abortable, aborted, anySignal, type ScopedSignal } from '@orch/machinery';
import { type CountedResource, countedResources, countingAny } from './counted-resources.ts';
import { type Monitor, monitorOf } from './monitor.ts';

/** Discovery is asked again for bounds that nobody knows, but not more often than this. */
const ASK_AGAIN_MS = 30_000;
/** The same, while not all of discovery could be read. */
const FAILED_AGAIN_MS = 5000;

export type MonitorListener = (monitor: Monitor, change: Change) => void;

interface Running {
  readonly monitor: Monitor;
  readonly scope: ScopedSignal;
  readonly unsubscribe: () => void;
}

/** What can be told about bounds. */
export interface Known {
  /** Those that count against one of the bounds. */
  readonly monitors: readonly Monitor[];
  /** Bounds that nobody can count at the moment, though somebody may again. */
  readonly uncertain: readonly string[];
}

const keyOf = ({ resource: { group, version, resource } }: CountedResource): string =>
  `${group}/${version}/${resource}`;

/**
 * Follows those resources that some quota bounds, from the first time on that one does, for as long as they are served:
 * what no quota speaks of is not asked for. Discovery is read once, and again when a bound is not known.
 */
export class Monitors {
  readonly #context: ControllerContext;
  readonly #listener: MonitorListener;
  readonly #running = new Map<string, Running>();
  #resources: readonly CountedResource[] = [];
  #failed = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #signal: AbortSignal | undefined;

  constructor(context: ControllerContext, listener: MonitorListener) {
    this.#context = context;
    this.#listener = listener;
  }

  /** Lets resources be followed until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#readAtMs = Number.NEGATIVE_INFINITY;
    await aborted(signal);
    for (const key of [...this.#running.keys()]) this.#stop(key);
  }

  /** Begins to follow what counts against these bounds. Rejects when discovery cannot be read at all. */
  async follow(bounds: readonly string[], signal: AbortSignal): Promise<Known> {
    const followed = this.#signal;
    if (followed?.aborted !== false) throw new Error('resources are not followed at the moment');
    if (this.#mustRead(bounds)) await abortable(this.#readOnce(followed), signal);
    followed.throwIfAborted();
    const counting = countingAny(this.#resources, bounds);
    const monitors = counting.map((counted) => this.#monitor(counted, followed));
    const unknown = bounds.filter((bound) => !counting.some(({ evaluator }) => evaluator.counts(bound)));
    return { monitors, uncertain: this.#failed ? unknown : [] };
  }

  #mustRead(bounds: readonly string[]): boolean {
    const sinceMs = this.#context.env.clock.monotonic() - this.#readAtMs;
    if (sinceMs === Number.POSITIVE_INFINITY) return true;
    if (sinceMs < (this.#failed ? FAILED_AGAIN_MS : ASK_AGAIN_MS)) return false;
    return bounds.some((bound) => !this.#resources.some(({ evaluator }) => evaluator.counts(bound)));
  }

  /** One reading for all who wait. */
  #readOnce(signal: AbortSignal): Promise<void> {
    this.#reading ??= this.#read(signal).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const snapshot: DiscoverySnapshot = await this.#context.client.discovery.read(signal);
    this.#readAtMs = this.#context.env.clock.monotonic();
    this.#failed = snapshot.failed.size > 0;
    this.#resources = countedResources(snapshot, this.#context.client.names);
    // A group that did not answer may still be there.
    if (this.#failed) return;
    const served = new Set(this.#resources.map(keyOf));
    for (const key of [...this.#running.keys()]) if (!served.has(key)) this.#stop(key);
  }

  #monitor(counted: CountedResource, signal: AbortSignal): Monitor {
    const key = keyOf(counted);
    const known = this.#running.get(key);
    if (known !== undefined) return known.monitor;
    const scope = anySignal([signal]);
    const settings: InformerSettings = { client: this.#context.client, env: this.#context.env };
    const monitor = monitorOf(counted, this.#context.informers, settings, scope.signal);
    const unsubscribe = monitor.informer.subscribe((change) => this.#listener(monitor, change));
    this.#running.set(key, { monitor, scope, unsubscribe });
    return monitor;
  }

  #stop(key: string): void {
    const running = this.#running.get(key);
    if (running === undefined) return;
    this.#running.delete(key);
    running.unsubscribe();
    running.scope.abort(new Error('no longer followed'));
  }
}
