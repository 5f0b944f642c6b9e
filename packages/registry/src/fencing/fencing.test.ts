import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Authorizer } from '@orch/auth';
import { type Fence, fenceHeader, formatFence } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import type { Committed, Store, Write } from '@orch/storage';
import type { Answered } from '../testing/answers.ts';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture, type RegistryFixtureOptions } from '../testing/registry-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const own = `${maps}/work`;

/** Everything in `Store` but `commit`, which the test intercepts. */
function before(store: Store, act: (write: Write) => Promise<unknown>): Store {
  return new Proxy(store, {
    get(target, member) {
      if (member === 'commit') {
        return async (write: Write, signal: AbortSignal): Promise<Committed> => {
          await act(write);
          return target.commit(write, signal);
        };
      }
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A server with a Lease, its holders, and writes under their fences. */
class Office implements AsyncDisposable {
  readonly api: RegistryFixture;
  readonly leases: string;
  /** Called before every commit of a guarded write. */
  #meanwhile: ((write: Write) => Promise<unknown>) | undefined;
  guarded = 0;

  private constructor(api: RegistryFixture) {
    this.api = api;
    this.leases = `/apis/${api.names.group('coordination')}/v1/namespaces/default/leases`;
  }

  static async open(options: RegistryFixtureOptions = {}): Promise<Office> {
    let office: Office | undefined;
    const wrap = (store: Store): Store => before(store, async (write) => office?.seen(write));
    office = new Office(await RegistryFixture.open({ ...options, wrap }));
    return office;
  }

  async seen(write: Write): Promise<void> {
    if (write.guards === undefined) return;
    this.guarded++;
    await this.#meanwhile?.(write);
  }

  /** Runs before each of the first `times` guarded commits. */
  meanwhile(act: () => Promise<unknown>, times = 1): void {
    let left = times;
    let last: Promise<unknown> | undefined;
    this.#meanwhile = async () => {
      if (left-- > 0) last = act();
      // Also commits that are under way at the same time come after it.
      await last;
    };
  }

  /** Creates the Lease; returns the fence of its holder. */
  async lead(holder: string): Promise<Fence> {
    const made = await this.api.post(this.leases, {
      kind: 'Lease',
      apiVersion: `${this.api.names.group('coordination')}/v1`,
      metadata: { name: 'boss' },
      spec: { holderIdentity: holder, leaseDurationSeconds: 15, leaseTransitions: 0 },
    });
    assert.equal(made.status, 201, made.text);
    return this.#fence(made);
  }

  async takeOver(holder: string): Promise<Fence> {
    const { json } = await this.api.get(`${this.leases}/boss`);
    const leaseTransitions = (json.spec.leaseTransitions ?? 0) + 1;
    return this.#fence(await this.#change({ holderIdentity: holder, leaseTransitions }));
  }

  renew = (): Promise<Answered> => this.#change({ leaseDurationSeconds: 15 + ++this.#renewals });
  release = (): Promise<Answered> => this.#change({ holderIdentity: '' });
  remove = (): Promise<Answered> => this.api.delete(`${this.leases}/boss`);
  #renewals = 0;

  async #change(spec: object): Promise<Answered> {
    const changed = await this.api.patch(`${this.leases}/boss`, { spec });
    assert.equal(changed.status, 200, changed.text);
    return changed;
  }

  #fence({ json }: Answered): Fence {
    const { metadata, spec } = json;
    const { holderIdentity: holder, leaseTransitions: transitions = 0 } = spec;
    return { namespace: 'default', name: 'boss', uid: metadata.uid, holder, transitions };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.api[Symbol.asyncDispose]();
  }
}

const under = (fence: Fence) => ({ headers: { [fenceHeader]: formatFence(fence) } });

type Send = (api: RegistryFixture, fence: Fence, query?: string) => Promise<Answered>;

const update: Send = (api, fence, query = '') =>
  api.put(`${own}${query}`, configMap('work', { by: 'put' }), under(fence));

/** Every kind of write, each of which would succeed without the fence. */
const writes: Readonly<Record<string, Send>> = {
  create: (api, fence, query = '') => api.post(`${maps}${query}`, configMap('new'), under(fence)),
  update,
  patch: (api, fence, query = '') =>
    api.patch(`${own}${query}`, { data: { by: 'patch' } }, 'merge', under(fence)),
  apply: (api, fence, query = '?') =>
    api.send('PATCH', `${own}${query}&fieldManager=m&force=true`, {
      ...under(fence),
      body: configMap('work', { by: 'apply' }),
      contentType: 'application/apply-patch+yaml',
    }),
  delete: (api, fence, query = '') => api.delete(`${own}${query}`, undefined, under(fence)),
  deletecollection: (api, fence, query = '') => api.delete(`${maps}${query}`, undefined, under(fence)),
};

const dataOf = async (api: RegistryFixture): Promise<unknown> =>
  (await api.get(maps)).json.items.map(
    // biome-ignore lint/suspicious/noExplicitAny: objects of a list.
    ({ metadata, data }: any) => [metadata.name, data],
  );

async function withWork(office: Office): Promise<unknown> {
  const { api } = office;
  for (const name of ['work', 'other']) {
    assert.equal((await api.post(maps, configMap(name, { by: 'nobody' }))).status, 201);
  }
  return dataOf(api);
}

function assertRefused(answer: Answered, why: RegExp): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.json.reason, 'Conflict');
  assert.match(answer.json.message, why);
}

