import type { Resource } from '@orch/client';
import type { ObjectMeta, Random } from '@orch/machinery';
import type { OwnerGraph } from '../owner-graph.ts';
import type { LogEntry, ModelObjects } from './model-objects.ts';

/** A model of an informer: delivers events late and in order, and lists other versions after a relist. */
export class ModelWatch {
  readonly #resource: Resource;
  readonly #log: readonly LogEntry[];
  readonly #graph: OwnerGraph;
  readonly #random: Random;
  /** The store of the informer, by uid. */
  #store = new Map<string, ObjectMeta>();
  #position = 0;

  constructor(resource: Resource, model: ModelObjects, graph: OwnerGraph, random: Random) {
    this.#resource = resource;
    this.#log = model.log.get(resource) ?? [];
    this.#graph = graph;
    this.#random = random;
  }

  get hasMore(): boolean {
    return this.#position < this.#log.length;
  }

  /** Reports whether this version is still to be delivered. */
  isPending({ uid = '', resourceVersion }: ObjectMeta): boolean {
    return this.#log
      .slice(this.#position)
      .some(({ meta }) => meta.uid === uid && meta.resourceVersion === resourceVersion);
  }

  /** The next event. */
  deliver(): void {
    const event = this.#log[this.#position];
    if (event === undefined) return;
    this.#position++;
    const { uid = '' } = event.meta;
    if (event.type === 'set') {
      this.#store.set(uid, event.meta);
      this.#graph.observe(this.#resource, event.meta);
    } else if (this.#store.delete(uid)) {
      this.#graph.forget(uid, true);
    }
  }

  /** Lists an earlier or later version, as another server may, and delivers the differences. */
  relist(): void {
    const from = Math.max(0, this.#position - 6);
    this.#position = from + this.#random.int(this.#log.length - from + 1);
    const state = new Map<string, ObjectMeta>();
    for (const { type, meta } of this.#log.slice(0, this.#position)) {
      if (type === 'set') state.set(meta.uid ?? '', meta);
      else state.delete(meta.uid ?? '');
    }
    const old = this.#store;
    this.#store = state;
    for (const uid of old.keys()) if (!state.has(uid)) this.#graph.forget(uid, false);
    for (const [uid, meta] of state) {
      if (old.get(uid)?.resourceVersion !== meta.resourceVersion) this.#graph.observe(this.#resource, meta);
    }
  }
}
