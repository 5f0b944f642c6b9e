import assert from 'node:assert/strict';
import type { Resource } from '@orch/client';
import { namesFor, type Random } from '@orch/machinery';
import { seededRandom, settle } from '@orch/machinery/testing';
import { Invariants } from './invariants.ts';
import { ModelClients, pick } from './model-clients.ts';
import { ModelCollector } from './model-collector.ts';
import { ModelObjects } from './model-objects.ts';

const resource = (plural: string, kind: string, namespaced: boolean): Resource => ({
  group: 'example.com',
  version: 'v1',
  resource: plural,
  kind,
  namespaced,
});

const resources = [
  resource('apples', 'Apple', true),
  resource('boxes', 'Box', true),
  resource('crates', 'Crate', false),
];

/** Far more rounds than any simulation needs. */
const MAX_ROUNDS = 200_000;

/**
 * A model API, random clients, and one collector or two independent ones, as when a leader has not noticed yet that its
 * lease has expired. Events and requests are delayed, reordered and failed at random, by one seed. The invariants are
 * checked at every step.
 */
export class GarbageCollectorSimulation {
  readonly #random: Random;
  readonly #model: ModelObjects;
  readonly #clients: ModelClients;
  readonly #invariants: Invariants;
  readonly #collectors: readonly ModelCollector[];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#model = new ModelObjects(resources, namesFor('orch'), this.#random);
    this.#clients = new ModelClients(this.#model, this.#random);
    this.#invariants = new Invariants(this.#model);
    const newCollector = () => new ModelCollector(this.#model, this.#random, this.#invariants);
    this.#collectors = Array.from({ length: 1 + (seed % 2) }, newCollector);
  }

  async run(steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      if (this.#random.int(5) === 0) this.#clients.act();
      else pick(this.#random, this.#collectors)?.act();
      await this.#pause();
    }
    await this.#rest();
    this.#clients.removeFinalizers();
    await this.#rest();
    this.#invariants.atEnd();
  }

  async #pause(): Promise<void> {
    await settle();
    this.#invariants.check();
  }

  /** Continues without clients and failures until no work is left. */
  async #rest(): Promise<void> {
    for (let idle = 0; idle < 2; ) {
      const before = this.#model.revision;
      for (let round = 0; this.#collectors.some(({ isBusy }) => isBusy); round++) {
        assert.ok(round < MAX_ROUNDS, 'the collector completes its work');
        for (const collector of this.#collectors) collector.advance();
        await this.#pause();
      }
      for (const collector of this.#collectors) collector.requeueDelayed();
      idle = this.#model.revision === before ? idle + 1 : 0;
    }
    this.#invariants.atRest();
    for (const { objects } of this.#collectors)
      assert.equal(objects, this.#model.all().length, 'the graph has all objects');
  }
}
