import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { forSeeds, SimulatedController } from '../testing/simulated-controller.ts';
import { podGcController } from './controller.ts';
import { nodeOf } from './decide.ts';

const SEEDS = 150;
const TIME = '2024-01-01T00:00:00Z';
const namespace = 'n';
const options = { terminatedThreshold: 4, intervalMs: 20_000, quarantineMs: 40_000, endsOutOfService: false };
/** A node that is missing is looked at in three rounds, of which each may be a tenth late. */
const CALM_MS = 120_000;

const phaseOf = ({ status }: ApiObject): string => (status as { phase: string }).phase;
const isTerminated = (pod: ApiObject): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));
const isEnding = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

/** Pods, nodes that leave, and nodes that are late; only what the controller deletes is judged. */
class PodSimulation {
  readonly #world: SimulatedController;
  #isController = false;
  #terminatedOrphans = 0;
  #made = 0;

  constructor(seed: number) {
    this.#world = new SimulatedController({
      seed,
      make: (context) => podGcController(context, options),
      around: async ({ method }, send) => {
        // The model carries a request out at once, before it answers.
        this.#isController = method === 'DELETE';
        const answered = send();
        this.#isController = false;
        return await answered;
      },
    });
    this.#world.api.objects.onChange(({ type, place, old }) => {
      if (this.#isController && type === 'DELETED' && old !== undefined) this.#check(place.collection, old);
    });
  }

  async run(steps: number): Promise<void> {
    this.#world.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#world.pass(30_000);
    }
    await this.#world.calm(CALM_MS);
    const left = this.#all('pods');
    assert.ok(left.filter(isTerminated).length <= options.terminatedThreshold);
    assert.deepEqual(
      left.filter((pod) => nodeOf(pod) !== '' && !this.#hasNode(nodeOf(pod))),
      [],
    );
    assert.deepEqual(
      left.filter((pod) => nodeOf(pod) === '' && isEnding(pod)),
      [],
    );
    await this.#world.end();
    assert.deepEqual([this.#world.api.watches.size, this.#world.env.clock.pending], [0, 0]);
  }

  #check(collection: string, pod: ApiObject): void {
    assert.equal(collection, '/pods');
    const isOrphan = nodeOf(pod) !== '' && !this.#hasNode(nodeOf(pod));
    // Terminated pods that went with their nodes in the same round were counted among those that are too many.
    if (isOrphan && isTerminated(pod)) this.#terminatedOrphans++;
    const terminated = 1 + this.#all('pods').filter(isTerminated).length + this.#terminatedOrphans;
    const isSuperfluous = isTerminated(pod) && terminated > options.terminatedThreshold;
    const isUnscheduled = nodeOf(pod) === '' && isEnding(pod);
    assert.ok(isSuperfluous || isOrphan || isUnscheduled, `deleted for nothing: ${JSON.stringify(pod)}`);
  }

  #all(resource: string): readonly ApiObject[] {
    return this.#world.api.objects.list(`/${resource}`).map(({ object }) => object);
  }

  #hasNode(name: string): boolean {
    return this.#all('nodes').some(({ metadata }) => metadata.name === name);
  }

  #node(name: string): void {
    this.#world.api.objects.create(
      { collection: '/nodes', namespace: '', name },
      { metadata: { name } },
      TIME,
    );
  }

  #act(): void | Promise<void> {
    const { random, api } = this.#world;
    const pod = this.#world.anyOf(this.#all('pods'));
    switch (random.int(12)) {
      case 0:
      case 1:
        return this.#node(`node${this.#made++}`);
      case 2: {
        const node = this.#world.anyOf(this.#all('nodes'))?.metadata.name;
        if (node !== undefined)
          api.objects.delete({ collection: '/nodes', namespace: '', name: node }, {}, TIME);
        return;
      }
      case 3:
      case 4:
        return this.#pod(this.#world.anyOf(this.#all('nodes'))?.metadata.name ?? '', {});
      case 5: {
        // Its node says that it is there a while after its pod does.
        const late = `late${this.#made++}`;
        this.#pod(late, {});
        this.#world.env.clock.schedule(20_000, () => this.#node(late));
        return;
      }
      case 6:
        return this.#pod('', { deletionTimestamp: TIME, deletionGracePeriodSeconds: 30 });
      case 7:
        return this.#change(pod, (old) => ({ ...old, status: { phase: 'Failed' } }));
      case 8:
        return this.#change(pod, (old) => ({ ...old, status: { phase: 'Succeeded' } }));
      default:
        return this.#world.disturb();
    }
  }

  #pod(nodeName: string, metadata: object): void {
    const name = `p${this.#made++}`;
    const pod = {
      metadata: { name, namespace, ...metadata },
      spec: { nodeName },
      status: { phase: 'Running' },
    };
    this.#world.api.objects.create({ collection: '/pods', namespace, name }, pod, TIME);
  }

  #change(pod: ApiObject | undefined, change: (old: ApiObject) => ApiObject): void {
    if (pod === undefined) return;
    const { name = '' } = pod.metadata;
    this.#world.api.objects.update({ collection: '/pods', namespace, name }, change(pod));
  }
}

describe('pods that nobody needs, simulated', () => {
  it(`none is deleted that somebody needs, none stays (${SEEDS} seeds)`, { timeout: 120_000 }, () =>
    forSeeds(SEEDS, 'packages/controllers/src/pod-gc/simulation.test.ts', (seed) =>
      new PodSimulation(seed).run(60),
    ),
  );
});
