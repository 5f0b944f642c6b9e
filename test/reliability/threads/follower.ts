import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, type ClientConfig } from '@orch/testkit';

/** Between two attempts to connect. */
const RETRY_MS = 20;

interface Meta {
  readonly name: string;
  readonly resourceVersion: string;
}

export const metaOf = (object: unknown): Meta => (object as { readonly metadata: Meta }).metadata;

export interface FollowerOptions {
  readonly config: ClientConfig;
  /** Path of the collection. */
  readonly path: string;
  /** The revision after which the events begin. */
  readonly from: string;
}

/** A client that watches a collection over one connection, and resumes from the last event over a new one. */
export class Follower {
  /** Each event since `forget`: its type, the name and the revision. */
  readonly seen: string[] = [];
  /** The lost, repeated and reordered events, as sentences. */
  readonly violations: string[] = [];
  /** Watches that were opened. */
  opened = 0;
  readonly #options: FollowerOptions;
  #last: string;
  #client: ApiClient;
  #watch = new AbortController();
  #held = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#last = options.from;
    this.#client = new ApiClient(options.config, { maxSockets: 1 });
  }

  /** The revision that the watch has reached. */
  get revision(): number {
    return Number(this.#last);
  }

  /** Watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#watch = new AbortController();
      // Watches fail while the network or the store does.
      await this.#follow(AbortSignal.any([signal, this.#watch.signal])).catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    this.#client[Symbol.dispose]();
  }

  /** Goes on over another connection, and so perhaps over another thread. */
  roll(): void {
    this.#watch.abort();
    this.#client[Symbol.dispose]();
    this.#client = new ApiClient(this.#options.config, { maxSockets: 1 });
  }

  /** Reads no further event until the promise resolves. */
  hold(until: Promise<void>): void {
    this.#held = until;
  }

  /** The names and revisions of the collection over the connection of the watch or beside it. */
  async list(query = ''): Promise<ReadonlyMap<string, string>> {
    using client = new ApiClient(this.#options.config, { maxSockets: 1 });
    const { status, text, json } = await client.get(`${this.#options.path}${query}`);
    if (status !== 200) throw new Error(`a list was answered with ${status}: ${text}`);
    const { items } = json as { readonly items: readonly { readonly metadata: Meta }[] };
    return new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  }

  forget(): void {
    this.seen.length = 0;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    this.opened++;
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${this.#last}`;
    for await (const { type, object } of this.#client.watch(`${this.#options.path}?${query}`, signal)) {
      if (type === 'ERROR') {
        this.violations.push(`a watch after ${this.#last} got ${JSON.stringify(object)}`);
        return;
      }
      const { name, resourceVersion } = metaOf(object);
      const isInOrder =
        type === 'BOOKMARK'
          ? Number(resourceVersion) >= this.revision
          : Number(resourceVersion) > this.revision;
      if (!isInOrder) this.violations.push(`${type} ${name} at ${resourceVersion} after ${this.#last}`);
      if (type !== 'BOOKMARK') this.seen.push(`${type} ${name} ${resourceVersion}`);
      this.#last = resourceVersion;
      await this.#held;
    }
  }
}

/** The names and revisions after the events. */
export function replay(state: Map<string, string>, events: readonly string[]): ReadonlyMap<string, string> {
  for (const event of events) {
    const [type, name = '', revision = ''] = event.split(' ');
    if (type === 'DELETED') state.delete(name);
    else state.set(name, revision);
  }
  return state;
}
