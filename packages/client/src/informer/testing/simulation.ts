import assert from 'node:assert/strict';
import { ApiError, errors, type Random } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { seededRandom, settle } from '@orch/machinery/testing';
import type { ModelApiOptions } from '../../testing/model-api.ts';
import { configMap, configMaps, type TestClient, testClient } from '../../testing/test-client.ts';
import { TransportError, type TransportResponse } from '../../transport/transport.ts';
import { createInformer } from '../informer.ts';
import type { Change, Informer } from '../types.ts';

type Between = NonNullable<ModelApiOptions['between']>;

const NAMES = 12;
const collection = '/configmaps';

/**
 * An informer and a server with random faults, by one seed. The changes that the informer delivers are compared with the
 * history of the server at every step.
 */
export class InformerSimulation {
  readonly #random: Random;
  readonly #test: TestClient;
  readonly #informer: Informer;
  /** The state according to the delivered changes. */
  readonly #believed = new Map<string, string>();
  #areFaultsOn = true;
  /** The newest revision of a list response: after a list, history may be skipped. */
  #listedAt = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const isStreaming = this.#random.int(2) === 0;
    this.#test = testClient({
      seed,
      hasStreamingLists: this.#random.int(2) === 0,
      between: (request, signal, send) => this.#between(request, signal, send),
    });
    this.#informer = createInformer(
      { ...this.#test, freeze: true, streaming: { enabled: isStreaming } },
      configMaps,
    );
    this.#informer.subscribe((change) => this.#check(change));
  }

  /** Runs some steps with faults, then none for half a minute, after which the states must be equal. */
  async run(steps: number): Promise<void> {
    const { env, api, stop } = this.#test;
    let hasEnded = false;
    const run = this.#informer.run(stop.signal).then(() => {
      hasEnded = true;
    });
    for (let step = 0; step < steps; step++) {
      this.#act();
      if (this.#random.int(3) === 0) await env.clock.advanceAsync(this.#random.int(20_000));
      else await settle();
      assert.equal(hasEnded, false, 'an informer ends only with its signal');
    }
    this.#areFaultsOn = false;
    for (const watch of [...api.watches]) watch.cut();
    this.#write();
    await env.clock.advanceAsync(30_000);
    this.#compare();
    stop.abort();
    await run;
    assert.deepEqual([api.watches.size, env.clock.pending], [0, 0], 'no watch and no timer remains');
    const failed = env.entries.filter((entry) => entry['msg'] === 'a listener failed');
    assert.deepEqual(failed, []);
  }

  #act(): void {
    const { objects, watches } = this.#test.api;
    const all = [...watches];
    const acts: (() => void)[] = [
      () => objects.compact(),
      () => all.forEach((watch) => void watch.cut()),
      () => all.forEach((watch) => void watch.end()),
      () => all.forEach((watch) => void watch.expire()),
      () => all.forEach((watch) => void watch.bookmark()),
      // A stall lasts for minutes, without other faults.
      () => this.#random.int(3) === 0 && all.forEach((watch) => void watch.stall()),
      // Changes of another resource increase the revision, and must not be delivered.
      () => this.#put('/secrets', `s${this.#random.int(3)}`),
    ];
    const act = acts[this.#random.int(2 * acts.length)];
    if (act === undefined) this.#write();
    else act();
  }

  #write(): void {
    const name = `n${this.#random.int(NAMES)}`;
    if (this.#random.int(3) > 0) this.#put(collection, name);
    else this.#remove(name);
  }

  #put(to: string, name: string): void {
    const { objects } = this.#test.api;
    const place = { collection: to, namespace: 'default', name };
    const object = configMap(name, String(this.#random.int(1000)));
    try {
      objects.update(place, object);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      objects.create(place, object, '2024-01-01T00:00:00Z');
    }
  }

  #remove(name: string): void {
    try {
      this.#test.api.objects.delete({ collection, namespace: 'default', name }, {}, '2024-01-01T00:00:00Z');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  async #between(...[request, signal, send]: Parameters<Between>): Promise<TransportResponse> {
    const { clock } = this.#test.env;
    const pause = async (): Promise<void> => {
      if (this.#random.int(2) === 0) await sleep(clock, this.#random.int(2000), signal);
    };
    await pause();
    const fault = this.#areFaultsOn ? this.#random.int(16) : -1;
    if (fault === 0) throw new TransportError('notSent', 'no connection');
    if (fault === 1) throw errors.internal(undefined);
    if (fault === 2) throw errors.expired('history has expired');
    if (fault === 3) throw errors.tooManyRequests('too much', 0);
    const isList = !request.target.includes('watch=') || request.target.includes('sendInitialEvents=');
    const response = await send();
    if (isList) this.#listedAt = this.#test.api.objects.revision;
    await pause();
    if (fault === 4) throw new TransportError('unknown', 'the response was lost');
    return response;
  }

  /** Every change follows from the delivered state, exists in the history, and skips none before it. */
  #check(change: Change): void {
    const { name = '', uid = '', resourceVersion = '' } = change.object.metadata;
    const revision = Number(resourceVersion);
    const believed = this.#believed.get(name);
    const { objects } = this.#test.api;
    if (change.type === 'added') {
      assert.equal(believed, undefined, `${name} existed already`);
    } else {
      assert.equal(believed?.split('/')[0], uid, `${change.type} ${name} is about another object`);
    }
    if (change.type === 'updated') {
      assert.equal(believed, `${uid}/${change.old.metadata.resourceVersion}`);
      assert.ok(revision > Number(change.old.metadata.resourceVersion), `${name} went back`);
    }
    if (change.type === 'deleted' && change.isStale) assert.equal(believed, `${uid}/${resourceVersion}`);
    const [original] = objects.after(revision - 1);
    assert.deepEqual(original?.object['data'], change.object['data'], 'the object never had this state');
    if (change.type === 'deleted') this.#believed.delete(name);
    else this.#believed.set(name, `${uid}/${resourceVersion}`);
    if (revision > this.#listedAt) {
      const before = Number(this.#informer.resourceVersion);
      const missed = objects
        .after(before)
        .filter((each) => each.revision < revision && each.place.collection === collection);
      assert.deepEqual(missed, [], `changes between ${before} and ${revision} were skipped`);
    }
  }

  #compare(): void {
    const { objects } = this.#test.api;
    const expected = objects
      .list(collection)
      .map(({ object: { metadata } }) => [
        metadata.name ?? '',
        `${metadata.uid}/${metadata.resourceVersion}`,
      ]);
    const sorted = (pairs: Iterable<readonly string[]>): string[] => [...pairs].map(String).sort();
    assert.deepEqual(sorted(this.#believed), sorted(expected), 'the delivered state is that of the server');
    const held = [...this.#informer.store.values()].map(({ metadata }) => [
      metadata.name ?? '',
      `${metadata.uid}/${metadata.resourceVersion}`,
    ]);
    assert.deepEqual(sorted(held), sorted(expected), 'the store is equal to the server');
  }
}
