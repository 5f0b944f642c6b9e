import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject } from '@orch/machinery/json';
import { forSeeds, Simulation } from '../testing/simulation.ts';
import { template } from '../testing/workloads.ts';
import { replicaSetController } from './controller.ts';

const SEEDS = 40;
const CALM_MS = 120_000;
const TIME = '2024-01-01T00:00:00Z';
const namespace = 'n';
const place = { collection: 'apps/replicasets', namespace, name: 'web' };

/** A set is scaled, and its pods run, fail, are deleted and appear without an owner. */
class SetSimulation {
  readonly #simulation: Simulation;
  #made = 0;

  constructor(seed: number) {
    this.#simulation = new Simulation({
      seed,
      build: (context) => [replicaSetController(context, { showsTerminating: true })],
    });
  }

  get #objects() {
    return this.#simulation.api.objects;
  }

  async run(steps: number): Promise<void> {
    const apiVersion = `${this.#simulation.names.group('apps')}/v1`;
    const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
    this.#objects.create(place, { apiVersion, kind: 'ReplicaSet', metadata: {}, spec }, TIME);
    this.#simulation.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#simulation.pass(5000);
    }
    await this.#simulation.calm(CALM_MS);
    const set = this.#objects.get(place);
    const { replicas } = asObject(set['spec']);
    const active = this.#pods().filter((pod) => asObject(pod['status'])['phase'] !== 'Failed');
    assert.equal(active.length, replicas, 'the set has its pods');
    assert.ok(active.every(({ metadata }) => metadata.ownerReferences?.[0]?.uid === set.metadata.uid));
    assert.equal(asObject(set['status'])['replicas'] ?? 0, replicas, 'the status counts them');
    const { revision } = this.#objects;
    await this.#simulation.calm(CALM_MS);
    assert.equal(this.#objects.revision, revision, 'nothing is written when all work is done');
    await this.#simulation.end();
    assert.deepEqual([this.#simulation.api.watches.size, this.#simulation.env.clock.pending], [0, 0]);
  }

  #pods(): readonly ApiObject[] {
    return this.#objects.list('/pods').map(({ object }) => object);
  }

  #act(): void | Promise<void> {
    const { random } = this.#simulation;
    const pod = this.#simulation.anyOf(this.#pods());
    const podPlace = { collection: '/pods', namespace, name: pod?.metadata.name ?? '' };
    switch (random.int(8)) {
      case 0:
      case 1: {
        const set = this.#objects.get(place);
        const spec = { ...asObject(set['spec']), replicas: random.int(6) };
        this.#objects.update(place, { ...set, spec });
        return;
      }
      case 2:
        if (pod !== undefined) this.#objects.update(podPlace, { ...pod, status: { phase: 'Failed' } });
        return;
      case 3:
        if (pod !== undefined) this.#objects.delete(podPlace, {}, TIME);
        return;
      case 4: {
        const name = `orphan-${this.#made++}`;
        const orphan = { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: 'web' } } };
        this.#objects.create({ collection: '/pods', namespace, name }, orphan, TIME);
        return;
      }
      default:
        return this.#simulation.disturb();
    }
  }
}

describe('ReplicaSets under faults', () => {
  it(`a set has as many pods as it demands, all its own (${SEEDS} seeds)`, { timeout: 120_000 }, () =>
    forSeeds(SEEDS, 'packages/controllers/src/replicaset/simulation.test.ts', (seed) =>
      new SetSimulation(seed).run(40),
    ),
  );
});
