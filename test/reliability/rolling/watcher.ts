import { setTimeout as pause } from 'node:timers/promises';
import type { Received } from './history.ts';
import type { Wire } from './wire.ts';

/** Pause before a watch is opened again after its connection was closed, and its limit after further ones. */
const RETRY_MS = 50;
const MOST_RETRY_MS = 5_000;

export interface WatcherOptions {
  readonly wire: Wire;
  readonly namespace: string;
  readonly resourceVersion: number;
  /** Duration of each watch in seconds. */
  readonly timeoutSeconds: () => number;
}

interface WireEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly resourceVersion: string; readonly uid?: string };
    readonly message?: string;
  };
}

/**
 * A client that has listed once, and watches from then on: each further watch continues after the last event or
 * bookmark, as in informers. Everything that would make an informer list again is a failure.
 */
export class Watcher {
  readonly namespace: string;
  readonly events: Received[] = [];
  readonly failures: string[] = [];
  /** Watches that ended with a complete answer, and those whose connection was closed. */
  ended = 0;
  closed = 0;
  position: number;
  readonly #options: WatcherOptions;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.namespace = options.namespace;
    this.position = options.resourceVersion;
  }

  /** Begins after a delay: clients of a cluster do not start at the same moment. */
  async run(signal: AbortSignal, delayMs: number): Promise<void> {
    const { wire, namespace, timeoutSeconds } = this.#options;
    await pause(delayMs);
    let retryMs = RETRY_MS;
    while (!signal.aborted && this.failures.length === 0) {
      const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${timeoutSeconds()}&resourceVersion=${this.position}`;
      const path = `/api/v1/namespaces/${namespace}/configmaps?${query}`;
      const outcome = await wire.watch(path, (line) => this.#take(line));
      if (signal.aborted) return;
      if (outcome.kind === 'answered') {
        retryMs = RETRY_MS;
        if (outcome.status === 200) this.ended += 1;
        else this.failures.push(`a watch was answered with ${outcome.status}: ${outcome.body}`);
      } else {
        this.closed += 1;
        await pause(retryMs * (0.5 + Math.random()));
        retryMs = Math.min(2 * retryMs, MOST_RETRY_MS);
      }
    }
  }

  #take(line: string): void {
    const { type, object } = JSON.parse(line) as WireEvent;
    const resourceVersion = Number(object.metadata.resourceVersion);
    if (type === 'ERROR') {
      this.failures.push(`a watch ended with an error: ${object.message ?? line}`);
      return;
    }
    const isRepeated =
      type === 'BOOKMARK' ? resourceVersion < this.position : resourceVersion <= this.position;
    if (isRepeated) this.failures.push(`${type} ${resourceVersion} after ${this.position}`);
    this.position = resourceVersion;
    if (type !== 'BOOKMARK') this.events.push({ type, resourceVersion, uid: object.metadata.uid ?? '' });
  }
}
