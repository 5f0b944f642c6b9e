import type { Random } from '@orch/machinery';
import { compareKeys, type ModelStore, type Revision, type Write } from '@orch/storage';
import type { ObjectFilter, Scope } from '../types.ts';
import { matches } from '../watch/cache-event.ts';
import { type Pod, PREFIX } from './fixture.ts';

/** A change of an object, as recorded in the full history. */
export interface Change {
  readonly rev: Revision;
  readonly key: string;
  readonly before: Pod | undefined;
  readonly after: Pod | undefined;
}

/** An event that a watcher must receive, in a comparable form. */
export interface Seen {
  readonly type: string;
  readonly rev: Revision;
  readonly key: string;
}

/** Writes pods into a model store and records the full history, as the reference for the contents of caches. */
export class Writer {
  readonly #store: ModelStore;
  readonly #prefix: string;
  readonly changes: Change[] = [];
  readonly #pods = new Map<string, { pod: Pod; rev: Revision }>();
  readonly #signal = new AbortController().signal;

  constructor(store: ModelStore, resource = 'pods') {
    this.#store = store;
    this.#prefix = `${PREFIX}${resource}/`;
  }

  get keys(): readonly string[] {
    return [...this.#pods.keys()];
  }

  async put(key: string, spec: { node?: string; app?: string; padding?: string } = {}): Promise<Revision> {
    const [namespace = '', name = ''] = key.split('/');
    const pod: Pod = {
      metadata: { name, namespace, ...(spec.app === undefined ? {} : { labels: { app: spec.app } }) },
      spec: { nodeName: spec.node ?? '', ...(spec.padding === undefined ? {} : { padding: spec.padding }) },
    };
    const old = this.#pods.get(key);
    const rev = await this.#commit(
      old === undefined
        ? { op: 'create', key: `${this.#prefix}${key}`, value: Buffer.from(JSON.stringify(pod)) }
        : {
            op: 'update',
            key: `${this.#prefix}${key}`,
            value: Buffer.from(JSON.stringify(pod)),
            expected: old.rev,
          },
    );
    this.#pods.set(key, { pod, rev });
    this.changes.push({ rev, key, before: old?.pod, after: pod });
    return rev;
  }

  async delete(key: string): Promise<Revision> {
    const old = this.#pods.get(key);
    if (old === undefined) return 0;
    const rev = await this.#commit({ op: 'delete', key: `${this.#prefix}${key}`, expected: old.rev });
    this.#pods.delete(key);
    this.changes.push({ rev, key, before: old.pod, after: undefined });
    return rev;
  }

  /** Several deletions in one revision, as when a lease expires. */
  deleteTogether(keys: readonly string[]): Revision {
    const present = keys.filter((key) => this.#pods.has(key));
    const rev = this.#store.commitTogether(
      present.map((key) => ({
        op: 'delete',
        key: `${this.#prefix}${key}`,
        expected: this.#pods.get(key)?.rev ?? 0,
      })),
    );
    for (const key of present) {
      this.changes.push({ rev, key, before: this.#pods.get(key)?.pod, after: undefined });
      this.#pods.delete(key);
    }
    return rev;
  }

  /** A random change among few keys. */
  async random(random: Random): Promise<void> {
    const key = `ns${random.int(3)}/pod-${random.int(12)}`;
    const kind = random.int(10);
    if (kind < 7) await this.put(key, { node: `node${random.int(4)}`, app: `app${random.int(3)}` });
    else if (kind < 9) await this.delete(key);
    else if (this.keys.length > 2) this.deleteTogether(this.keys.slice(0, 2));
  }

  /** Keys with the revisions of their states, as of `rev`, in order. */
  stateAt(rev: Revision, scope: Scope, filter: ObjectFilter): readonly { key: string; rev: Revision }[] {
    const state = new Map<string, Change>();
    for (const change of this.changes) {
      if (change.rev > rev) break;
      if (change.after === undefined) state.delete(change.key);
      else state.set(change.key, change);
    }
    return [...state.values()]
      .filter((change) => inScope(scope, change.key) && selects(filter, change.after))
      .map((change) => ({ key: change.key, rev: change.rev }))
      .sort((a, b) => compareKeys(a.key, b.key));
  }

  /** The events in `(after, through]` that a watch must deliver, exactly. */
  eventsBetween(
    after: Revision,
    through: Revision,
    query: { scope: Scope; filter: ObjectFilter },
  ): readonly Seen[] {
    const seen: Seen[] = [];
    for (const { rev, key, before, after: now } of this.changes) {
      if (rev <= after || rev > through || !inScope(query.scope, key)) continue;
      const was = selects(query.filter, before);
      const is = selects(query.filter, now);
      if (is) seen.push({ type: was ? 'MODIFIED' : 'ADDED', rev, key });
      else if (was) seen.push({ type: 'DELETED', rev, key });
    }
    return seen;
  }

  async #commit(write: Write): Promise<Revision> {
    const done = await this.#store.commit(write, this.#signal);
    if (!done.ok) throw new Error(`lost a race on ${write.key}`);
    return done.rev;
  }
}

function inScope(scope: Scope, key: string): boolean {
  return scope.exact === undefined ? key.startsWith(scope.prefix) : key === scope.exact;
}

function selects(filter: ObjectFilter, pod: Pod | undefined): boolean {
  if (pod === undefined) return false;
  const { name, namespace, labels } = pod.metadata;
  const fields = [name, namespace, pod.spec.nodeName];
  const field = (position: number): string => fields[position] ?? '';
  return matches(filter, { labels: { labels: labels ?? {} }, field });
}
