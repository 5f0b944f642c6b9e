import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { plant, Replica } from './testing/replica.ts';
import { created, path, type ServicesFixture, service } from './testing/service-fixture.ts';

const release = '1.36';
const { signal } = new AbortController();
const cidrs = '/apis/networking.orch.io/v1/servicecidrs';
const addresses = '/apis/networking.orch.io/v1/ipaddresses';

const cidrOf = (name: string, ...ranges: readonly string[]): object => ({
  kind: 'ServiceCIDR',
  apiVersion: 'networking.orch.io/v1',
  metadata: { name },
  spec: { cidrs: ranges },
});
const addressOf = (name: string): object => ({
  kind: 'IPAddress',
  apiVersion: 'networking.orch.io/v1',
  metadata: { name },
  spec: { parentRef: { resource: 'gateways', group: 'example.com', name: 'g' } },
});

/** The objects of a list by name. */
async function listed(api: ServicesFixture, list: string): Promise<readonly string[]> {
  const { json } = await api.get(list);
  return json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).sort();
}

const readyOf = async (api: ServicesFixture, name: string): Promise<string | undefined> => {
  const { json } = await api.get(`${cidrs}/${name}`);
  return json.status?.conditions?.map(
    ({ type, status }: { type: string; status: string }) => `${type}=${status}`,
  );
};

async function removeKey(model: ModelStore, key: string): Promise<void> {
  const { kv } = await model.get(key, signal);
  assert.ok(kv, key);
  await model.commit({ op: 'delete', key, expected: kv.modRevision }, signal);
}

const started = async (): Promise<Replica> => await (await Replica.open({}, { release })).start();

/** Deletes an object, lets the loop see it, and waits until replicas know. */
async function deleted(replica: Replica, name: string): Promise<number> {
  await replica.api.delete(`${cidrs}/${name}`);
  await replica.advance(0);
  await replica.advance(11_000);
  return (await replica.api.get(`${cidrs}/${name}`)).status;
}

