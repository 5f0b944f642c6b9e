import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { forSeeds, SimulatedController } from '../testing/simulated-controller.ts';
import { usesClaim } from './claim-use.ts';
import { claimProtectionController } from './claims.ts';

const SEEDS = 150;
const CALM_MS = 30_000;
const TIME = '2024-01-01T00:00:00Z';
const namespace = 'n';

/** Pods and claims that come and go. Pods get nodes as a scheduler gives them: not when their claim is on its way out. */
class ClaimSimulation {
  readonly #world: SimulatedController;
  readonly #finalizer: string;
  #made = 0;

  constructor(seed: number) {
    this.#world = new SimulatedController({ seed, make: claimProtectionController });
    this.#finalizer = this.#world.names.finalizers.pvcProtection;
    this.#world.api.objects.onChange(({ place, object, old }) => {
      if (place.collection === '/persistentvolumeclaims' && old !== undefined) this.#check(object, old);
    });
  }

  async run(steps: number): Promise<void> {
    this.#world.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#world.pass(5000);
    }
    await this.#world.calm(CALM_MS);
    for (const claim of this.#all('persistentvolumeclaims')) {
      assert.ok(this.#isHeld(claim), 'every claim that is left is held');
      if (claim.metadata.deletionTimestamp)
        assert.notDeepEqual(this.#users(claim), [], 'what nobody uses is gone');
    }
    await this.#world.end();
    assert.deepEqual([this.#world.api.watches.size, this.#world.env.clock.pending], [0, 0]);
  }

  #check(object: ApiObject, old: ApiObject): void {
    if (!this.#isHeld(old) || this.#isHeld(object)) return;
    assert.ok(old.metadata.deletionTimestamp, 'nobody asked for its end');
    assert.deepEqual(this.#users(old), [], 'a claim was let go that is used');
  }

  #isHeld = ({ metadata }: ApiObject): boolean => metadata.finalizers?.includes(this.#finalizer) === true;

  #all(resource: string): readonly ApiObject[] {
    return this.#world.api.objects.list(`/${resource}`).map(({ object }) => object);
  }

  #users(claim: ApiObject): readonly (string | undefined)[] {
    return this.#all('pods')
      .filter((pod) => usesClaim(pod, claim))
      .map(({ metadata }) => metadata.name);
  }

  #act(): void | Promise<void> {
    const { objects } = this.#world.api;
    const claim = this.#world.anyOf(this.#all('persistentvolumeclaims'));
    const pod = this.#world.anyOf(this.#all('pods'));
    const placeOf = (collection: string, name = '') => ({ collection, namespace, name });
    switch (this.#world.random.int(10)) {
      case 0:
      case 1: {
        const name = `c${this.#made++}`;
        objects.create(placeOf('/persistentvolumeclaims', name), { metadata: { name, namespace } }, TIME);
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
        return this.#world.disturb();
    }
  }

  #schedule(pod: ApiObject | undefined): void {
    if (pod === undefined) return;
    const { name = '' } = pod.metadata;
    const spec = pod['spec'] as Record<string, unknown>;
    const scheduled = { ...pod, spec: { ...spec, nodeName: 'one' } };
    const isRefused = this.#all('persistentvolumeclaims').some(
      (claim) => claim.metadata.deletionTimestamp && usesClaim(scheduled, claim),
    );
    if (!isRefused) this.#world.api.objects.update({ collection: '/pods', namespace, name }, scheduled);
  }
}

describe('claims in use, simulated', () => {
  it(`none is let go that is used, none stays that is not (${SEEDS} seeds)`, { timeout: 120_000 }, () =>
    forSeeds(SEEDS, 'packages/controllers/src/volume-protection/simulation.test.ts', (seed) =>
      new ClaimSimulation(seed).run(60),
    ),
  );
});
