import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModelApi } from '@orch/client/testing';
import type { ApiObject, Random } from '@orch/machinery';
import { forSeeds, Simulation } from '../testing/simulation.ts';
import { resourceQuotaController } from './controller.ts';

const SEEDS = 80;
const RESYNC_MS = 300_000;
/** The usage must be exact this long after the last fault. */
const CALM_MS = 30_000;
const namespaces = ['a', 'b'];
const verbs = ['create', 'delete', 'get', 'list', 'watch'];
const listed = (name: string, kind: string): object => ({ name, kind, namespaced: true, verbs });

/** Discovery of the model server: two groups. */
const documents: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      listed('pods', 'Pod'),
      listed('configmaps', 'ConfigMap'),
      listed('resourcequotas', 'ResourceQuota'),
    ],
  },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'example.com',
        versions: [{ groupVersion: 'example.com/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
      },
    ],
  },
  '/apis/example.com/v1': {
    kind: 'APIResourceList',
    groupVersion: 'example.com/v1',
    resources: [listed('widgets', 'Widget')],
  },
};

const bounds = [
  'pods',
  'requests.cpu',
  'count/pods',
  'configmaps',
  'count/widgets.example.com',
  'count/nothing.example',
];

/** Many writers, and a controller under faults. */
class QuotaSimulation {
  readonly #simulation: Simulation;
  readonly #random: Random;
  readonly #api: ModelApi;
  /** Another writer counts ahead, which only the periodic count corrects. */
  readonly #hasOthers: boolean;
  #made = 0;

