import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreError } from '@orch/storage';
import type { Answered } from '../testing/answers.ts';
import { pod } from '../testing/objects.ts';
import { RegistryFixture, type RegistryFixtureOptions } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

interface Conditions {
  readonly phase?: string;
  readonly ready?: boolean;
  readonly labels?: Record<string, string>;
}

/** A pod of a node, so that its deletion has a grace period, in a state. */
async function withPod(
  api: RegistryFixture,
  name: string,
  { phase = 'Running', ready = true, labels = { app: 'a' } }: Conditions = {},
): Promise<void> {
  const created = await api.post(`${ns}/pods`, pod(name, { nodeName: 'n' }, { labels }));
  assert.equal(created.status, 201, created.text);
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  const status = await api.patch(`${ns}/pods/${name}/status`, { status: { phase, conditions } });
  assert.equal(status.status, 200, status.text);
}

interface BudgetState {
  readonly selector?: object | null;
  readonly allowed?: number;
  readonly healthy?: readonly [current: number, desired: number];
  readonly observed?: number;
  readonly spec?: object;
  readonly path?: string;
}

async function withBudget(
  api: RegistryFixture,
  name: string,
  {
    selector = { matchLabels: { app: 'a' } },
    allowed = 1,
    healthy = [3, 3],
    observed = 1,
    spec,
    path = budgets,
  }: BudgetState = {},
): Promise<void> {
  const apiVersion = path.includes('v1beta1') ? 'policy/v1beta1' : 'policy/v1';
  const object = { kind: 'PodDisruptionBudget', apiVersion, metadata: { name } };
  const created = await api.post(path, {
    ...object,
    spec: { minAvailable: 1, ...(selector === null ? {} : { selector }), ...spec },
  });
  assert.equal(created.status, 201, created.text);
  const status = {
    observedGeneration: observed,
    disruptionsAllowed: allowed,
    currentHealthy: healthy[0],
    desiredHealthy: healthy[1],
    expectedPods: 5,
  };
  const patched = await api.patch(`${path}/${name}/status`, { status });
  assert.equal(patched.status, 200, patched.text);
}

const evict = (api: RegistryFixture, name: string, more: object = {}, query = ''): Promise<Answered> =>
  api.post(`${ns}/pods/${name}/eviction${query}`, {
    kind: 'Eviction',
    apiVersion: 'policy/v1',
    metadata: { name },
    ...more,
  });

const statusOf = async (api: RegistryFixture, name = 'b') =>
  (await api.get(`${budgets}/${name}`)).json.status;
const isGoing = async (api: RegistryFixture, name: string): Promise<boolean> => {
  const { status, json } = await api.get(`${ns}/pods/${name}`);
  return status === 404 || json.metadata.deletionTimestamp !== undefined;
};
const open = (options: RegistryFixtureOptions = {}): Promise<RegistryFixture> =>
  RegistryFixture.open(options);

