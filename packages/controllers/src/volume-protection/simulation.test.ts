import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { forSeeds, Simulation } from '../testing/simulation.ts';
import { usesClaim } from './claim-use.ts';
import { claimProtectionController } from './claims-controller.ts';
import { decideUnused, keepsInUse, needsUnused } from './unused.ts';

const SEEDS = 75;
const CALM_MS = 30_000;
const TIME = '2024-01-01T00:00:00Z';
const namespace = 'n';

/** Pods and claims are created and deleted. Like a scheduler, it assigns no node to a pod whose claim is being deleted. */
class ClaimSimulation {
  readonly #simulation: Simulation;
  readonly #finalizer: string;
  #made = 0;

  constructor(seed: number) {
    this.#simulation = new Simulation({
      seed,
      build: (context) => [claimProtectionController(context, { tracksUse: true })],
    });
    this.#finalizer = this.#simulation.names.finalizers.pvcProtection;
    this.#simulation.api.objects.onChange(({ place, object, old }) => {
      if (place.collection === '/persistentvolumeclaims' && old !== undefined) this.#check(object, old);
    });
  }

  async run(steps: number): Promise<void> {
    this.#simulation.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#simulation.pass(5000);
    }
    await this.#simulation.calm(CALM_MS);
    for (const claim of this.#all('persistentvolumeclaims')) {
      assert.ok(this.#isProtected(claim), 'every remaining claim has the finalizer');
      if (claim.metadata.deletionTimestamp)
        assert.notDeepEqual(this.#users(claim), [], 'every deleted claim without users is gone');
      assert.ok(!needsUnused(claim), 'every bound claim says whether it is unused');
      const isUsed = this.#all('pods').some((pod) => keepsInUse(pod, claim));
      assert.equal(decideUnused(claim, isUsed, 0), undefined, 'and says the right thing');
    }
    await this.#simulation.end();
    assert.deepEqual([this.#simulation.api.watches.size, this.#simulation.env.clock.pending], [0, 0]);
  }

  #check(object: ApiObject, old: ApiObject): void {
    if (!this.#isProtected(old) || this.#isProtected(object)) return;
    assert.ok(old.metadata.deletionTimestamp, 'the finalizer of a claim was removed before its deletion');
    assert.deepEqual(this.#users(old), [], 'the finalizer of a used claim was removed');
  }

  #isProtected = ({ metadata }: ApiObject): boolean =>
    metadata.finalizers?.includes(this.#finalizer) === true;

  #all(resource: string): readonly ApiObject[] {
    return this.#simulation.api.objects.list(`/${resource}`).map(({ object }) => object);
  }

  #users(claim: ApiObject): readonly (string | undefined)[] {
    return this.#all('pods')
      .filter((pod) => usesClaim(pod, claim))
      .map(({ metadata }) => metadata.name);
  }

  #act(): void | Promise<void> {
    const { objects } = this.#simulation.api;
    const claim = this.#simulation.anyOf(this.#all('persistentvolumeclaims'));
    const pod = this.#simulation.anyOf(this.#all('pods'));
    const placeOf = (collection: string, name = '') => ({ collection, namespace, name });
    switch (this.#simulation.random.int(10)) {
      case 0:
      case 1: {
        const name = `c${this.#made++}`;
        const status = { phase: this.#simulation.random.int(3) > 0 ? 'Bound' : 'Pending' };
        const created = { metadata: { name, namespace }, status };
        objects.create(placeOf('/persistentvolumeclaims', name), created, TIME);
        return;
      }
      case 2:
      case 3: {
        const name = `p${this.#made++}`;
        const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: claim?.metadata.name ?? 'none' } }];
        objects.create(placeOf('/pods', name), { metadata: { name, namespace }, spec: { volumes } }, TIME);
        return;
      }
      case 4:
      case 5:
        return this.#schedule(pod);
      case 6:
        if (pod !== undefined) objects.delete(placeOf('/pods', pod.metadata.name), {}, TIME);
        return;
      case 7:
        if (claim === undefined) return;
        objects.delete(placeOf('/persistentvolumeclaims', claim.metadata.name), {}, TIME);
        return;
      default:
        return this.#simulation.disturb();
    }
  }

  #schedule(pod: ApiObject | undefined): void {
    if (pod === undefined) return;
    const { name = '' } = pod.metadata;
    const spec = pod['spec'] as kinds.core.PodSpec;
    const scheduled = { ...pod, spec: { ...spec, nodeName: 'one' } };
    const isRejected = this.#all('persistentvolumeclaims').some(
      (claim) => claim.metadata.deletionTimestamp && usesClaim(scheduled, claim),
    );
    if (!isRejected) this.#simulation.api.objects.update({ collection: '/pods', namespace, name }, scheduled);
  }
}

describe('the claim protection controller under faults', () => {
  it(
    `deleted claims remain exactly while pods use them, and bound ones say whether they are unused (${SEEDS} seeds)`,
    { timeout: 120_000 },
    () =>
      forSeeds(SEEDS, 'packages/controllers/src/volume-protection/simulation.test.ts', (seed) =>
        new ClaimSimulation(seed).run(60),
      ),
  );
});
