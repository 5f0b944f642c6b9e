import { setTimeout as pause } from 'node:timers/promises';
import type { NamespaceHistory } from './history.ts';
import type { Outcome, RequestBody, Wire } from './wire.ts';

export interface WriterOptions {
  readonly wire: Wire;
  readonly histories: ReadonlyMap<string, NamespaceHistory>;
  /** The namespaces that no other writer uses. */
  readonly namespaces: readonly string[];
  readonly intervalMs: number;
}

interface Metadata {
  readonly resourceVersion: string;
  readonly uid: string;
}

/** Updates between the creation and the deletion of an object. */
const UPDATES = 6;

/** Creates, updates and deletes one object in each of its namespaces, in turns, at a steady rate. */
export class Writer {
  readonly failures: string[] = [];
  readonly durationsMs: number[] = [];
  writes = 0;
  closed = 0;
  readonly #options: WriterOptions;
  /** Number of writes to the present object; 0 without one. */
  readonly #ages = new Map<string, number>();
  readonly #uids = new Map<string, string>();
  #count = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { namespaces, intervalMs } = this.#options;
    let next = performance.now();
    while (!signal.aborted) {
      await this.#write(namespaces[this.#count++ % namespaces.length] ?? '');
      next += intervalMs;
      const wait = next - performance.now();
      if (wait > 0) await pause(wait);
    }
  }

  async #write(namespace: string): Promise<void> {
    const age = this.#ages.get(namespace) ?? 0;
    const history = this.#options.histories.get(namespace);
    if (history === undefined) return;
    const startedAt = performance.now();
    const outcome = await this.#attempt(namespace, age);
    this.durationsMs.push(performance.now() - startedAt);
    this.writes += 1;
    if (outcome.kind === 'closed') {
      this.closed += 1;
      history.unknown += 1;
      await this.#readAgain(namespace);
    } else if (outcome.status >= 300) {
      this.failures.push(`a write was answered with ${outcome.status}: ${outcome.body}`);
      await this.#readAgain(namespace);
    } else if (age > UPDATES) {
      history.deleted.add(this.#uids.get(namespace) ?? '');
      this.#ages.set(namespace, 0);
    } else {
      this.#note(namespace, outcome.body, age + 1, history);
    }
  }

  #attempt(namespace: string, age: number): Promise<Outcome> {
    const { wire } = this.#options;
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    if (age === 0) return wire.request('POST', collection, configMap(this.#count));
    if (age > UPDATES) return wire.request('DELETE', `${collection}/item`);
    return wire.request('PATCH', `${collection}/item`, patch(this.#count));
  }

  #note(namespace: string, body: string, age: number, history?: NamespaceHistory): void {
    const { metadata } = JSON.parse(body) as { metadata: Metadata };
    history?.acknowledge(Number(metadata.resourceVersion));
    this.#ages.set(namespace, age);
    this.#uids.set(namespace, metadata.uid);
  }

  /** After a write of unknown outcome. */
  async #readAgain(namespace: string): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const path = `/api/v1/namespaces/${namespace}/configmaps/item`;
      const outcome = await this.#options.wire.request('GET', path);
      if (outcome.kind === 'closed') continue;
      if (outcome.status === 200) this.#note(namespace, outcome.body, 1);
      else if (outcome.status === 404) this.#ages.set(namespace, 0);
      else this.failures.push(`a read was answered with ${outcome.status}: ${outcome.body}`);
      return;
    }
    this.failures.push('ten connections in a row were closed');
  }
}

const configMap = (count: number): RequestBody => ({
  type: 'application/json',
  text: JSON.stringify({ metadata: { name: 'item' }, data: { count: `${count}` } }),
});

const patch = (count: number): RequestBody => ({
  type: 'application/merge-patch+json',
  text: JSON.stringify({ data: { count: `${count}` } }),
});