describe('an eviction', () => {
  it('an eviction of a pod without a budget deletes it', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b', { selector: { matchLabels: { app: 'other' } }, allowed: 0 });
    const { status, json } = await evict(api, 'p');
    assert.deepEqual([status, json.status, json.code], [201, 'Success', 201]);
    assert.equal(await isGoing(api, 'p'), true);
  });

  it('an eviction uses one disruption of the budget and records the pod', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b', { allowed: 2 });
    assert.equal((await evict(api, 'p')).status, 201);
    const { disruptionsAllowed, disruptedPods, conditions } = await statusOf(api);
    assert.equal(disruptionsAllowed, 1);
    assert.deepEqual(Object.keys(disruptedPods), ['p']);
    assert.equal(conditions, undefined);
    assert.equal(await isGoing(api, 'p'), true);
  });

  it('an eviction that uses the last disruption sets the condition of the budget', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b');
    assert.equal((await evict(api, 'p')).status, 201);
    const { conditions } = await statusOf(api);
    assert.deepEqual(
      conditions.map(({ type, status, reason }: Record<string, string>) => [type, status, reason]),
      [['DisruptionAllowed', 'False', 'InsufficientPods']],
    );
  });

  it('an eviction is refused with 429 and the cause when the budget allows no disruption', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b', { allowed: 0, healthy: [2, 3] });
    const { status, headers, json } = await evict(api, 'p');
    assert.equal(status, 429);
    assert.equal(headers['Retry-After'], undefined);
    assert.equal(json.reason, 'TooManyRequests');
    assert.deepEqual(json.details, {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: 'The disruption budget b needs 3 healthy pods and has 2 currently',
        },
      ],
    });
    assert.equal(await isGoing(api, 'p'), false);
  });

  it('an eviction is refused with 429 and Retry-After while the budget is not processed', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b', { observed: 0 });
    const { status, headers, json } = await evict(api, 'p');
    assert.deepEqual([status, headers['Retry-After']], [429, '10']);
    assert.equal(json.details.causes[0].reason, 'DisruptionBudget');
    assert.equal(await isGoing(api, 'p'), false);
  });

  it('an eviction fails when two budgets cover the pod', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b');
    await withBudget(api, 'c');
    const { status, json } = await evict(api, 'p');
    assert.equal(status, 500);
    assert.match(json.message, /more than one PodDisruptionBudget/);
    assert.deepEqual([(await statusOf(api)).disruptionsAllowed, await isGoing(api, 'p')], [1, false]);
  });

  it('a budget whose selector has an impossible label value does not delay an eviction', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b', {
      selector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['no label'] }] },
      allowed: 0,
    });
    assert.equal((await evict(api, 'p')).status, 201);
  });

  it('an eviction of a missing pod gets 404, regardless of budgets', async () => {
    await using api = await open();
    await withBudget(api, 'b', { selector: {}, allowed: 0 });
    assert.equal((await evict(api, 'none')).status, 404);
  });

  it('an eviction respects the preconditions of its delete options', async () => {
    await using api = await open();
    await withPod(api, 'p');
    const { status } = await evict(api, 'p', { deleteOptions: { preconditions: { uid: 'other' } } });
    assert.equal(status, 409);
    assert.equal(await isGoing(api, 'p'), false);
  });

  it('the kind of the options within an eviction has no meaning', async () => {
    await using api = await open();
    await withPod(api, 'p');
    assert.equal((await evict(api, 'p', { deleteOptions: { kind: 'Pod' } })).status, 201);
    assert.equal(await isGoing(api, 'p'), true);
  });

  it('an eviction with contradictory options has an error for each', async () => {
    await using api = await open();
    await withPod(api, 'p');
    const deleteOptions = { propagationPolicy: 'Sometimes', orphanDependents: true };
    const { status, json } = await evict(api, 'p', { deleteOptions });
    assert.equal(status, 422);
    assert.deepEqual(
      json.details.causes.map((cause: { readonly reason: string }) => cause.reason),
      ['FieldValueInvalid', 'FieldValueNotSupported'],
    );
  });

  for (const [release, code] of [
    ['1.31', 201],
    ['1.32', 422],
  ] as const) {
    it(`an eviction that ignores read errors is answered with ${code} in ${release}`, async () => {
      await using api = await open({ release });
      await withPod(api, 'p');
      const deleteOptions = {
        ignoreStoreReadErrorWithClusterBreakingPotential: true,
        propagationPolicy: 'Background',
      };
      const { status, json } = await evict(api, 'p', { deleteOptions });
      assert.equal(status, code);
      if (code === 422)
        assert.equal(
          json.details.causes[0].field,
          'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential',
        );
    });
  }

  for (const phase of ['Pending', 'Succeeded', 'Failed']) {
    it(`an eviction of a ${phase} pod needs no budget`, async () => {
      await using api = await open();
      await withPod(api, 'p', { phase });
      await withBudget(api, 'b', { allowed: 0 });
      assert.equal((await evict(api, 'p')).status, 201);
      assert.equal(await isGoing(api, 'p'), true);
    });
  }

  it('an eviction of a pod that is being deleted needs no budget', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b', { allowed: 0 });
    await api.delete(`${ns}/pods/p`);
    assert.equal((await evict(api, 'p')).status, 201);
  });

  for (const [title, ready, healthy, spec, release, expected] of [
    ['an unready pod needs no budget when enough others are ready', false, [3, 3], {}, '1.24', 201],
    ['an unready pod needs its budget when too few others are ready', false, [2, 3], {}, '1.24', 429],
    ['an unready pod needs its budget when no pods have to be ready', false, [0, 0], {}, '1.24', 429],
    [
      'an unready pod needs no budget with the policy AlwaysAllow',
      false,
      [0, 3],
      { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      '1.27',
      201,
    ],
    [
      'a ready pod needs its budget with the policy AlwaysAllow',
      true,
      [3, 3],
      { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      '1.27',
      429,
    ],
  ] as const) {
    it(`an eviction checks budgets: ${title}`, async () => {
      await using api = await open({ release });
      await withPod(api, 'p', { ready });
      await withBudget(api, 'b', { allowed: 0, healthy, spec });
      assert.equal((await evict(api, 'p')).status, expected);
      assert.equal((await statusOf(api)).disruptionsAllowed, 0);
    });
  }

  it('a dry run of an eviction checks the budget and changes nothing', async () => {
    await using api = await open();
    await withPod(api, 'p');
    await withBudget(api, 'b');
    assert.equal((await evict(api, 'p', {}, '?dryRun=All')).status, 201);
    assert.equal((await evict(api, 'p', { deleteOptions: { dryRun: ['All'] } })).status, 201);
    assert.equal((await statusOf(api)).disruptionsAllowed, 1);
    assert.equal(await isGoing(api, 'p'), false);
    await api.patch(`${budgets}/b/status`, { status: { disruptionsAllowed: 0 } });
    assert.equal((await evict(api, 'p', {}, '?dryRun=All')).status, 429);
  });

  for (const [path, selector, covers] of [
    ['v1', {}, true],
    ['v1', null, false],
    ['v1beta1', {}, false],
    ['v1beta1', null, false],
    ['v1beta1', { matchLabels: { app: 'a' } }, true],
  ] as const) {
    it(`an eviction is ${covers ? '' : 'not '}covered by a budget of ${path} with the selector ${JSON.stringify(selector)}`, async () => {
      await using api = await open();
      await withPod(api, 'p');
      await withBudget(api, 'b', { selector, allowed: 0, path: budgets.replace('v1', path) });
      assert.equal((await evict(api, 'p')).status, covers ? 429 : 201);
    });
  }

  it('an evicted pod gets the condition DisruptionTarget from release 1.26 on', async () => {
    for (const [release, types] of [
      ['1.24', ['Ready']],
      ['1.26', ['Ready', 'DisruptionTarget']],
    ] as const) {
      await using api = await open({ release });
      await withPod(api, 'p');
      assert.equal((await evict(api, 'p')).status, 201);
      const { json } = await api.get(`${ns}/pods/p`);
      assert.deepEqual(
        json.status.conditions.map(({ type }: { type: string }) => type),
        types,
      );
    }
  });
});

