import assert from 'node:assert/strict';
import {
  builtinResources,
  type Change,
  createClient,
  type Informer,
  informerFactory,
  type Transport,
} from '@orch/client';
import type { ApiObject, Names } from '@orch/machinery';
import type { History, StoredChange } from '../world/history.ts';
import type { Program } from '../world/process.ts';
import { asTransport } from '../world/replica.ts';

type Selects = (object: ApiObject | undefined) => boolean;

const label = 'app';
const selected = 'a';

/** An informer of the config maps of a namespace whose changes and states are compared with the history of the store. */
export class Observation {
  readonly #informer: Informer;
  readonly #history: History;
  readonly #prefix: string;
  readonly #selects: Selects;
  /** Revisions of the objects according to the delivered changes. */
  readonly #believed = new Map<string, number>();
  /** The newest revision of a list: changes before it need not be delivered one by one. */
  listedAt = 0;
  #checkedAt = '';
  failure: Error | undefined;

  constructor(informer: Informer, history: History, namespace: string, selects: Selects) {
    this.#informer = informer;
    this.#history = history;
    this.#prefix = `${namespace}/`;
    this.#selects = (object) => object !== undefined && selects(object);
    informer.subscribe((change) => {
      try {
        this.#observe(change);
      } catch (error) {
        this.failure ??= error as Error;
      }
    });
  }

  get isBehind(): boolean {
    return this.#informer.resourceVersion === '';
  }

  /** Throws if a change was wrong or is missing, or if the store of the informer never existed. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
    const { resourceVersion } = this.#informer;
    if (resourceVersion === '' || resourceVersion === this.#checkedAt) return;
    this.#checkedAt = resourceVersion;
    this.#compare(Number(resourceVersion));
  }

  /** Throws if the informer does not have the state of now. */
  checkEnd(): void {
    this.check();
    this.#compare(this.#history.revision);
  }

  #compare(revision: number): void {
    const state = new Map<string, number>();
    for (const change of this.#changes()) {
      if (change.rev > revision) break;
      if (this.#selects(change.object)) state.set(change.key, change.rev);
      else state.delete(change.key);
    }
    const held = [...this.#informer.store.values()].map(({ metadata }): [string, number] => [
      `${metadata.namespace}/${metadata.name}`,
      Number(metadata.resourceVersion),
    ]);
    const sorted = (pairs: Iterable<[string, number]>): string[] => [...pairs].map(String).sort();
    assert.deepEqual(sorted(held), sorted(state), `an informer has the state of revision ${revision}`);
  }

  #changes(): readonly StoredChange[] {
    return this.#history.changes.filter(({ key }) => key.startsWith(this.#prefix));
  }

  #observe(change: Change): void {
    const { metadata } = change.object;
    const key = `${metadata.namespace}/${metadata.name}`;
    const revision = Number(metadata.resourceVersion);
    const believed = this.#believed.get(key);
    if (change.type === 'added') assert.equal(believed, undefined, `${key} is added twice`);
    else assert.notEqual(believed, undefined, `${key} is ${change.type} and was not there`);
    if (change.type === 'updated')
      assert.ok(revision > (believed ?? 0), `${key} goes back from ${believed} to ${revision}`);
    if (change.type === 'deleted') this.#believed.delete(key);
    else {
      this.#believed.set(key, revision);
      const original = this.#history.changes.find((one) => one.rev === revision && one.key === key);
      assert.deepEqual(change.object['data'], original?.object?.['data'], `${key} at ${revision}`);
    }
    const isListed = revision <= this.listedAt || (change.type === 'deleted' && change.isStale);
    if (!isListed) this.#checkNoneSkipped(revision);
  }

  #checkNoneSkipped(revision: number): void {
    const from = Number(this.#informer.resourceVersion);
    const last = new Map<string, ApiObject | undefined>();
    for (const { rev, key, object } of this.#changes()) {
      if (rev >= revision) return;
      const isRelevant = this.#selects(last.get(key)) || this.#selects(object);
      assert.ok(rev <= from || !isRelevant, `${key} at ${rev}, between ${from} and ${revision}, is skipped`);
      last.set(key, object);
    }
  }
}

/** Informers of config maps in a namespace: of all, and of those with a label. */
export const observerProgram =
  (names: Names, history: History, observations: Map<string, readonly Observation[]>): Program =>
  async ({ env, identity, transport }, signal) => {
    const { configmaps } = builtinResources(names).core.v1;
    const observe = (labelSelector?: string): [Observation, Promise<void>] => {
      const state: { observation?: Observation } = {};
      const noted = notingLists(transport, () => {
        if (state.observation !== undefined) state.observation.listedAt = history.revision;
      });
      const client = createClient({ transport: noted, names, env, userAgent: `${identity}/1` });
      const informers = informerFactory({ client, env, streaming: { enabled: env.random.int(2) === 0 } });
      const selection = labelSelector === undefined ? {} : { labelSelector };
      const informer = informers.informer(configmaps, { namespace: 'work', ...selection });
      const selects: Selects = (object) =>
        labelSelector === undefined || object?.metadata.labels?.[label] === selected;
      const observation = new Observation(informer as unknown as Informer, history, 'work', selects);
      state.observation = observation;
      return [observation, informers.run(signal)];
    };
    const all = [observe(), observe(`${label}=${selected}`)];
    observations.set(
      identity,
      all.map(([observation]) => observation),
    );
    await Promise.all(all.map(([, run]) => run));
  };

/** Calls back when a response has a state rather than changes. */
const notingLists = (transport: Transport, noted: () => void): Transport =>
  asTransport(async (request, signal) => {
    const response = await transport.send(request, signal);
    const isWatch = request.target.includes('watch=') && !request.target.includes('sendInitialEvents=');
    if (!isWatch) noted();
    return response;
  });