describe('a write with a fence', () => {
  for (const [title, send] of Object.entries(writes)) {
    it(`${title} of the leader succeeds, each commit guarded by the Lease`, async () => {
      await using office = await Office.open();
      await withWork(office);
      const fence = await office.lead('a');
      const answer = await send(office.api, fence);
      assert.ok([200, 201].includes(answer.status), answer.text);
      assert.equal(
        office.guarded,
        title === 'deletecollection' ? (await office.api.get(maps)).json.items.length + 2 : 1,
      );
    });

    it(`${title} of a leader that was replaced is refused and does nothing`, async () => {
      await using office = await Office.open();
      const data = await withWork(office);
      const fence = await office.lead('a');
      await office.takeOver('b');
      assertRefused(
        await send(office.api, fence),
        /the lease "default\/boss" is held by "b" \(transition 1\), not by "a" \(transition 0\)/,
      );
      assert.equal(office.guarded, 0);
      assert.deepEqual(await dataOf(office.api), data);
    });

    it(`${title} has no effect when another leader takes over while the commit is in flight`, async () => {
      await using office = await Office.open();
      const data = await withWork(office);
      const fence = await office.lead('a');
      office.meanwhile(() => office.takeOver('b'));
      assertRefused(await send(office.api, fence), /is held by "b"/);
      assert.ok(office.guarded > 0);
      assert.deepEqual(await dataOf(office.api), data);
    });

    it(`${title} succeeds while the Lease is renewed before its attempts`, async () => {
      await using office = await Office.open();
      await withWork(office);
      const fence = await office.lead('a');
      office.meanwhile(office.renew, 4);
      const answer = await send(office.api, fence);
      assert.ok([200, 201].includes(answer.status), answer.text);
    });

    it(`${title} in a dry run is checked like a write`, async () => {
      await using office = await Office.open();
      const data = await withWork(office);
      const fence = await office.lead('a');
      const allowed = await send(office.api, fence, '?dryRun=All');
      assert.ok([200, 201].includes(allowed.status), allowed.text);
      await office.takeOver('b');
      assertRefused(await send(office.api, fence, '?dryRun=All'), /is held by "b"/);
      assert.deepEqual(await dataOf(office.api), data);
    });
  }

  it('a fenced write fails without effect when the Lease is renewed before each of five attempts', async () => {
    await using office = await Office.open();
    const data = await withWork(office);
    const fence = await office.lead('a');
    office.meanwhile(office.renew, 5);
    assertRefused(await update(office.api, fence), /renewed too often; please try again/);
    assert.equal(office.guarded, 5);
    assert.deepEqual(await dataOf(office.api), data);
    assert.equal((await update(office.api, fence)).status, 200);
  });

  it('a fenced deletecollection fails only for exhausted attempts while the Lease is renewed', async () => {
    await using office = await Office.open();
    const fence = await office.lead('a');
    let isOver = false;
    const renewing = (async () => {
      for (; !isOver; await settle()) await office.renew();
    })();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => office.api.post(maps, configMap(`m${i}`), under(fence))),
    );
    isOver = true;
    await renewing;
    const present = new Set((await office.api.get(maps)).json.items.map(nameOf));
    for (const [i, answer] of answers.entries()) {
      if (answer.status !== 201) assertRefused(answer, /renewed too often/);
      assert.equal(present.has(`m${i}`), answer.status === 201);
    }
  });

  for (const [title, change, why] of [
    ['was deleted', (office) => office.remove(), /the lease "default\/boss" does not exist/],
    ['was given up', (office) => office.release(), /the lease "default\/boss" has no holder/],
    [
      'was deleted and created again by the same holder',
      async (office) => {
        await office.remove();
        await office.lead('a');
      },
      /the lease "default\/boss" was created again: it has the uid "/,
    ],
    [
      'was lost and won back by the same holder',
      async (office) => {
        await office.takeOver('b');
        await office.takeOver('a');
      },
      /is held by "a" \(transition 2\), not by "a" \(transition 0\)/,
    ],
  ] as readonly (readonly [string, (office: Office) => Promise<unknown>, RegExp])[]) {
    it(`a fenced write is refused when the Lease ${title}, before or during the write`, async () => {
      await using office = await Office.open();
      const fence = await office.lead('a');
      office.meanwhile(() => change(office));
      assertRefused(await office.api.post(maps, configMap('late'), under(fence)), why);
      assertRefused(await office.api.post(maps, configMap('later'), under(fence)), why);
    });
  }

  for (const text of [
    '',
    'x',
    'default/boss/0/a',
    'default/boss/0//u',
    'default/boss/0/a/u, default/boss/0/a/u',
  ]) {
    it(`a write with the malformed fence ${JSON.stringify(text)} gets 400`, async () => {
      await using office = await Office.open();
      const answer = await office.api.post(maps, configMap('a'), { headers: { [fenceHeader]: text } });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.json.message, /the header lease-fence is malformed/);
      assert.equal((await office.api.get(`${maps}/a`)).status, 404);
    });
  }

  it('a read with a fence does not depend on the Lease', async () => {
    await using office = await Office.open();
    const fence = await office.lead('a');
    await office.takeOver('b');
    assert.equal((await office.api.get(maps, under(fence))).status, 200);
    assert.equal((await office.api.get(maps, { headers: { [fenceHeader]: 'x' } })).status, 200);
  });

  it('a fenced write that changes nothing is refused when the Lease is lost', async () => {
    await using office = await Office.open();
    await withWork(office);
    const fence = await office.lead('a');
    const same = () => office.api.patch(own, { data: { by: 'nobody' } }, 'merge', under(fence));
    assert.equal((await same()).status, 200);
    await office.takeOver('b');
    assertRefused(await same(), /is held by "b"/);
  });

  it('a fenced write of the Lease itself is guarded', async () => {
    await using office = await Office.open();
    const fence = await office.lead('a');
    const renewed = () =>
      office.api.patch(
        `${office.leases}/boss`,
        { spec: { leaseDurationSeconds: 99 } },
        'merge',
        under(fence),
      );
    assert.equal((await renewed()).status, 200);
    await office.takeOver('b');
    assertRefused(await renewed(), /is held by "b"/);
  });

  it('a fenced eviction uses no disruption of a budget after a takeover', async () => {
    await using office = await Office.open();
    const { api } = office;
    const pods = '/api/v1/namespaces/default/pods';
    assert.equal((await api.post(pods, pod('p', {}, { labels: { app: 'x' } }))).status, 201);
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    assert.equal((await api.patch(`${pods}/p/status`, { status: ready })).status, 200);
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const budget = { minAvailable: 0, selector: { matchLabels: { app: 'x' } } };
    const made = await api.post(budgets, {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { name: 'b' },
      spec: budget,
    });
    assert.equal(made.status, 201, made.text);
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 1,
      desiredHealthy: 0,
      expectedPods: 1,
    };
    assert.equal((await api.patch(`${budgets}/b/status`, { status })).status, 200);
    const fence = await office.lead('a');
    office.meanwhile(() => office.takeOver('b'));
    const eviction = { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'p' } };
    assertRefused(await api.post(`${pods}/p/eviction`, eviction, under(fence)), /is held by "b"/);
    assert.equal((await api.get(`${budgets}/b`)).json.status.disruptionsAllowed, 1);
    assert.equal((await api.get(`${pods}/p`)).status, 200);
  });

  it('a refused fenced write releases the address that was allocated for it', async () => {
    await using office = await Office.open();
    const { api } = office;
    const fence = await office.lead('a');
    const services = '/api/v1/namespaces/default/services';
    const service = (name: string) => ({
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name },
      spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] },
    });
    office.meanwhile(() => office.takeOver('b'));
    assertRefused(await api.post(services, service('late'), under(fence)), /is held by "b"/);
    const made = await api.post(services, service('next'));
    assert.equal(made.status, 201, made.text);
  });
});

