import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ModelStore, prefixRange } from '@orch/storage';
import { plant, Replica } from './testing/replica.ts';

const services = '/api/v1/namespaces/default/services';
const endpoints = '/api/v1/namespaces/default/endpoints';
const { signal } = new AbortController();

async function owners(model: ModelStore): Promise<Record<string, string>> {
  const prefix = '/registry/~internal/services/';
  const { items } = await model.list(prefixRange(prefix), {}, signal);
  const entries = items
    .filter(({ key }) => key !== `${prefix}repair`)
    .map(({ key, value }) => [key.slice(prefix.length), JSON.parse(String(value)).name]);
  return Object.fromEntries(entries);
}

const addressed = (clusterIP: string): object => ({ clusterIP, clusterIPs: [clusterIP] });

describe('allocation repair loop', () => {
  it('the values of services in an older store are allocated before any other value', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await plant(model, 'old', {
      ...addressed('10.0.0.9'),
      type: 'NodePort',
      ports: [{ port: 80, nodePort: 30_001 }],
    });
    await using replica = await Replica.open({}, { store: model });
    await replica.reconciler.start(signal);
    const { 'addresses/10.0.0.1': _own, ...others } = await owners(model);
    assert.deepEqual(others, { 'addresses/10.0.0.9': 'old', 'ports/30001': 'old' });
  });

  it('a missing allocation is restored at the next start', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    const first = await Replica.open({}, { store: model });
    await first.start();
    await plant(model, 'lost', addressed('10.0.0.9'));
    await first[Symbol.asyncDispose]();
    await using second = await Replica.open({}, { store: model });
    await second.start();
    assert.equal((await owners(model))['addresses/10.0.0.9'], 'lost');
  });

  it('a duplicate address is reported once, by an event of every service but the oldest, and counted', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await plant(model, 'young', addressed('10.0.0.9'), '2024-01-02T00:00:00Z');
    await plant(model, 'old', addressed('10.0.0.9'), '2024-01-01T00:00:00Z');
    await using replica = await Replica.open({}, { store: model });
    await replica.start();
    await replica.advance(180_000);
    assert.equal((await owners(model))['addresses/10.0.0.9'], 'old');
    const { items } = (await replica.api.get('/api/v1/namespaces/default/events')).json;
    assert.deepEqual(
      items.map((event: { reason: string; type: string; involvedObject: { name: string } }) => [
        event.reason,
        event.type,
        event.involvedObject.name,
      ]),
      [['ClusterIPAlreadyAllocated', 'Warning', 'young']],
    );
    assert.match(
      replica.api.env.metrics.text(),
      /apiserver_clusterip_repair_ip_errors_total\{type="duplicate"\} [1-9]/,
    );
  });

  it('values outside of the ranges are reported and kept', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await plant(model, 'far', {
      ...addressed('192.168.0.1'),
      type: 'NodePort',
      ports: [{ port: 80, nodePort: 80 }],
    });
    await using replica = await Replica.open({}, { store: model });
    await replica.start();
    const { items } = (await replica.api.get('/api/v1/namespaces/default/events')).json;
    assert.deepEqual(items.map(({ reason }: { reason: string }) => reason).sort(), [
      'ClusterIPOutOfRange',
      'PortOutOfRange',
    ]);
    assert.equal((await replica.api.get(`${services}/far`)).json.spec.clusterIP, '192.168.0.1');
  });

  it('nothing is released while a service cannot be decoded', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await model.commit(
      { op: 'create', key: '/registry/services/default/broken', value: Buffer.from('{"kind":') },
      signal,
    );
    const allocation = '/registry/~internal/services/addresses/10.0.0.9';
    await model.commit({ op: 'create', key: allocation, value: Buffer.from('{}') }, signal);
    await using replica = await Replica.open({}, { store: model });
    await replica.start();
    for (let i = 0; i < 6; i++) await replica.advance(180_000);
    assert.notEqual((await model.get(allocation, signal)).kv, undefined);
  });

  it('an allocation that is unused for three rounds is released, regardless of its content', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    const allocation = '/registry/~internal/services/addresses/10.0.0.9';
    await model.commit({ op: 'create', key: allocation, value: Buffer.from('?') }, signal);
    await using replica = await Replica.open({}, { store: model });
    await replica.start();
    await replica.advance(180_000);
    await replica.advance(180_000);
    assert.notEqual((await model.get(allocation, signal)).kv, undefined);
    await replica.advance(180_000);
    await replica.advance(180_000);
    assert.equal((await model.get(allocation, signal)).kv, undefined);
  });

  it('the round at a restart does not count as a round without users', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    const allocation = '/registry/~internal/services/addresses/10.0.0.9';
    await model.commit({ op: 'create', key: allocation, value: Buffer.from('{}') }, signal);
    for (let i = 0; i < 6; i++) {
      await using replica = await Replica.open({}, { store: model });
      await replica.start();
      await replica.advance(60_000);
    }
    assert.notEqual((await model.get(allocation, signal)).kv, undefined);
  });
});

