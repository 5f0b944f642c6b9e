import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { FakeClock, seededRandom, settle } from '@orch/machinery/testing';
import { ModelStore, prefixRange } from '@orch/storage';
import { FaultyStore } from '@orch/storage/conformance';
import { addressRanges } from './allocate/service-ranges.ts';
import { allocatedValuesOf, serviceSpec } from './allocate/service-spec.ts';
import { portRange } from './allocate/value-range.ts';
import { open, type ServicesFixture } from './testing/service-fixture.ts';

const path = '/api/v1/namespaces/default/services';
const allocationPrefix = '/registry/~internal/services/';
const { signal } = new AbortController();

/** Small ranges, so that the replicas compete. */
const services = { addresses: addressRanges('10.0.0.0/26,fd00::/122'), ports: portRange('30000-30030') };

interface Held {
  readonly name: string;
  readonly uid: string;
}

/** The stored state: the services that use each value, and the owner of its allocation. */
class Shared implements AsyncDisposable {
  readonly model = new ModelStore({ clock: new FakeClock() });
  readonly stores: FaultyStore[] = [];
  readonly replicas: ServicesFixture[] = [];

  static async open(seed: number, count = 3): Promise<Shared> {
    const shared = new Shared();
    for (let i = 0; i < count; i++) {
      const api = await open({
        store: shared.model,
        seed: seed * 10 + i,
        services,
        wrap(inner) {
          const faulty = new FaultyStore(inner, {
            clock: new FakeClock(),
            random: seededRandom(seed * 100 + i),
          });
          shared.stores.push(faulty);
          return faulty;
        },
      });
      shared.replicas.push(api);
    }
    return shared;
  }

  replica(index: number): ServicesFixture {
    const found = this.replicas[index % this.replicas.length];
    assert.ok(found);
    return found;
  }

  set faults(faults: FaultyStore['faults']) {
    for (const store of this.stores) store.faults = faults;
  }

  async holders(): Promise<ReadonlyMap<string, readonly Held[]>> {
    const { items } = await this.model.list(prefixRange('/registry/services/'), {}, signal);
    const holders = new Map<string, Held[]>();
    for (const { value } of items) {
      const service = JSON.parse(String(value)) as ApiObject;
      const { name = '', uid = '' } = service.metadata;
      const { addresses, ports } = allocatedValuesOf(serviceSpec(service));
      const keys = [
        ...[...addresses].map((one) => `addresses/${one}`),
        ...[...ports].map((one) => `ports/${one}`),
      ];
      for (const key of keys) holders.set(key, [...(holders.get(key) ?? []), { name, uid }]);
    }
    return holders;
  }

