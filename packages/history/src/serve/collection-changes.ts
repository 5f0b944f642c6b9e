import { prefixRange, type Revision, type Store } from '@orch/storage';
import { ObjectStates } from '../read/object-states.ts';
import { changesByObject, type FoundChange } from '../read/recorded-change.ts';
import { type ListedChange, listedChange } from './listed-change.ts';
import type { ChangeView } from './parsed-state.ts';

/** Which changes of a collection to read. */
export interface CollectionPage {
  /** What the keys of the changes of the resource begin with. */
  readonly historyPrefix: string;
  /** Of the keys of the objects, below the prefix of the resource: a namespace with a slash; empty for all. */
  readonly scope: string;
  readonly matches: (change: FoundChange) => boolean;
  readonly limit: number;
}

/** A change, and the later one of the same object that shows what it resulted in. */
interface Candidate {
  readonly change: FoundChange;
  readonly next: FoundChange | undefined;
}

/** The newest changes that match, the newest first, and whether there are more. */
export async function collectionChanges(
  store: Pick<Store, 'get' | 'scan'>,
  view: ChangeView,
  page: CollectionPage,
): Promise<{ readonly changes: readonly ListedChange[]; readonly oldest: Revision | undefined }> {
  const { signal, resource } = view;
  const range = prefixRange(page.historyPrefix + page.scope);
  const newest = new Newest(page.limit);
  const parts = store.scan(range, { keysOnly: true }, signal);
  for await (const changes of changesByObject(parts, page.historyPrefix)) {
    for (const [i, change] of changes.entries())
      if (page.matches(change)) newest.add({ change, next: changes[i + 1] });
  }
  const listed: ListedChange[] = [];
  for (const { change, next } of newest.taken()) {
    // The object is needed only where no later change has its state.
    const live =
      next === undefined && change.kind === 'updated'
        ? (await store.get(resource.keyPrefix + change.object, signal)).kv
        : undefined;
    const states = new ObjectStates({ store, signal }, live, next === undefined ? [change] : [change, next]);
    const found = await listedChange(view, states, 0);
    if (found !== undefined) listed.push(found);
  }
  return { changes: listed, oldest: newest.isComplete ? undefined : newest.oldest };
}

/** The newest changes of those that are added, in bounded memory. */
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

  get oldest(): Revision | undefined {
    return this.#kept.at(-1)?.change.revision;
  }

  #shrink(): void {
    this.#kept.sort((a, b) => b.change.revision - a.change.revision);
    if (this.#kept.length > this.#limit) this.isComplete = false;
    this.#kept = this.#kept.slice(0, this.#limit);
  }
}