interface Slice {
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
  readonly addressType: string;
  readonly endpoints: readonly { readonly addresses: readonly string[] }[];
  readonly ports: readonly { readonly port: number }[];
}
const ips = (object: { subsets?: { addresses: { ip: string }[]; ports: { port: number }[] }[] }): unknown =>
  (object.subsets ?? []).map(({ addresses, ports }) => [ports[0]?.port, ...addresses.map(({ ip }) => ip)]);

describe('default service of the API', () => {
  it('the default service has the first address and the port of the API', async () => {
    await using replica = await Replica.open({ port: 16_443, address: '10.99.0.1' });
    await replica.start();
    const service = (await replica.api.get(`${services}/orch`)).json;
    assert.deepEqual(service.metadata.labels, { component: 'apiserver', provider: 'orch' });
    assert.deepEqual(service.spec, {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 16_443 }],
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    });
    const { metadata, subsets } = (await replica.api.get(`${endpoints}/orch`)).json;
    assert.deepEqual(metadata.labels, { 'endpointslice.orch.io/skip-mirror': 'true' });
    assert.deepEqual(subsets, [
      { addresses: [{ ip: '10.99.0.1' }], ports: [{ name: 'https', port: 16_443, protocol: 'TCP' }] },
    ]);
  });

  it('the default service is named after the naming', async () => {
    await using replica = await Replica.open({ address: '10.99.0.1' }, { naming: 'kubernetes' });
    await replica.start();
    assert.equal((await replica.api.get(`${services}/kubernetes`)).status, 200);
    assert.equal((await replica.api.get(`${endpoints}/kubernetes`)).status, 200);
  });

  it('a deleted default service is created again, and its port is corrected at the next start', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await using first = await Replica.open({ port: 6443 }, { store: model });
    await first.start();
    await first.api.delete(`${services}/orch`);
    await first.advance(10_000);
    assert.equal((await first.api.get(`${services}/orch`)).json.spec.clusterIP, '10.0.0.1');
    await using second = await Replica.open({ port: 7443 }, { store: model });
    await second.start();
    assert.equal((await second.api.get(`${services}/orch`)).json.spec.ports[0].targetPort, 7443);
  });

  it('a server starts when another service has the address of the default service', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await plant(model, 'thief', addressed('10.0.0.1'));
    await using replica = await Replica.open({}, { store: model });
    await replica.start();
    assert.equal((await replica.api.get(`${services}/orch`)).status, 404);
    await replica.api.delete(`${services}/thief`);
    await replica.advance(10_000);
    assert.equal((await replica.api.get(`${services}/orch`)).status, 200);
  });

  it('an unchanged default service is not written', async () => {
    await using replica = await Replica.open({ address: '10.99.0.1' });
    await replica.start();
    const before = (await replica.api.get(`${endpoints}/orch`)).json;
    for (let i = 0; i < 5; i++) await replica.advance(10_000);
    assert.deepEqual((await replica.api.get(`${endpoints}/orch`)).json, before);
  });
});