  async allocations(): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.model.list(prefixRange(allocationPrefix), {}, signal);
    return new Map(
      items
        .filter(({ key }) => key !== `${allocationPrefix}repair`)
        .map(({ key, value }) => [key.slice(allocationPrefix.length), JSON.parse(String(value)).uid]),
    );
  }

  /** Asserts that no two services share a value, and that every used value is allocated to its user. */
  async check(): Promise<void> {
    const [holders, allocations] = [await this.holders(), await this.allocations()];
    for (const [key, held] of holders) {
      assert.equal(held.length, 1, `${key} is held by ${held.map(({ name }) => name).join(', ')}`);
      assert.equal(allocations.get(key), held[0]?.uid, `the allocation of ${key}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.faults = {};
    for (const api of this.replicas) await api[Symbol.asyncDispose]();
  }
}

const types = ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'] as const;

/** A random request for one of a few services, so that requests conflict. */
async function act(shared: Shared, random: ReturnType<typeof seededRandom>): Promise<void> {
  const api = shared.replica(random.int(3));
  const name = `s${random.int(16)}`;
  const type = types[random.int(types.length)] ?? 'ClusterIP';
  const spec = {
    type,
    selector: { app: name },
    ...(type === 'ExternalName' ? { externalName: 'a.example' } : {}),
    ...(type === 'LoadBalancer' ? { externalTrafficPolicy: 'Local' } : {}),
    ...(type !== 'ExternalName' && random.int(3) === 0 ? { ipFamilyPolicy: 'PreferDualStack' } : {}),
    ports: [
      {
        name: 'a',
        port: 80,
        ...(type === 'NodePort' && random.int(2) === 0 ? { nodePort: 30_000 + random.int(30) } : {}),
      },
      { name: 'b', port: 81 },
    ],
  };
  const requested =
    type !== 'ExternalName' && random.int(4) === 0 ? { clusterIP: `10.0.0.${1 + random.int(62)}` } : {};
  switch (random.int(5)) {
    case 0:
    case 1:
      await api.post(path, {
        kind: 'Service',
        apiVersion: 'v1',
        metadata: { name },
        spec: { ...spec, ...requested },
      });
      return;
    case 2:
      await api.put(`${path}/${name}`, { kind: 'Service', apiVersion: 'v1', metadata: { name }, spec });
      return;
    case 3:
      await api.patch(`${path}/${name}`, { spec });
      return;
    default:
      await api.delete(`${path}/${name}`);
  }
}

async function settled(shared: Shared): Promise<void> {
  for (const api of shared.replicas) await api.settled();
}

/** Runs rounds of the repair loop on one replica. */
async function repair(shared: Shared, index: number, rounds: number): Promise<void> {
  const api = shared.replica(index);
  const stop = new AbortController();
  const running = api.registry.serviceReconciler({ port: 6443, address: undefined }).run(stop.signal);
  for (let i = 0; i < rounds * 2; i++) {
    await api.env.clock.advanceAsync(90_000);
    for (let turn = 0; turn < 60; turn++) await settle();
  }
  stop.abort(new Error('done'));
  await api.env.clock.advanceAsync(1);
  await running;
}

describe('allocation on replicas that share a store', () => {
  it('concurrent creates on three replicas allocate every value to one service, and all values', async () => {
    await using shared = await Shared.open(1);
    const answers = await Promise.all(
      Array.from({ length: 61 }, (_, i) =>
        shared.replica(i).post(path, {
          kind: 'Service',
          apiVersion: 'v1',
          metadata: { name: `s${i}` },
          spec: { ports: [{ port: 80 }] },
        }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 201),
    );
    const addresses = answers.map(({ json }) => json.spec.clusterIP);
    assert.equal(new Set(addresses).size, 61);
    await shared.check();
  });

  for (const seed of [1, 2, 3, 4]) {
    it(`no value is shared while requests, the store and replies fail, and no value is leaked (seed ${seed})`, async () => {
      await using shared = await Shared.open(seed);
      const random = seededRandom(seed);
      for (let round = 0; round < 12; round++) {
        shared.faults = { unavailable: 0.04, replyLost: 0.06, requestLost: 0.06 };
        await Promise.all(Array.from({ length: 18 }, () => act(shared, random)));
        await shared.check();
        shared.faults = {};
        await settled(shared);
      }
      const lost = shared.stores.map(({ injected }) => injected.replyLost + injected.requestLost);
      assert.ok(Math.min(...lost) > 5, `too few injected faults: ${lost}`);
      const leaked = (await shared.allocations()).size - (await shared.holders()).size;
      assert.ok(leaked > 0, 'nothing was left to the repair loop');
      await repair(shared, seed, 6);
      await shared.check();
      assert.deepEqual(
        [...(await shared.allocations()).keys()].sort(),
        [...(await shared.holders()).keys()].sort(),
      );
    });
  }

  it('a replica that is killed between allocation and commit leaves allocations only', async () => {
    await using shared = await Shared.open(5);
    const [dying] = shared.stores;
    assert.ok(dying);
    // From the first write of a service on, no write of this replica reaches the store.
    const commit = dying.commit.bind(dying);
    dying.commit = async (write, stop) => {
      if (write.key.startsWith('/registry/services/')) dying.faults = { requestLost: 1, unavailable: 1 };
      return commit(write, stop);
    };
    const spec = { type: 'NodePort', clusterIP: '10.0.0.40', ports: [{ port: 80, nodePort: 30_007 }] };
    const service = { kind: 'Service', apiVersion: 'v1', metadata: { name: 'a' }, spec };
    const broken = await shared.replica(0).post(path, service);
    assert.ok(broken.status >= 500, broken.text);
    assert.deepEqual([...(await shared.allocations()).keys()], ['addresses/10.0.0.40', 'ports/30007']);
    assert.equal((await shared.replica(1).post(path, service)).status, 422);
    await repair(shared, 1, 2);
    assert.equal((await shared.replica(1).post(path, service)).status, 422);
    // A second replica takes over, and continues the counts of the first.
    await repair(shared, 2, 4);
    const again = await shared.replica(1).post(path, service);
    assert.equal(again.status, 201, again.text);
    await shared.check();
  });
});
