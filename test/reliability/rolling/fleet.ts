import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { NamespaceHistory } from './history.ts';
import { Http1Wire } from './http1-wire.ts';
import { Http2Wire } from './http2-wire.ts';
import { Watcher } from './watcher.ts';
import type { Outcome, RequestBody, Wire, WireOptions } from './wire.ts';
import { Writer } from './writer.ts';

export interface FleetOptions extends WireOptions {
  readonly name: string;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  readonly watches: number;
  readonly writesPerSecond: number;
  readonly watchSeconds: { readonly least: number; readonly most: number };
}

/** Figures of one fleet. */
export interface FleetReport {
  readonly name: string;
  readonly writes: number;
  readonly slowestWriteMs: number;
  /** The 99th percentile of writes. */
  readonly writeMs99: number;
  /** Requests whose connection was closed before the answer, and those sent again since the server had not processed them. */
  readonly closedRequests: number;
  readonly resentRequests: number;
  readonly events: number;
  readonly watchesEnded: number;
  readonly watchesClosed: number;
}

/** A watch of each namespace for 20 of all watches. */
const WATCHES_PER_NAMESPACE = 20;
const WRITERS = 25;
/** Interval of the first connections. */
const OPENING_MS = 5;

/** Clients of one balancer with one version of HTTP: watches and writers. */
export class Fleet {
  readonly name: string;
  readonly watchers: Watcher[] = [];
  readonly #options: FleetOptions;
  readonly #wires: readonly Wire[];
  readonly #histories = new Map<string, NamespaceHistory>();
  readonly #writers: Writer[] = [];
  readonly #stopWriting = new AbortController();
  readonly #stopWatching = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #writing: Promise<void>[] = [];

  constructor(options: FleetOptions) {
    this.#options = options;
    this.name = options.name;
    const open = (): Wire =>
      options.protocol === 'HTTP/2' ? new Http2Wire(options) : new Http1Wire(options);
    this.#wires = [open(), open()];
  }

  /** Makes the namespaces, lists each once, and opens the watches. */
  async startWatches(): Promise<void> {
    const { watches, name, watchSeconds } = this.#options;
    const wire = this.#wires[0] as Wire;
    const { least, most } = watchSeconds;
    const timeoutSeconds = (): number => least + Math.floor(Math.random() * (most - least + 1));
    for (let first = 0; first < watches; first += WATCHES_PER_NAMESPACE) {
      const namespace = `${name}-${first / WATCHES_PER_NAMESPACE}`;
      const body = JSON.stringify({ metadata: { name: namespace } });
      answered(await this.#setUp('POST', '/api/v1/namespaces', { type: 'application/json', text: body }));
      const list = answered(
        await this.#setUp('GET', `/api/v1/namespaces/${namespace}/configmaps`),
      ) as Created;
      const resourceVersion = Number(list.metadata.resourceVersion);
      this.#histories.set(namespace, new NamespaceHistory());
      const count = Math.min(WATCHES_PER_NAMESPACE, watches - first);
      for (let at = 0; at < count; at += 1)
        this.watchers.push(new Watcher({ wire, namespace, resourceVersion, timeoutSeconds }));
    }
    for (const [at, watcher] of this.watchers.entries())
      this.#running.push(watcher.run(this.#stopWatching.signal, at * OPENING_MS));
  }

  startWrites(): void {
    const { writesPerSecond } = this.#options;
    const names = [...this.#histories.keys()];
    const count = Math.min(WRITERS, names.length);
    for (let at = 0; at < count; at += 1) {
      const writer = new Writer({
        wire: this.#wires[1] as Wire,
        histories: this.#histories,
        namespaces: names.filter((_, index) => index % count === at),
        intervalMs: (1000 * count) / writesPerSecond,
      });
      this.#writers.push(writer);
      this.#writing.push(writer.run(this.#stopWriting.signal));
    }
  }

  /** Failures: responses other than 2xx, and everything that makes a client list again. */
  get failures(): readonly string[] {
    const all = [...this.watchers, ...this.#writers].flatMap(({ failures }) => failures);
    return all.map((failure) => `${this.name}: ${failure}`);
  }

  /** Ends the writes, and waits until each watch has passed a last write to its namespace. */
  async settle(signal: AbortSignal): Promise<void> {
    this.#stopWriting.abort();
    await Promise.all(this.#writing);
    for (const [namespace, history] of this.#histories) {
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const body = { type: 'application/json', text: JSON.stringify({ metadata: { name: 'last' } }) };
      const { metadata } = answered(await this.#setUp('POST', path, body)) as Created;
      history.acknowledge(Number(metadata.resourceVersion));
    }
    for (const watcher of this.watchers) {
      const last = this.#histories.get(watcher.namespace)?.last ?? 0;
      while (watcher.position < last && watcher.failures.length === 0) {
        signal.throwIfAborted();
        await pause(20);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopWriting.abort();
    this.#stopWatching.abort();
    for (const wire of this.#wires) wire[Symbol.dispose]();
    await Promise.all([...this.#running, ...this.#writing]);
  }

  /** No failed request, no watch from a new list, and no event that is missing or repeated. */
  check(): void {
    assert.deepEqual(this.failures.slice(0, 5), [], `${this.failures.length} failures`);
    for (const [namespace, history] of this.#histories) {
      const own = this.watchers.filter((watcher) => watcher.namespace === namespace);
      history.check(
        namespace,
        own.map(({ events }) => events),
      );
    }
  }

  /** A request outside of the measured load, again when its connection was closed. */
  async #setUp(method: string, path: string, body?: RequestBody): Promise<Outcome> {
    const first = await (this.#wires[0] as Wire).request(method, path, body);
    return first.kind === 'closed' ? (this.#wires[0] as Wire).request(method, path, body) : first;
  }

  report(): FleetReport {
    const durations = this.#writers.flatMap(({ durationsMs }) => durationsMs).sort((a, b) => a - b);
    const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
      all.reduce((total, one) => total + of(one), 0);
    return {
      name: this.name,
      writes: durations.length,
      slowestWriteMs: Math.round(durations.at(-1) ?? 0),
      writeMs99: Math.round(durations[Math.floor(durations.length * 0.99)] ?? 0),
      closedRequests: sum(this.#writers, ({ closed }) => closed),
      resentRequests: sum(this.#wires, ({ resent }) => resent),
      events: sum(this.watchers, ({ events }) => events.length),
      watchesEnded: sum(this.watchers, ({ ended }) => ended),
      watchesClosed: sum(this.watchers, ({ closed }) => closed),
    };
  }
}

interface Created {
  readonly metadata: { readonly resourceVersion: string };
}

function answered(outcome: Outcome): unknown {
  assert.ok(outcome.kind === 'answered' && outcome.status < 300, JSON.stringify(outcome));
  return JSON.parse(outcome.body);
}