describe('endpoints of the default service', () => {
  /** One clock for the store and the replicas. */
  async function two() {
    const first = await Replica.open({ address: '10.99.0.1' });
    const { model } = first.api;
    const second = await Replica.open({ address: '10.99.0.2' }, { store: model });
    await first.start();
    await second.start();
    return { first, second };
  }

  it('the endpoints are all replicas, grouped by port', async () => {
    const { first, second } = await two();
    await using _first = first;
    await using _second = second;
    await using third = await Replica.open({ address: '10.99.0.1', port: 7443 }, { store: first.api.model });
    await third.start();
    assert.deepEqual(ips((await first.api.get(`${endpoints}/orch`)).json), [
      [6443, '10.99.0.1', '10.99.0.2'],
      [7443, '10.99.0.1'],
    ]);
  });

  it('slices exist for every family and port, the first with the name of the service', async () => {
    await using first = await Replica.open({ address: '10.99.0.1' });
    const { model } = first.api;
    await using second = await Replica.open({ address: 'fd00::2' }, { store: model });
    const third = await Replica.open({ address: '10.99.0.3', port: 7443 }, { store: model });
    for (const replica of [first, second, third]) await replica.start();
    const slices = async (): Promise<unknown> => {
      const { json } = await first.api.get('/apis/discovery.orch.io/v1/namespaces/default/endpointslices');
      return json.items.map(({ metadata, addressType, endpoints: all, ports }: Slice) => [
        metadata.name,
        metadata.labels['orch.io/service-name'],
        addressType,
        ports[0]?.port,
        ...all.flatMap(({ addresses }) => addresses),
      ]);
    };
    assert.deepEqual(await slices(), [
      ['orch', 'orch', 'IPv4', 6443, '10.99.0.1'],
      ['orch-ipv4-7443', 'orch', 'IPv4', 7443, '10.99.0.3'],
      ['orch-ipv6-6443', 'orch', 'IPv6', 6443, 'fd00::2'],
    ]);
    await third.reconciler.leave();
    await third[Symbol.asyncDispose]();
    await first.advance(10_000);
    assert.deepEqual(await slices(), [
      ['orch', 'orch', 'IPv4', 6443, '10.99.0.1'],
      ['orch-ipv6-6443', 'orch', 'IPv6', 6443, 'fd00::2'],
    ]);
  });

  it('a replica that stops is removed from the endpoints at once', async () => {
    const { first, second } = await two();
    await using _first = first;
    await using _second = second;
    await second.reconciler.leave();
    assert.deepEqual(ips((await first.api.get(`${endpoints}/orch`)).json), [[6443, '10.99.0.1']]);
    await second.advance(30_000);
    assert.deepEqual(ips((await first.api.get(`${endpoints}/orch`)).json), [[6443, '10.99.0.1']]);
  });

  it('a killed replica is removed from the endpoints when its lease expires, and not before', async () => {
    const { first, second } = await two();
    await using _first = first;
    await second.kill();
    await first.advance(10_000);
    assert.deepEqual(ips((await first.api.get(`${endpoints}/orch`)).json), [
      [6443, '10.99.0.1', '10.99.0.2'],
    ]);
    await first.advance(10_000);
    assert.deepEqual(ips((await first.api.get(`${endpoints}/orch`)).json), [[6443, '10.99.0.1']]);
    await second.api[Symbol.asyncDispose]();
  });

  it('endpoints that a user changed are corrected', async () => {
    await using replica = await Replica.open({ address: '10.99.0.1' });
    await replica.start();
    await replica.api.patch(`${endpoints}/orch`, { subsets: null });
    await replica.advance(10_000);
    assert.deepEqual(ips((await replica.api.get(`${endpoints}/orch`)).json), [[6443, '10.99.0.1']]);
    await replica.api.delete(`${endpoints}/orch`);
    await replica.advance(10_000);
    assert.deepEqual(ips((await replica.api.get(`${endpoints}/orch`)).json), [[6443, '10.99.0.1']]);
  });

  it('a replica without a published address does not write endpoints', async () => {
    await using replica = await Replica.open({ address: undefined });
    await replica.start();
    await replica.reconciler.leave();
    assert.equal((await replica.api.get(`${endpoints}/orch`)).status, 404);
  });
});
