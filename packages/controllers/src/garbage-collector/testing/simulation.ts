import assert from 'node:assert/strict';
import type { Resource } from '@orch/client';
import { namesFor, type Random } from '@orch/machinery';
import { seededRandom, settle } from '@orch/machinery/testing';
import { ModelClients, pick } from './model-clients.ts';
import { ModelCollector } from './model-collector.ts';
import { ModelObjects } from './model-objects.ts';
import { Promises } from './promises.ts';

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

/** Far more rounds than any course of events needs. */
const MAX_ROUNDS = 200_000;

/**
 * A model API, clients that do as chance says, and one collector or two that do not know of each other, as when a
 * leader has not noticed yet that its time is over. Events and requests come in any order and with any delay, and
 * fail. One seed is one course of events; what is promised holds at every step of it.
 */
export class Simulation {
  readonly #random: Random;
  readonly #model: ModelObjects;
  readonly #clients: ModelClients;
  readonly #promises: Promises;
  readonly #collectors: readonly ModelCollector[];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#model = new ModelObjects(resources, namesFor('orch'), this.#random);
    this.#clients = new ModelClients(this.#model, this.#random);
    this.#promises = new Promises(this.#model);
    const newCollector = () => new ModelCollector(this.#model, this.#random, this.#promises);
    this.#collectors = Array.from({ length: 1 + (seed % 2) }, newCollector);
  }

  async run(steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      if (this.#random.int(5) === 0) this.#clients.act();
      else pick(this.#random, this.#collectors)?.act();
      await this.#pause();
    }
    await this.#rest();
    this.#clients.letGo();
    await this.#rest();
    this.#promises.atEnd();
  }

  async #pause(): Promise<void> {
    await settle();
    this.#promises.check();
  }

  /** Goes on without clients and failures until nothing happens any more. */
  async #rest(): Promise<void> {
    for (let idle = 0; idle < 2; ) {
      const before = this.#model.revision;
      for (let round = 0; this.#collectors.some(({ isBusy }) => isBusy); round++) {
        assert.ok(round < MAX_ROUNDS, 'the collector comes to rest');
        for (const collector of this.#collectors) collector.advance();
        await this.#pause();
      }
      for (const collector of this.#collectors) collector.lookAgain();
      idle = this.#model.revision === before ? idle + 1 : 0;
    }
    this.#promises.atRest();
    for (const { objects } of this.#collectors)
      assert.equal(objects, this.#model.all().length, 'the graph has what there is');
  }
}
