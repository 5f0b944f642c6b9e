import type { DiscoveredResource, ObjectChange } from '@orch/client';
import { ApiError, messageOf } from '@orch/machinery';
import type { Connection } from './connection.ts';
import type { Kinds } from './discovery.ts';
import { readChanges } from './history.ts';

/** A change of an object of some kind. */
export interface TimelineEntry extends ObjectChange {
  readonly resource: DiscoveredResource;
}

export interface Timeline {
  /** The newest first. */
  readonly entries: readonly TimelineEntry[];
  /** Kinds with more changes than were read. */
  readonly cut: readonly string[];
  /** Kinds whose changes could not be read, with the reason. */
  readonly failed: ReadonlyMap<string, string>;
}

export interface TimelineChoice {
  /** All namespaces and the objects of the cluster when empty. */
  readonly namespace: string;
  readonly sinceMs: number;
}

/** Changes of a kind that are read. */
const MAX_CHANGES = 100;
/** Requests at the same time: browsers open six connections to one address, and the lists of the page need theirs. */
const MAX_AT_ONCE = 3;

/** The changes of all kinds since a time; undefined on a server that keeps no history. */
export async function readTimeline(
  connection: Connection,
  { kinds, choice }: { readonly kinds: Kinds; readonly choice: TimelineChoice },
  signal: AbortSignal,
): Promise<Timeline | undefined> {
  const { namespace } = choice;
  const waiting = kinds.resources.filter(
    ({ verbs, namespaced }) => verbs.includes('list') && (namespaced || namespace === ''),
  );
  const reading = new Reading(connection, choice);
  const work = async (): Promise<void> => {
    for (let resource = waiting.shift(); resource !== undefined; resource = waiting.shift())
      await reading.read(resource, signal);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return reading.result;
}

class Reading {
  readonly #connection: Connection;
  readonly #choice: TimelineChoice;
  readonly #entries = new Map<string, TimelineEntry>();
  readonly #cut: string[] = [];
  readonly #failed = new Map<string, string>();
  #isKept = false;

  constructor(connection: Connection, choice: TimelineChoice) {
    this.#connection = connection;
    this.#choice = choice;
  }

  get result(): Timeline | undefined {
    if (!this.#isKept && this.#failed.size === 0) return undefined;
    const entries = [...this.#entries.values()].sort((a, b) => (a.time < b.time ? 1 : -1));
    return { entries, cut: this.#cut, failed: this.#failed };
  }

  async read(resource: DiscoveredResource, signal: AbortSignal): Promise<void> {
    const { namespace, sinceMs } = this.#choice;
    const place = { resource, namespace, name: '' };
    const since = new Date(sinceMs).toISOString();
    try {
      const found = await readChanges(this.#connection, { place, limit: MAX_CHANGES, since }, signal);
      this.#isKept = true;
      // Some objects are served in several groups.
      for (const change of found.changes)
        this.#entries.set(`${change.revision} ${change.namespace} ${change.name}`, { ...change, resource });
      if (found.hasMore) this.#cut.push(resource.resource);
    } catch (error) {
      signal.throwIfAborted();
      // Of servers without a history, and of kinds that it omits.
      if (error instanceof ApiError && error.status.code === 404) return;
      this.#failed.set(resource.resource, messageOf(error));
    }
  }
}
