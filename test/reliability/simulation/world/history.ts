import type { ApiObject } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { Revision, Write } from '@orch/storage';

/** A change of a key, as a store made it. */
export interface StoredChange {
  /** As clients see it. */
  readonly rev: Revision;
  readonly key: string;
  /** Undefined for a deletion. */
  readonly object: ApiObject | undefined;
}

/** The resources whose changes lead requests to extension API servers. */
const routing = ['/apiservices.apiregistration/', '/endpoints/'] as const;
const maps = '/configmaps/';

/**
 * The changes of some resources, also those whose history was compacted, in all stores that had the content of the cluster one
 * after the other.
 */
export class History {
  /** The changes of config maps. */
  readonly changes: StoredChange[] = [];
  /** The changes of API services and endpoints. */
  readonly routes: StoredChange[] = [];
  /** The newest revision that a client can have seen. */
  revision: Revision = 1;
  failure: Error | undefined;

  note({ op, key, ...write }: Write, rev: Revision): void {
    const object = (): ApiObject | undefined =>
      op === 'delete' ? undefined : (parseJson((write as { value: Buffer }).value) as ApiObject);
    this.#remember(this.changes, maps, { rev, key, object });
    for (const part of routing) this.#remember(this.routes, part, { rev, key, object });
    this.revision = Math.max(this.revision, rev);
  }

  /** The config maps at a revision. */
  stateAt(revision: Revision): ReadonlyMap<string, StoredChange> {
    const state = new Map<string, StoredChange>();
    for (const change of this.changes) {
      if (change.rev > revision) break;
      if (change.object === undefined) state.delete(change.key);
      else state.set(change.key, change);
    }
    return state;
  }

  /** Another content takes the place of the current one: what it has was made at its revisions. */
  replace(first: Revision, contents: Iterable<readonly [Write, Revision]>): void {
    if (first <= this.revision)
      this.failure ??= new Error(`revisions go back from ${this.revision} to ${first}`);
    for (const key of this.stateAt(this.revision).keys())
      this.changes.push({ rev: first, key, object: undefined });
    for (const [write, rev] of contents) this.note(write, rev);
    this.revision = Math.max(this.revision, first);
  }

  #remember(
    changes: StoredChange[],
    part: string,
    {
      rev,
      key,
      object,
    }: { readonly rev: Revision; readonly key: string; readonly object: () => StoredChange['object'] },
  ): void {
    const at = key.indexOf(part);
    if (at >= 0) changes.push({ rev, key: key.slice(at + part.length), object: object() });
  }
}