  constructor(seed: number) {
    this.#hasOthers = seed % 2 === 0;
    this.#simulation = new Simulation({
      seed,
      documents,
      build: (context) => [resourceQuotaController(context, { concurrency: 2, resyncMs: RESYNC_MS })],
    });
    this.#random = this.#simulation.random;
    this.#api = this.#simulation.api;
  }

  async run(steps: number): Promise<void> {
    const { env } = this.#simulation;
    for (const namespace of namespaces) this.#createQuota(namespace);
    this.#simulation.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#simulation.pass(5000);
    }
    await this.#simulation.calm(this.#hasOthers ? RESYNC_MS * 1.1 + CALM_MS : CALM_MS);
    this.#compare();
    const writes = (): number => this.#api.requests.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    await env.clock.advanceAsync(3 * RESYNC_MS);
    assert.equal(writes(), before, 'a correct status is not written again');
    await this.#simulation.end();
    assert.deepEqual([this.#api.watches.size, env.clock.pending], [0, 0], 'no watch and no timer remains');
  }

  async #act(): Promise<void> {
    const namespace = namespaces[this.#random.int(namespaces.length)] ?? '';
    switch (this.#random.int(16)) {
      case 0:
        return this.#createQuota(namespace);
      case 1:
        return this.#changeQuota();
      case 2:
        return this.#hasOthers ? this.#countAhead() : undefined;
      case 3:
      case 4:
      case 5:
        return this.#simulation.disturb();
      case 6:
      case 7:
      case 8:
        return this.#remove();
      case 9:
        return this.#endPod();
      default:
        return this.#create(namespace);
    }
  }

  #createQuota(namespace: string): void {
    const hard = Object.fromEntries(
      bounds.filter(() => this.#random.int(2) === 0).map((bound) => [bound, '100']),
    );
    const scopes = this.#random.int(4) === 0 ? { scopes: ['NotTerminating'] } : {};
    this.#put('/resourcequotas', namespace, { spec: { hard, ...scopes }, status: {} });
  }

  #create(namespace: string): void {
    const collection = ['/pods', '/pods', '/configmaps', 'example.com/widgets'][this.#random.int(4)] ?? '';
    const resources = { requests: { cpu: `${this.#random.int(5)}00m` } };
    const deadline = this.#random.int(3) === 0 ? { activeDeadlineSeconds: 5 } : {};
    this.#put(collection, namespace, { spec: { containers: [{ name: 'c', resources }], ...deadline } });
  }

  #put(collection: string, namespace: string, rest: object): void {
    const name = `x${this.#made++}`;
    const object: ApiObject = { metadata: { name, namespace }, ...rest };
    this.#api.objects.create({ collection, namespace, name }, object, '2024-01-01T00:00:00Z');
  }

  #any(collection: string): ReturnType<ModelApi['objects']['list']>[number] | undefined {
    const all = this.#api.objects.list(collection);
    return all.length === 0 ? undefined : all[this.#random.int(all.length)];
  }

  #update(collection: string, change: (object: ApiObject) => ApiObject): void {
    const found = this.#any(collection);
    if (found !== undefined) this.#api.objects.update(found.place, change(structuredClone(found.object)));
  }

  #remove(): void {
    const collection =
      ['/pods', '/configmaps', 'example.com/widgets', '/resourcequotas'][
        this.#random.int(8) % 4 === 3 ? 0 : this.#random.int(4)
      ] ?? '';
    const found = this.#any(collection);
    if (found !== undefined) this.#api.objects.delete(found.place, {}, '2024-01-01T00:00:00Z');
  }

  #endPod(): void {
    this.#update('/pods', (pod) => ({ ...pod, status: { phase: 'Succeeded' } }));
  }

  #changeQuota(): void {
    this.#update('/resourcequotas', (quota) => ({
      ...quota,
      spec: { hard: { [bounds[this.#random.int(bounds.length)] ?? 'pods']: '50', pods: '10' } },
    }));
  }

  /** As admission does before it creates objects. */
  #countAhead(): void {
    this.#update('/resourcequotas', (quota) => {
      const status = quota['status'] as { used?: Record<string, string> } | undefined;
      return {
        ...quota,
        status: { ...status, used: { ...status?.used, pods: String(this.#random.int(30)) } },
      };
    });
  }

  #compare(): void {
    const { objects } = this.#api;
    for (const { place, object } of objects.list('/resourcequotas')) {
      const { hard, scopes } = object['spec'] as { hard: Record<string, string>; scopes?: string[] };
      const own = (collection: string): readonly ApiObject[] =>
        objects
          .list(collection)
          .filter((one) => one.place.namespace === place.namespace)
          .map((one) => one.object);
      const pods = own('/pods').filter(
        (pod) =>
          scopes === undefined ||
          (pod['spec'] as object & { activeDeadlineSeconds?: number }).activeDeadlineSeconds === undefined,
      );
      const live = pods.filter((pod) => pod['status'] === undefined);
      const milli = live.reduce((sum, pod) => sum + milliCpu(pod), 0);
      const others = (collection: string): number => (scopes === undefined ? own(collection).length : 0);
      const expected: Record<string, number> = {
        pods: live.length,
        'requests.cpu': milli,
        'count/pods': pods.length,
        configmaps: others('/configmaps'),
        'count/widgets.example.com': others('example.com/widgets'),
      };
      const { used = {} } = (object['status'] ?? {}) as { used?: Record<string, string> };
      const wanted = Object.keys(hard)
        .filter((bound) => bound in expected)
        .map((bound) => [bound, expected[bound]]);
      const actual = Object.entries(used).map(([bound, text]) => [
        bound,
        bound === 'requests.cpu' ? milliOf(text) : Number(text),
      ]);
      assert.deepEqual(actual.sort(), wanted.sort(), `${place.namespace}/${place.name}`);
    }
  }
}

const milliOf = (text: string): number =>
  text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000;
const milliCpu = (pod: ApiObject): number =>
  (pod['spec'] as { containers: { resources: { requests: { cpu: string } } }[] }).containers.reduce(
    (sum, { resources }) => sum + milliOf(resources.requests.cpu),
    0,
  );

describe('the quota controller under faults', () => {
  it(`the usage of quotas is exact after the last fault (${SEEDS} seeds)`, { timeout: 170_000 }, () =>
    forSeeds(SEEDS, 'packages/controllers/src/resource-quota/simulation.test.ts', (seed) =>
      new QuotaSimulation(seed).run(60),
    ),
  );
});
