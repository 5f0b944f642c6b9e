import type { Change, ControllerContext, DiscoverySnapshot } from '@orch/client';
import { abortable, aborted, anySignal, type ScopedSignal } from '@orch/machinery/concurrency';
import { type CountedResource, countedResources, countingAny } from './counted-resources.ts';
import { type Monitor, monitorOf } from './monitor.ts';

/** Minimum interval between discoveries because of an unknown bound. */
const REFRESH_MS = 30_000;
/** The same, while discovery is incomplete. */
const INCOMPLETE_REFRESH_MS = 5000;

export type MonitorListener = (monitor: Monitor, change: Change) => void;

interface Running {
  readonly monitor: Monitor;
  readonly scope: ScopedSignal;
  readonly unsubscribe: () => void;
}

/** The monitors for a list of bounds. */
export interface BoundMonitors {
  /** Monitors of resources that count against one of the bounds. */
  readonly monitors: readonly Monitor[];
  /** Bounds that no monitor counts because discovery is incomplete. */
  readonly uncertain: readonly string[];
}

const keyOf = ({ resource: { group, version, resource } }: CountedResource): string =>
  `${group}/${version}/${resource}`;

/**
 * Monitors the resources that a quota bounds, from the first such quota until the resource is no longer served; other
 * resources are not watched. Discovery is read once, and again for unknown bounds.
 */
export class Monitors {
  readonly #context: ControllerContext;
  readonly #listener: MonitorListener;
  readonly #running = new Map<string, Running>();
  #resources: readonly CountedResource[] = [];
  #failed = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #discovery: Promise<void> | undefined;
  #signal: AbortSignal | undefined;

  constructor(context: ControllerContext, listener: MonitorListener) {
    this.#context = context;
    this.#listener = listener;
  }

  /** Allows monitors until the signal aborts, and stops all of them then. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#readAtMs = Number.NEGATIVE_INFINITY;
    await aborted(signal);
    for (const key of [...this.#running.keys()]) this.#stop(key);
  }

  /** Starts and returns the monitors for these bounds. Rejects when discovery cannot be read. */
  async forBounds(bounds: readonly string[], signal: AbortSignal): Promise<BoundMonitors> {
    const running = this.#signal;
    if (running?.aborted !== false) throw new Error('the resource monitors are not running');
    if (this.#mustDiscover(bounds)) await abortable(this.#discoverOnce(running), signal);
    running.throwIfAborted();
    const counting = countingAny(this.#resources, bounds);
    const monitors = counting.map((counted) => this.#monitor(counted, running));
    const unknown = bounds.filter((bound) => !counting.some(({ evaluator }) => evaluator.counts(bound)));
    return { monitors, uncertain: this.#failed ? unknown : [] };
  }

  #mustDiscover(bounds: readonly string[]): boolean {
    const sinceMs = this.#context.env.clock.monotonic() - this.#readAtMs;
    if (sinceMs === Number.POSITIVE_INFINITY) return true;
    if (sinceMs < (this.#failed ? INCOMPLETE_REFRESH_MS : REFRESH_MS)) return false;
    return bounds.some((bound) => !this.#resources.some(({ evaluator }) => evaluator.counts(bound)));
  }

  /** Concurrent callers share one discovery. */
  #discoverOnce(signal: AbortSignal): Promise<void> {
    this.#discovery ??= this.#discover(signal).finally(() => {
      this.#discovery = undefined;
    });
    return this.#discovery;
  }

  async #discover(signal: AbortSignal): Promise<void> {
    const snapshot: DiscoverySnapshot = await this.#context.client.discovery.read(signal);
    this.#readAtMs = this.#context.env.clock.monotonic();
    this.#failed = snapshot.failed.size > 0;
    this.#resources = countedResources(snapshot, this.#context.client.names);
    // Resources of a group that failed may still be served.
    if (this.#failed) return;
    const served = new Set(this.#resources.map(keyOf));
    for (const key of [...this.#running.keys()]) if (!served.has(key)) this.#stop(key);
  }

  #monitor(counted: CountedResource, signal: AbortSignal): Monitor {
    const key = keyOf(counted);
    const running = this.#running.get(key);
    if (running !== undefined) return running.monitor;
    const scope = anySignal([signal]);
    const monitor = monitorOf(counted, this.#context, scope.signal);
    const unsubscribe = monitor.informer.subscribe((change) => this.#listener(monitor, change));
    this.#running.set(key, { monitor, scope, unsubscribe });
    return monitor;
  }

  #stop(key: string): void {
    const running = this.#running.get(key);
    if (running === undefined) return;
    this.#running.delete(key);
    running.unsubscribe();
    running.scope.abort(new Error('the resource is not served any more'));
  }
}