describe('an eviction whose delete fails', () => {
  /** A store that writes of pods cannot reach once `breaks` returns true. */
  const without =
    (breaks: () => boolean) =>
    (store: Parameters<NonNullable<RegistryFixtureOptions['wrap']>>[0]): typeof store => {
      const commit = store.commit.bind(store);
      store.commit = async (write, signal) => {
        if (breaks() && write.key.includes('/pods/'))
          throw new StoreError('unavailable', 'cannot be reached');
        return commit(write, signal);
      };
      return store;
    };

  for (const [budget, retryAfter] of [
    [true, undefined],
    [false, '1'],
  ] as const) {
    it(`an eviction whose delete fails ${budget ? 'after it has used its budget does not ask' : 'without a budget asks'} the client to retry`, async () => {
      let isBroken = false;
      await using api = await open({ wrap: without(() => isBroken) });
      await withPod(api, 'p');
      if (budget) await withBudget(api, 'b', { allowed: 2 });
      isBroken = true;
      const { status, headers } = await evict(api, 'p');
      assert.deepEqual([status, headers['Retry-After']], [503, retryAfter]);
      if (budget) assert.equal((await statusOf(api)).disruptionsAllowed, 1);
    });
  }
});

describe('concurrent evictions', () => {
  it('concurrent evictions on several replicas succeed as often as the budget allows', async () => {
    await using first = await open();
    await using second = await open({ store: first.model, seed: 2 });
    await using third = await open({ store: first.model, seed: 3 });
    const replicas = [first, second, third];
    const names = Array.from({ length: 24 }, (_, i) => `p${i}`);
    for (const name of names) await withPod(first, name);
    await withBudget(first, 'b', { allowed: 5, healthy: [24, 19] });
    const answers = await Promise.all(names.map((name, i) => evict(replicas[i % 3] ?? first, name)));
    const granted = answers.filter(({ status }) => status === 201).length;
    assert.equal(granted, 5);
    for (const { status, json } of answers) {
      if (status !== 201)
        assert.deepEqual([status, json.details.causes[0].reason], [429, 'DisruptionBudget']);
    }
    const { disruptionsAllowed, disruptedPods } = await statusOf(first);
    assert.deepEqual([disruptionsAllowed, Object.keys(disruptedPods).length], [0, 5]);
    const going = await Promise.all(names.map((name) => isGoing(first, name)));
    assert.equal(going.filter(Boolean).length, 5);
  });

  it('an eviction of a pod that becomes ready meanwhile checks its budget', async () => {
    await using api = await open({
      wrap: (store) => {
        const commit = store.commit.bind(store);
        let isDone = false;
        store.commit = async (write, signal) => {
          const value = write.op === 'update' ? write.value.toString() : '';
          if (!isDone && write.key.endsWith('/pods/default/p') && value.includes('deletionTimestamp')) {
            isDone = true;
            // Just before the deletion of the pod starts.
            const conditions = [{ type: 'Ready', status: 'True' }];
            await api.patch(`${ns}/pods/p/status`, { status: { phase: 'Running', conditions } });
          }
          return commit(write, signal);
        };
        return store;
      },
    });
    await withPod(api, 'p', { phase: 'Pending', ready: false });
    await withBudget(api, 'b', { allowed: 0, healthy: [1, 3] });
    assert.equal((await evict(api, 'p')).status, 429);
    assert.equal(await isGoing(api, 'p'), false);
  });
});
