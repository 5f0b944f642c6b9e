import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  allocations,
  created,
  dual,
  isV4,
  isV6,
  ok,
  open,
  path,
  problems,
  put,
  ranges,
  service,
} from './testing/service-fixture.ts';

describe('updates of services', () => {
  it('a change of the type allocates and releases values', async () => {
    await using api = await open();
    const first = await created(api, 'a');
    const open1 = await put(api, first, { type: 'NodePort' });
    const { nodePort } = open1.spec.ports[0];
    assert.equal(open1.spec.clusterIP, first.spec.clusterIP);
    assert.deepEqual(await allocations(api), [`addresses/${first.spec.clusterIP}`, `ports/${nodePort}`]);
    const closed = await ok(api.patch(`${path}/a`, { spec: { type: 'ClusterIP' } }));
    assert.equal(closed.spec.ports[0].nodePort, undefined);
    assert.deepEqual(await allocations(api), [`addresses/${first.spec.clusterIP}`]);
    const alias = await ok(
      api.patch(`${path}/a`, { spec: { type: 'ExternalName', externalName: 'a.example' } }),
    );
    assert.equal(alias.spec.clusterIP, undefined);
    assert.deepEqual(await allocations(api), []);
    const again = await ok(
      api.patch(`${path}/a`, { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' } }),
    );
    assert.match(again.spec.clusterIP, isV4);
    assert.equal((await allocations(api)).length, 3);
  });

  it('a changed node port is allocated, and the previous one released', async () => {
    await using api = await open();
    const first = await created(api, 'a', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] });
    await created(api, 'b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_081 }] });
    const taken = await api.put(`${path}/a`, {
      ...first,
      spec: { ...first.spec, ports: [{ port: 80, nodePort: 30_081 }] },
    });
    assert.equal(taken.status, 422);
    const moved = await put(api, first, { ports: [{ port: 80, nodePort: 30_082 }] });
    assert.equal(moved.spec.ports[0].nodePort, 30_082);
    assert.deepEqual(
      (await allocations(api)).filter((key) => key.startsWith('ports/')),
      ['ports/30081', 'ports/30082'],
    );
    await created(api, 'c', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] });
  });

  it('a change of the cluster IP is refused', async () => {
    await using api = await open();
    const first = await created(api, 'a');
    for (const body of [{ spec: { clusterIP: '10.0.0.200' } }, { spec: { clusterIPs: ['10.0.0.200'] } }]) {
      assert.equal((await api.patch(`${path}/a`, body)).status, 422);
    }
    assert.deepEqual(await allocations(api), [`addresses/${first.spec.clusterIP}`]);
  });

  it('values that the client does not send are kept', async () => {
    await using api = await open();
    const first = await created(api, 'a', { type: 'NodePort' });
    const after = await ok(api.put(`${path}/a`, service('a', { type: 'NodePort' })));
    assert.deepEqual(after, first);
  });

  it('updates of status and labels do not read allocations', async () => {
    let gets = 0;
    await using api = await open({
      wrap: (store) =>
        new Proxy(store, {
          get(target, name) {
            const field = Reflect.get(target, name) as (...parts: unknown[]) => unknown;
            return (...parts: unknown[]) => {
              if (String(parts[0]).includes('~internal/services')) gets++;
              return field.apply(target, parts);
            };
          },
        }),
    });
    const first = await created(api, 'a', { type: 'NodePort' });
    const before = gets;
    await ok(api.patch(`${path}/a/status`, { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }));
    await ok(api.patch(`${path}/a`, { metadata: { labels: { a: 'b' } } }));
    assert.equal(gets, before);
    assert.equal((await ok(api.get(`${path}/a`))).spec.clusterIP, first.spec.clusterIP);
  });

  it('after concurrent updates exactly the values of the last one are allocated', async () => {
    await using api = await open();
    await created(api, 'a');
    const types = ['NodePort', 'ClusterIP', 'NodePort', 'LoadBalancer', 'ClusterIP', 'NodePort'];
    await Promise.all(types.map((type) => api.patch(`${path}/a`, { spec: { type } })));
    const { spec } = await ok(api.get(`${path}/a`));
    const held = [`addresses/${spec.clusterIP}`];
    if (spec.ports[0].nodePort !== undefined) held.push(`ports/${spec.ports[0].nodePort}`);
    assert.deepEqual(await allocations(api), held);
  });
});

describe('deletion of services', () => {
  it('the values of a deleted service are released before the reply', async () => {
    await using api = await open();
    const requested = { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30_080 }] };
    for (let i = 0; i < 3; i++) {
      await created(api, 'a', requested);
      await ok(api.delete(`${path}/a`));
    }
    assert.deepEqual(await allocations(api), []);
  });

  it('a deletion of a collection releases the values of all services', async () => {
    await using api = await open();
    for (let i = 0; i < 20; i++) await created(api, `s${i}`, { type: 'NodePort' });
    assert.equal((await allocations(api)).length, 40);
    await ok(api.delete(path));
    assert.deepEqual(await allocations(api), []);
  });

  it('a service with a finalizer keeps its values until the finalizer is removed', async () => {
    await using api = await open();
    await ok(
      api.post(path, { ...service('a', {}), metadata: { name: 'a', finalizers: ['example.com/wait'] } }),
      201,
    );
    await ok(api.delete(`${path}/a`));
    assert.equal((await allocations(api)).length, 1);
    await ok(api.patch(`${path}/a`, { metadata: { finalizers: null } }));
    assert.deepEqual(await allocations(api), []);
  });
});

