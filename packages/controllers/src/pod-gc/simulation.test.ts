import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { forSeeds, Simulation } from '../testing/simulation.ts';
import { podGcController } from './controller.ts';
import { nodeOf } from './decide.ts';

const SEEDS = 75;
const TIME = '2024-01-01T00:00:00Z';
const namespace = 'n';
const options = {
  terminatedThreshold: 4,
  intervalMs: 20_000,
  quarantineMs: 40_000,
  removesOutOfService: false,
};
/** A missing node is examined in three rounds, of which each may be a tenth late. */
const CALM_MS = 120_000;

const phaseOf = ({ status }: ApiObject): string => (status as { phase: string }).phase;
const isTerminated = (pod: ApiObject): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));
const isEnding = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

/** Pods, removed nodes, and nodes that appear after their pods. Only deletions by the controller are checked. */
class PodSimulation {
  readonly #simulation: Simulation;
  #isController = false;
  #terminatedOrphans = 0;
  #made = 0;

  constructor(seed: number) {
    this.#simulation = new Simulation({
      seed,
      build: (context) => [podGcController(context, options)],
      around: async ({ method }, send) => {
        // The model server processes a request synchronously, before it responds.
        this.#isController = method === 'DELETE';
        const response = send();
        this.#isController = false;
        return await response;
      },
    });
    this.#simulation.api.objects.onChange(({ type, place, old }) => {
      if (this.#isController && type === 'DELETED' && old !== undefined) this.#check(place.collection, old);
    });
  }

  async run(steps: number): Promise<void> {
    this.#simulation.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#simulation.pass(30_000);
    }
    await this.#simulation.calm(CALM_MS);
    const remaining = this.#all('pods');
    assert.ok(remaining.filter(isTerminated).length <= options.terminatedThreshold);
    assert.deepEqual(
      remaining.filter((pod) => nodeOf(pod) !== '' && !this.#hasNode(nodeOf(pod))),
      [],
    );
    assert.deepEqual(
      remaining.filter((pod) => nodeOf(pod) === '' && isEnding(pod)),
      [],
    );
    await this.#simulation.end();
    assert.deepEqual([this.#simulation.api.watches.size, this.#simulation.env.clock.pending], [0, 0]);
  }

  #check(collection: string, pod: ApiObject): void {
    assert.equal(collection, '/pods');
    const isOrphan = nodeOf(pod) !== '' && !this.#hasNode(nodeOf(pod));
    // Terminated pods that were deleted as orphans in the same round still count towards the threshold.
    if (isOrphan && isTerminated(pod)) this.#terminatedOrphans++;
    const terminated = 1 + this.#all('pods').filter(isTerminated).length + this.#terminatedOrphans;
    const isBeyondThreshold = isTerminated(pod) && terminated > options.terminatedThreshold;
    const isUnscheduled = nodeOf(pod) === '' && isEnding(pod);
    assert.ok(
      isBeyondThreshold || isOrphan || isUnscheduled,
      `deleted without a reason: ${JSON.stringify(pod)}`,
    );
  }

  #all(resource: string): readonly ApiObject[] {
    return this.#simulation.api.objects.list(`/${resource}`).map(({ object }) => object);
  }

  #hasNode(name: string): boolean {
    return this.#all('nodes').some(({ metadata }) => metadata.name === name);
  }

  #node(name: string): void {
    this.#simulation.api.objects.create(
      { collection: '/nodes', namespace: '', name },
      { metadata: { name } },
      TIME,
    );
  }

  #act(): void | Promise<void> {
    const { random, api } = this.#simulation;
    const pod = this.#simulation.anyOf(this.#all('pods'));
    switch (random.int(12)) {
      case 0:
      case 1:
        return this.#node(`node${this.#made++}`);
      case 2: {
        const node = this.#simulation.anyOf(this.#all('nodes'))?.metadata.name;
        if (node !== undefined)
          api.objects.delete({ collection: '/nodes', namespace: '', name: node }, {}, TIME);
        return;
      }
      case 3:
      case 4:
        return this.#pod(this.#simulation.anyOf(this.#all('nodes'))?.metadata.name ?? '', {});
      case 5: {
        // The node is created a while after its pod.
        const late = `late${this.#made++}`;
        this.#pod(late, {});
        this.#simulation.env.clock.schedule(20_000, () => this.#node(late));
        return;
      }
      case 6:
        return this.#pod('', { deletionTimestamp: TIME, deletionGracePeriodSeconds: 30 });
      case 7:
        return this.#change(pod, (old) => ({ ...old, status: { phase: 'Failed' } }));
      case 8:
        return this.#change(pod, (old) => ({ ...old, status: { phase: 'Succeeded' } }));
      default:
        return this.#simulation.disturb();
    }
  }

  #pod(nodeName: string, metadata: object): void {
    const name = `p${this.#made++}`;
    const pod = {
      metadata: { name, namespace, ...metadata },
      spec: { nodeName },
      status: { phase: 'Running' },
    };
    this.#simulation.api.objects.create({ collection: '/pods', namespace, name }, pod, TIME);
  }

  #change(pod: ApiObject | undefined, change: (old: ApiObject) => ApiObject): void {
    if (pod === undefined) return;
    const { name = '' } = pod.metadata;
    this.#simulation.api.objects.update({ collection: '/pods', namespace, name }, change(pod));
  }
}

describe('the pod garbage collector under faults', () => {
  it(`every pod that is not needed is deleted, and no other pod (${SEEDS} seeds)`, { timeout: 120_000 }, () =>
    forSeeds(SEEDS, 'packages/controllers/src/pod-gc/simulation.test.ts', (seed) =>
      new PodSimulation(seed).run(60),
    ),
  );
});
