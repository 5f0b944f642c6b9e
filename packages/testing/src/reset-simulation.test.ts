import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, isApiError, type TypedClient, typed } from '@orch/client';
import { seededRandom } from '@orch/machinery/testing';
import { differenceOf, stateOf } from './checks/state.ts';
import type { ControlPlane, ControlPlaneOptions } from './options.ts';
import { startControlPlane } from './start-control-plane.ts';

const seeds = Array.from({ length: 6 }, (_, i) => i + 1);
const MOST_STEPS = 14;
/** Longer than every delay of the controllers, which the clock of the control plane passes at once. */
const LATER_MS = 3_600_000;
const WAIT = { timeoutMs: 60_000 };
const NAMES = ['a', 'b', 'c'];
const finalizers = ['example.com/kept'];
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };
const PROPAGATION = ['Foreground', 'Background', 'Orphan'] as const;

type Random = ReturnType<typeof seededRandom>;

const apiOf = (plane: ControlPlane): TypedClient => typed(createClient(plane.config), 'default');
const pick = <T>(random: Random, from: readonly T[]): T => from[random.int(from.length)] as T;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A request whose failure is possible: the object exists already, or no longer. */
async function tried<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return undefined;
  }
}

/** A dependent of an owner, if that exists. */
async function ownedBy({ core }: TypedClient, name: string, owner: string, more = {}): Promise<void> {
  const maps = core.v1.configmaps;
  const found = await tried(maps.get(owner));
  if (found === undefined) return;
  const { uid } = found.metadata;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid, blockOwnerDeletion: true };
  await tried(maps.create({ metadata: { name, ownerReferences: [reference], ...more } }));
}

/** What users do before a reset, to objects of the state and to others. */
const actions: readonly ((api: TypedClient, random: Random) => Promise<unknown>)[] = [
  ({ core }, random) => tried(core.v1.namespaces.create({ metadata: { name: pick(random, NAMES) } })),
  ({ core }, random) => tried(core.v1.namespaces.delete(pick(random, [...NAMES, 'state']))),
  ({ core }, random) =>
    tried(core.v1.configmaps.in(pick(random, NAMES)).create({ metadata: { name: 'map', finalizers } })),
  ({ core }, random) => tried(core.v1.configmaps.create({ metadata: { name: pick(random, NAMES) } })),
  (api, random) => ownedBy(api, `of-${pick(random, NAMES)}`, pick(random, [...NAMES, 'owner'])),
  (api, random) => ownedBy(api, `kept-${pick(random, NAMES)}`, pick(random, NAMES), { finalizers }),
  ({ core }, random) =>
    tried(
      core.v1.configmaps.delete(pick(random, [...NAMES, 'owner', 'dependent']), {
        propagationPolicy: pick(random, PROPAGATION),
      }),
    ),
  ({ core }, random) =>
    tried(core.v1.serviceaccounts.in(pick(random, ['state', 'default'])).delete('default')),
  ({ core }, random) => tried(core.v1.resourcequotas.delete(pick(random, ['quota']))),
  ({ core }, random) =>
    tried(
      core.v1.resourcequotas.create({
        metadata: { name: pick(random, NAMES) },
        spec: { hard: { pods: '2' } },
      }),
    ),
  ({ apps }, random) =>
    tried(
      apps.v1.deployments.create({
        metadata: { name: pick(random, NAMES) },
        spec: { replicas: 2, selector: { matchLabels: labels }, template },
      }),
    ),
  ({ apps }, random) => tried(apps.v1.deployments.delete(pick(random, [...NAMES, 'web']))),
  async ({ core }, random) => {
    const { items } = await core.v1.pods.list();
    if (items.length > 0) await tried(core.v1.pods.delete(pick(random, items).metadata.name));
  },
];

/** Objects that exist when the state for resets is marked. */
async function makeState(plane: ControlPlane): Promise<void> {
  const api = apiOf(plane);
  const { core, apps } = api;
  await core.v1.namespaces.create({ metadata: { name: 'state' } });
  await core.v1.configmaps.create({ metadata: { name: 'owner' } });
  await ownedBy(api, 'dependent', 'owner');
  await core.v1.resourcequotas.create({ metadata: { name: 'quota' }, spec: { hard: { configmaps: '20' } } });
  await apps.v1.deployments.create({
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  });
  await plane.quiescent(WAIT);
}

/** What users do after a reset: it uses the names of before. */
async function useState(plane: ControlPlane): Promise<void> {
  const api = apiOf(plane);
  const { core } = api;
  for (const name of NAMES) {
    await core.v1.namespaces.create({ metadata: { name } });
    await core.v1.configmaps.create({ metadata: { name } });
    await ownedBy(api, `of-${name}`, name);
  }
  await core.v1.configmaps.delete('a', { propagationPolicy: 'Foreground' });
  await core.v1.configmaps.delete('b');
  await core.v1.namespaces.delete('c');
  await plane.quiescent(WAIT);
  await plane.advance(LATER_MS);
  await plane.quiescent(WAIT);
}

const kinds: readonly (readonly [string, ControlPlaneOptions])[] = [
  ['the default controllers', { port: false }],
  ['all controllers', { port: false, workloads: true }],
];

for (const [what, options] of kinds)
  describe(`resets of a control plane with ${what} during work`, { timeout: 170_000 }, () => {
    let origin: ControlPlane;
    let plane: ControlPlane;
    let expected: Awaited<ReturnType<typeof stateOf>>;
    before(async () => {
      origin = await startControlPlane(options);
      await makeState(origin);
      plane = await origin.fork();
      await using fresh = await origin.fork();
      await useState(fresh);
      expected = await stateOf(fresh);
    });
    after(() => origin?.stop());

    for (const seed of seeds)
      it(`work after a reset has the result that it has in a fresh control plane (seed ${seed})`, async () => {
        const random = seededRandom(seed);
        const api = apiOf(plane);
        for (let step = random.int(MOST_STEPS); step >= 0; step--) {
          await pick(random, actions)(api, random);
          for (let turns = random.int(20) ** 2; turns > 0; turns--) await nextTurn();
        }
        await plane.reset();
        await useState(plane);
        assert.equal(differenceOf(expected, await stateOf(plane)), undefined);
      });
  });
