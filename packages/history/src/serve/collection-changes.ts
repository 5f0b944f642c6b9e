import type { Semaphore } from '@orch/machinery/concurrency';
import { prefixRange, type Revision, type Store } from '@orch/storage';
import { ObjectStates } from '../read/object-states.ts';
import { changesByObject, type FoundChange } from '../read/recorded-change.ts';
import { type ListedChange, listedChange } from './listed-change.ts';
import type { StateReader } from './state-reader.ts';

/** The changes of a collection to read. */
export interface CollectionPage {
  /** The common prefix of the keys of the changes of the resource. */
  readonly historyPrefix: string;
  /** Prefix of the object keys below the prefix of the resource: a namespace with a slash; empty for all. */
  readonly scope: string;
  readonly matches: (change: FoundChange) => boolean;
  readonly limit: number;
  /** Scans read the keys of all changes of the collection, so only few run concurrently. */
  readonly scans: Semaphore;
  readonly signal: AbortSignal;
}

/** A change, and the later one of the same object that contains its result. */
interface Candidate {
  readonly change: FoundChange;
  readonly next: FoundChange | undefined;
}

/** The newest matching changes that the reader may read, newest first, up to a limit; `oldest` when there are more. */
export async function collectionChanges(
  store: Pick<Store, 'get' | 'scan'>,
  reader: StateReader,
  page: CollectionPage,
): Promise<{ readonly changes: readonly ListedChange[]; readonly oldest: Revision | undefined }> {
  const { signal } = page;
  const newest = await page.scans.run(signal, () => newestChanges(store, page));
  const listed: ListedChange[] = [];
  const taken = newest.taken();
  for (const { change, next } of taken) {
    if (reader.isSpent) break;
    await reader.turns.next();
    // The object is needed only when no later change contains its state.
    const live =
      next === undefined && change.kind === 'updated'
        ? await store.get(reader.resource.keyPrefix + change.object, signal)
        : { rev: change.revision };
    const states = new ObjectStates({ store, signal }, live, next === undefined ? [change] : [change, next]);
    const found = await listedChange(reader, states, 0);
    if (found !== undefined) listed.push(found);
  }
  const isComplete = newest.isComplete && listed.length === taken.length;
  return { changes: listed, oldest: isComplete ? undefined : taken[listed.length - 1]?.change.revision };
}

async function newestChanges(store: Pick<Store, 'scan'>, page: CollectionPage): Promise<Newest> {
  const range = prefixRange(page.historyPrefix + page.scope);
  const newest = new Newest(page.limit);
  const parts = store.scan(range, { keysOnly: true }, page.signal);
  for await (const changes of changesByObject(parts, page.historyPrefix)) {
    for (const [i, change] of changes.entries())
      if (page.matches(change)) newest.add({ change, next: changes[i + 1] });
  }
  return newest;
}

/** Keeps the newest of the added changes, in bounded memory. */
class Newest {
  readonly #limit: number;
  #kept: Candidate[] = [];
  isComplete = true;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(candidate: Candidate): void {
    this.#kept.push(candidate);
    if (this.#kept.length >= 2 * this.#limit) this.#shrink();
  }

  taken(): readonly Candidate[] {
    this.#shrink();
    return this.#kept;
  }

  #shrink(): void {
    this.#kept.sort((a, b) => b.change.revision - a.change.revision);
    if (this.#kept.length > this.#limit) this.isComplete = false;
    this.#kept = this.#kept.slice(0, this.#limit);
  }
}