describe('a client without permission to read the Lease', () => {
  const mayNotReadLeases: Authorizer = {
    authorize: (attributes) => ({
      verdict:
        attributes.isResource && attributes.resource === 'leases' && attributes.user.name === 'stranger'
          ? 'deny'
          : 'allow',
      reason: '',
    }),
  };
  const access = {
    authenticator: {
      authenticate: ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => ({
        kind: 'user' as const,
        user: { name: String(headers['x-user'] ?? 'tester'), uid: '', groups: [], extra: {} },
      }),
    },
    authorizer: mayNotReadLeases,
  };

  it('a client that may not read the Lease gets the same refusal for a foreign, a recreated and a missing Lease', async () => {
    await using office = await Office.open({ access });
    const fence = await office.lead('a');
    const asked = async (asks: Fence): Promise<string> => {
      const headers = { ...under(asks).headers, 'x-user': 'stranger' };
      const answer = await office.api.post(maps, configMap('x'), { headers });
      assertRefused(answer, /is not held as the fence of the request requires/);
      return answer.json.message.replaceAll(asks.name, '*');
    };
    const messages = [
      await asked({ ...fence, holder: 'guess' }),
      await asked({ ...fence, uid: 'guess' }),
      await asked({ ...fence, transitions: 7 }),
      await asked({ ...fence, name: 'absent' }),
    ];
    assert.equal(new Set(messages).size, 1, messages.join('\n'));
  });

  it('a client that may not read the Lease can write with a fence that holds', async () => {
    await using office = await Office.open({ access });
    const fence = await office.lead('a');
    const headers = { ...under(fence).headers, 'x-user': 'stranger' };
    assert.equal((await office.api.post(maps, configMap('x'), { headers })).status, 201);
  });
});

const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }): string => metadata.name;
