import assert from 'node:assert/strict';
import { type KvEvent, prefixRange, type Store } from '@orch/storage';
import type { ApiClient } from '@orch/testkit';
import { accounts } from './clients.ts';

const STORED = prefixRange('/registry/serviceaccounts/default/');
/** Delay before a server that is down is called again. */
const AGAIN_MS = 200;

/** One event: the object, the revision, and whether it was deleted. */
type Seen = readonly [name: string, revision: number, gone: boolean];

/** A client that watches one server from a revision on, and resumes from the last event whenever the watch ends. */
export class Watching {
  readonly seen: Seen[] = [];
  /** Number of starts. */
  watches = 0;
  readonly #client: ApiClient;
  #revision: number;

  constructor(client: ApiClient, after: number) {
    this.#client = client;
    this.#revision = after;
  }

  /** Everything up to it was seen. */
  get revision(): number {
    return this.#revision;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.watches += 1;
      try {
        await this.#watch(signal);
      } catch (error) {
        // A server that is down does not respond; one that cannot resume from the revision would have lost events.
        if (/answered 410|Expired/.test(String(error))) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const path = `${accounts}?watch=1&allowWatchBookmarks=true&resourceVersion=${this.#revision}`;
    for await (const { type, object } of this.#client.watch(path, signal)) {
      if (type === 'ERROR') throw new Error(JSON.stringify(object));
      const revision = Number(object.metadata.resourceVersion);
      if (type !== 'BOOKMARK') this.seen.push([object.metadata.name ?? '', revision, type === 'DELETED']);
      this.#revision = revision;
    }
  }
}

/** The events of the store after a revision, up to another one with an event. */
export async function happened(store: Store, after: number, through: number): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for await (const { events, rev } of store.watch(STORED, after, new AbortController().signal)) {
    seen.push(...events.map(seenOf));
    if (rev >= through) return seen.filter(([, revision]) => revision <= through);
  }
  throw new Error('the watch of the store ended');
}

function seenOf(event: KvEvent): Seen {
  const [key, revision] =
    event.type === 'put' ? [event.kv.key, event.kv.modRevision] : [event.key, event.modRevision];
  return [key.slice(STORED.start.length), revision, event.type === 'delete'];
}

/** Neither lost, nor repeated, nor out of order. */
export function checkEvents(server: string, { seen }: Watching, expected: readonly Seen[]): void {
  const story = (event: Seen | undefined): string => (event === undefined ? 'nothing' : event.join(' '));
  for (let i = 0; i < Math.max(expected.length, seen.length); i += 1) {
    assert.equal(story(seen[i]), story(expected[i]), `event ${i} of the watch of ${server}`);
  }
}
