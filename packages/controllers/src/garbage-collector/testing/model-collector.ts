import { namesFor, type ObjectMeta, type Random } from '@orch/machinery';
import { AbsentOwners } from '../absent-owners.ts';
import { type CollectorContext, examine } from '../collector.ts';
import { OwnerGraph } from '../owner-graph.ts';
import { OwnerLookup } from '../owner-lookup.ts';
import { RecentKeys } from '../recent-keys.ts';
import { pick } from './model-clients.ts';
import { modelLive } from './model-live.ts';
import type { ModelObjects } from './model-objects.ts';
import { ModelWatch } from './model-watch.ts';
import type { Promises } from './promises.ts';

const CONCURRENCY = 4;

/** A collector over a model, whose informers are late, and whose requests get on one at a time, in any order. */
export class ModelCollector {
  readonly #random: Random;
  readonly #model: ModelObjects;
  readonly #context: CollectorContext;
  readonly #watches: readonly ModelWatch[];
  readonly #queue = new Set<string>();
  readonly #later = new Set<string>();
  readonly #atWork = new Set<string>();
  readonly #turns: { readonly go: () => void; readonly fail: () => void }[] = [];
  readonly #signal = new AbortController().signal;

  constructor(model: ModelObjects, random: Random, promises: Promises) {
    this.#random = random;
    this.#model = model;
    const names = namesFor('orch');
    const absent = new AbsentOwners(1 + random.int(8));
    const live = modelLive(model, {
      turn: () => new Promise((go, reject) => this.#turns.push({ go, fail: () => reject(new Error('500')) })),
      onDelete: (meta) => promises.onDelete(meta),
      onChange: (before, after, seen) => promises.onChange(before, after, seen),
      seen: () => this.#seen(),
    });
    const graph = new OwnerGraph({ names, absent, examine: (uid) => void this.#queue.add(uid) });
    const lookup = new OwnerLookup(live, absent, names);
    this.#watches = model.resources.map((resource) => new ModelWatch(resource, model, graph, random));
    this.#context = {
      names,
      graph,
      live,
      lookup,
      events: { record: () => {} },
      reported: new RecentKeys(10),
      isComplete: () => true,
    };
  }

  get objects(): number {
    return this.#context.graph.size;
  }

  /** Whether there is something to do, other than what waits for its time. */
  get isBusy(): boolean {
    const isUntold = this.#watches.some((watch) => watch.hasMore);
    return isUntold || this.#turns.length > 0 || this.#queue.size > 0 || this.#atWork.size > 0;
  }

  act(): void {
    const what = this.#random.int(16);
    if (what < 5) pick(this.#random, this.#watches)?.deliver();
    else if (what === 5) pick(this.#random, this.#watches)?.relist();
    else if (what < 11) this.#turn(this.#random.int(20) === 0);
    else this.#work();
  }

  /** Gets on with everything, without failures. */
  advance(): void {
    for (const watch of this.#watches) watch.deliver();
    this.#turn(false);
    this.#work();
  }

  /** The time comes for what is to be looked at again later. */
  lookAgain(): void {
    for (const uid of this.#later) this.#queue.add(uid);
    this.#later.clear();
  }

  /** One request gets on, or fails, before or after it was carried out. */
  #turn(fails: boolean): void {
    const [turn] = this.#turns.splice(this.#random.int(Math.max(1, this.#turns.length)), 1);
    if (fails) turn?.fail();
    else turn?.go();
  }

  #work(): void {
    const uid = pick(
      this.#random,
      [...this.#queue].filter((each) => !this.#atWork.has(each)),
    );
    if (uid === undefined || this.#atWork.size >= CONCURRENCY) return;
    this.#queue.delete(uid);
    this.#atWork.add(uid);
    examine(this.#context, uid, this.#signal)
      .then(({ requeueAfterMs }) => {
        if (requeueAfterMs !== undefined) this.#later.add(uid);
      })
      .catch(() => void this.#queue.add(uid))
      .finally(() => this.#atWork.delete(uid));
  }

  #seen(): ReadonlySet<ObjectMeta> {
    const states = this.#model.all().map(({ meta }) => meta);
    return new Set(states.filter((meta) => this.#watches.every((watch) => !watch.isUnseen(meta))));
  }
}
