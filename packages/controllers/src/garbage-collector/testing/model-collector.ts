import { namesFor, type ObjectMeta, type Random } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { AbsentOwners } from '../absent-owners.ts';
import { Collector } from '../collector.ts';
import { OwnerGraph } from '../owner-graph.ts';
import { OwnerLookup } from '../owner-lookup.ts';
import type { Invariants } from './invariants.ts';
import { pick } from './model-clients.ts';
import { modelLive } from './model-live.ts';
import type { ModelObjects } from './model-objects.ts';
import { ModelWatch } from './model-watch.ts';

const CONCURRENCY = 4;

/** A collector over a model. Its informers are late, and its requests proceed one at a time in random order. */
export class ModelCollector {
  readonly #random: Random;
  readonly #model: ModelObjects;
  readonly #collector: Collector;
  readonly #graph: OwnerGraph;
  readonly #watches: readonly ModelWatch[];
  readonly #queue = new Set<string>();
  readonly #delayed = new Set<string>();
  readonly #active = new Set<string>();
  readonly #steps: { readonly proceed: () => void; readonly fail: () => void }[] = [];
  readonly #signal = new AbortController().signal;

  constructor(model: ModelObjects, random: Random, invariants: Invariants) {
    this.#random = random;
    this.#model = model;
    const names = namesFor('orch');
    const absent = new AbsentOwners(1 + random.int(8));
    const live = modelLive(model, {
      step: () =>
        new Promise((proceed, reject) => this.#steps.push({ proceed, fail: () => reject(new Error('500')) })),
      onDelete: (meta) => invariants.onDelete(meta),
      onChange: (change) => invariants.onChange(change),
      observed: () => this.#observed(),
    });
    const graph = new OwnerGraph({ names, absent, examine: (uid) => void this.#queue.add(uid) });
    const lookup = new OwnerLookup(live, absent, names);
    this.#watches = model.resources.map((resource) => new ModelWatch(resource, model, graph, random));
    this.#graph = graph;
    this.#collector = new Collector({
      names,
      graph,
      live,
      lookup,
      events: { record: () => {} },
      reported: new BoundedCache({ maxEntries: 10, leastRecentlyUsed: true }),
      isComplete: () => true,
    });
  }

  get objects(): number {
    return this.#graph.size;
  }

  /** Whether events, requests or keys are pending, apart from delayed keys. */
  get isBusy(): boolean {
    const hasEvents = this.#watches.some((watch) => watch.hasMore);
    return hasEvents || this.#steps.length > 0 || this.#queue.size > 0 || this.#active.size > 0;
  }

  act(): void {
    const what = this.#random.int(16);
    if (what < 5) pick(this.#random, this.#watches)?.deliver();
    else if (what === 5) pick(this.#random, this.#watches)?.relist();
    else if (what < 11) this.#step(this.#random.int(20) === 0);
    else this.#work();
  }

  /** Delivers events and proceeds with requests and keys, without failures. */
  advance(): void {
    for (const watch of this.#watches) watch.deliver();
    this.#step(false);
    this.#work();
  }

  /** Adds the delayed keys to the queue. */
  requeueDelayed(): void {
    for (const uid of this.#delayed) this.#queue.add(uid);
    this.#delayed.clear();
  }

  /** Proceeds with one request, or fails it, before or after it was processed. */
  #step(fails: boolean): void {
    const [step] = this.#steps.splice(this.#random.int(Math.max(1, this.#steps.length)), 1);
    if (fails) step?.fail();
    else step?.proceed();
  }

  #work(): void {
    const uid = pick(
      this.#random,
      [...this.#queue].filter((each) => !this.#active.has(each)),
    );
    if (uid === undefined || this.#active.size >= CONCURRENCY) return;
    this.#queue.delete(uid);
    this.#active.add(uid);
    this.#collector
      .examine(uid, this.#signal)
      .then(({ requeueAfterMs }) => {
        if (requeueAfterMs !== undefined) this.#delayed.add(uid);
      })
      .catch(() => void this.#queue.add(uid))
      .finally(() => this.#active.delete(uid));
  }

  #observed(): ReadonlySet<ObjectMeta> {
    const states = this.#model.all().map(({ meta }) => meta);
    return new Set(states.filter((meta) => this.#watches.every((watch) => !watch.isPending(meta))));
  }
}