describe('objects of service networks', () => {
  it('the ranges of the flag are an object that is ready, and the address of the default service is one', async () => {
    await using replica = await started();
    assert.deepEqual(await listed(replica.api, cidrs), ['orch']);
    assert.deepEqual(await readyOf(replica.api, 'orch'), ['Ready=True']);
    const { json } = await replica.api.get(`${addresses}/10.0.0.1`);
    assert.deepEqual(
      [json.metadata.labels, json.spec],
      [
        { 'ipaddress.orch.io/ip-family': 'IPv4', 'ipaddress.orch.io/managed-by': 'ipallocator.orch.io' },
        { parentRef: { resource: 'services', namespace: 'default', name: 'orch' } },
      ],
    );
  });

  it('the object of the flag is created again when it was removed from the store', async () => {
    await using replica = await started();
    await removeKey(replica.api.model, '/registry/servicecidrs.networking/orch');
    await replica.advance(0);
    assert.deepEqual(await readyOf(replica.api, 'orch'), ['Ready=True']);
  });

  it('the object of an address exists as long as its service', async () => {
    await using replica = await started();
    const { spec } = await created(replica.api, 'a');
    assert.deepEqual(await listed(replica.api, addresses), ['10.0.0.1', spec.clusterIP].sort());
    await replica.api.delete(`${path}/a`);
    assert.deepEqual(await listed(replica.api, addresses), ['10.0.0.1']);
  });

  it('earlier releases have no such objects', async () => {
    await using replica = await (await Replica.open({}, { release: '1.30' })).start();
    await created(replica.api, 'a');
    assert.equal((await replica.api.get(addresses)).status, 404);
  });

  it('an earlier release has them where the feature gate is enabled and the kinds are served', async () => {
    const openGates = new Set(['MultiCIDRServiceAllocator']);
    const isEnabled = (): boolean => true;
    await using replica = await (await Replica.open({}, { release: '1.32', openGates, isEnabled })).start();
    const { spec } = await created(replica.api, 'a');
    const objects = addresses.replace('/v1/', '/v1beta1/');
    assert.deepEqual(await listed(replica.api, objects), ['10.0.0.1', spec.clusterIP].sort());
  });

  it('an address that a client reserves by an object is not given to a service', async () => {
    await using replica = await started();
    assert.equal((await replica.api.post(addresses, addressOf('10.0.0.9'))).status, 201);
    const refused = await replica.api.post(path, service('a', { clusterIP: '10.0.0.9' }));
    assert.match(refused.text, /provided IP is already allocated/);
  });

  it('a dry run refuses an address outside of the ranges, as a creation does', async () => {
    await using replica = await started();
    const outside = service('a', { clusterIP: '10.1.0.9' });
    assert.equal((await replica.api.post(`${path}?dryRun=All`, outside)).status, 422);
    for (const [release, status] of [
      ['1.28', 422],
      ['1.20', 201],
    ] as const) {
      await using earlier = await (await Replica.open({}, { release })).start();
      assert.equal((await earlier.api.post(`${path}?dryRun=All`, outside)).status, status, release);
    }
  });

  it('an object of an address that remained from an earlier service does not block the address', async () => {
    await using replica = await started();
    await created(replica.api, 'a', { clusterIP: '10.0.0.9' });
    const { json } = await replica.api.get(`${addresses}/10.0.0.9`);
    await replica.api.delete(`${path}/a`);
    await replica.api.post(addresses, {
      ...json,
      metadata: { name: '10.0.0.9', labels: json.metadata.labels },
    });
    await created(replica.api, 'b', { clusterIP: '10.0.0.9' });
    assert.equal((await replica.api.get(`${addresses}/10.0.0.9`)).json.spec.parentRef.name, 'b');
  });

  it('services get addresses of further ranges once these are ready', async () => {
    await using replica = await started();
    const wanted = service('a', { clusterIP: '10.1.0.9' });
    assert.equal((await replica.api.post(path, wanted)).status, 422);
    await replica.api.post(cidrs, cidrOf('more', '10.1.0.0/24'));
    await replica.advance(0);
    assert.deepEqual(await readyOf(replica.api, 'more'), ['Ready=True']);
    assert.equal((await replica.api.post(path, wanted)).status, 201);
  });

  it('a further range is used when the one of the flag is full', async () => {
    await using replica = await started();
    await replica.api.post(cidrs, cidrOf('more', '10.1.0.0/28'));
    await replica.advance(0);
    const given: string[] = [];
    for (let i = 0; i < 254; i++) given.push((await created(replica.api, `s${i}`)).spec.clusterIP);
    assert.deepEqual(
      given.filter((address) => !address.startsWith('10.0.0.')).length,
      1,
      'the flag names 254 addresses, one of which the default service has',
    );
  });

  it('a range remains while services have addresses only of it, and is not used for new ones', async () => {
    await using replica = await started();
    await replica.api.post(cidrs, cidrOf('more', '10.1.0.0/24'));
    await replica.advance(0);
    await created(replica.api, 'a', { clusterIP: '10.1.0.9' });
    assert.equal(await deleted(replica, 'more'), 200);
    assert.deepEqual(await readyOf(replica.api, 'more'), ['Ready=False']);
    assert.equal((await replica.api.post(path, service('b', { clusterIP: '10.1.0.10' }))).status, 422);
    await replica.api.delete(`${path}/a`);
    await replica.advance(11_000);
    assert.equal((await replica.api.get(`${cidrs}/more`)).status, 404);
  });

  it('a range whose addresses another object covers is removed', async () => {
    await using replica = await started();
    await replica.api.post(cidrs, cidrOf('more', '10.1.0.0/24'));
    await replica.api.post(cidrs, cidrOf('most', '10.1.0.0/20'));
    await replica.advance(0);
    await created(replica.api, 'a', { clusterIP: '10.1.0.9' });
    assert.equal(await deleted(replica, 'more'), 404);
  });

  it('addresses of services in an older store become objects at the start, and objects without a service are removed', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    const older = await (await Replica.open({}, { store: model, release: '1.30' })).start();
    await created(older.api, 'a', { clusterIP: '10.0.0.9' });
    await older[Symbol.asyncDispose]();
    await plant(model, 'lost', { clusterIP: '10.0.0.10', clusterIPs: ['10.0.0.10'] });
    await using replica = await (await Replica.open({}, { store: model, release })).start();
    await replica.advance(1);
    assert.deepEqual(await listed(replica.api, addresses), ['10.0.0.1', '10.0.0.10', '10.0.0.9']);
    await removeKey(model, '/registry/services/default/lost');
    await replica.advance(4 * 3 * 60_000);
    assert.deepEqual(await listed(replica.api, addresses), ['10.0.0.1', '10.0.0.9']);
  });
});