describe('dual-stack services', () => {
  it('a service gets an address of each family that it requests', async () => {
    await using api = await open({ services: dual });
    const single = await created(api, 'a');
    const prefer = await created(api, 'b', { ipFamilyPolicy: 'PreferDualStack' });
    const turned = await created(api, 'c', {
      ipFamilyPolicy: 'RequireDualStack',
      ipFamilies: ['IPv6', 'IPv4'],
    });
    assert.equal(single.spec.clusterIPs.length, 1);
    assert.match(prefer.spec.clusterIPs[0], isV4);
    assert.match(prefer.spec.clusterIPs[1], isV6);
    assert.match(turned.spec.clusterIP, isV6);
    assert.deepEqual(turned.spec.ipFamilies, ['IPv6', 'IPv4']);
  });

  it('a second family is allocated and released by updates', async () => {
    await using api = await open({ services: dual });
    const single = await created(api, 'a');
    const both = await ok(api.patch(`${path}/a`, { spec: { ipFamilyPolicy: 'RequireDualStack' } }));
    assert.equal(both.spec.clusterIP, single.spec.clusterIP);
    assert.match(both.spec.clusterIPs[1], isV6);
    assert.deepEqual(both.spec.ipFamilies, ['IPv4', 'IPv6']);
    assert.equal((await allocations(api)).length, 2);
    const again = await ok(api.patch(`${path}/a`, { spec: { ipFamilyPolicy: 'SingleStack' } }));
    assert.deepEqual([again.spec.clusterIPs, again.spec.ipFamilies], [[single.spec.clusterIP], ['IPv4']]);
    assert.deepEqual(await allocations(api), [`addresses/${single.spec.clusterIP}`]);
  });

  it('two spellings of one address are one allocation', async () => {
    await using api = await open({ services: ranges('fd00::/112') });
    const { spec } = await created(api, 'a', { clusterIP: 'FD00:0::00a' });
    assert.equal(spec.clusterIP, 'FD00:0::00a');
    assert.deepEqual(await allocations(api), ['addresses/fd00::a']);
    assert.equal((await api.post(path, service('b', { clusterIP: 'fd00::a' }))).status, 422);
    await ok(api.delete(`${path}/a`));
    assert.deepEqual(await allocations(api), []);
  });

  it('dual-stack services are refused on a single-stack cluster', async () => {
    await using api = await open();
    for (const [spec, expected] of [
      [{ ipFamilyPolicy: 'RequireDualStack' }, 'FieldValueInvalid spec.ipFamilyPolicy'],
      [{ ipFamilies: ['IPv6'] }, 'FieldValueInvalid spec.ipFamilies[0]'],
      [{ clusterIP: 'fd00::5' }, 'FieldValueInvalid spec.clusterIPs[0]'],
    ] as const) {
      const answer = await api.post(path, service('a', spec));
      assert.equal(answer.status, 422);
      assert.deepEqual(problems(answer), [expected]);
    }
  });
});

describe('services in older releases', () => {
  for (const [release, fields] of [
    ['1.19', []],
    ['1.20', ['clusterIPs']],
    ['1.21', ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']],
  ] as const) {
    it(`services of release ${release} have an address and ${fields.join(', ') || 'nothing more'}`, async () => {
      await using api = await open({ release });
      const { spec } = await created(api, 'a');
      assert.match(spec.clusterIP, isV4);
      const all = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];
      assert.deepEqual(
        all.filter((field) => field in spec),
        fields,
      );
      const { metadata } = await ok(api.get(`${path}/a`));
      const after = await ok(api.put(`${path}/a`, service('a', {})));
      assert.equal(after.spec.clusterIP, spec.clusterIP);
      assert.equal(after.metadata.resourceVersion, metadata.resourceVersion);
      assert.deepEqual(await allocations(api), [`addresses/${spec.clusterIP}`]);
      assert.equal((await api.patch(`${path}/a`, { spec: { clusterIP: '10.0.0.200' } })).status, 422);
      await ok(api.delete(`${path}/a`));
      assert.deepEqual(await allocations(api), []);
    });
  }
});

it('allocated addresses and ignored status fields have no field owner', async () => {
  await using api = await open();
  const object = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] }, status: { conditions: [] } };
  const made = await ok(api.post(`${path}?fieldManager=me`, object), 201);
  assert.ok(made.spec.clusterIP);
  const [entry, ...others] = made.metadata.managedFields;
  assert.deepEqual([entry.manager, entry.operation, others], ['me', 'Update', []]);
  assert.deepEqual(Object.keys(entry.fieldsV1), ['f:spec']);
  assert.ok(!('f:clusterIP' in entry.fieldsV1['f:spec']));
});
