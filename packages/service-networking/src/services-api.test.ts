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
  ranges,
  service,
} from './testing/service-fixture.ts';

describe('creation of services', () => {
  it('every new service gets a unique address and its address family', async () => {
    await using api = await open();
    const a = await created(api, 'a');
    const b = await created(api, 'b');
    assert.match(a.spec.clusterIP, isV4);
    assert.notEqual(a.spec.clusterIP, b.spec.clusterIP);
    assert.deepEqual(
      [a.spec.clusterIPs, a.spec.ipFamilies, a.spec.ipFamilyPolicy],
      [[a.spec.clusterIP], ['IPv4'], 'SingleStack'],
    );
    assert.deepEqual(
      [...(await allocations(api))].sort(),
      [a, b].map(({ spec }) => `addresses/${spec.clusterIP}`).sort(),
    );
    const got = await ok(api.get(`${path}/a`));
    assert.deepEqual(got, a);
  });

  it('fields of the spec are stored in the order of the reference', async () => {
    await using api = await open();
    const { spec } = await created(api, 'a', { type: 'NodePort' });
    assert.deepEqual(Object.keys(spec), [
      'ports',
      'selector',
      'clusterIP',
      'clusterIPs',
      'type',
      'sessionAffinity',
      'externalTrafficPolicy',
      'ipFamilies',
      'ipFamilyPolicy',
      'internalTrafficPolicy',
    ]);
  });

  it('NodePort and LoadBalancer services get node ports, and health check ports where needed', async () => {
    await using api = await open();
    const nodePort = await created(api, 'a', { type: 'NodePort' });
    const balancer = await created(api, 'b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
    const closed = await created(api, 'c', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false });
    const given = [
      nodePort.spec.ports[0].nodePort,
      balancer.spec.ports[0].nodePort,
      balancer.spec.healthCheckNodePort,
    ];
    for (const port of given) assert.ok(port >= 30_000 && port <= 32_767, String(port));
    assert.equal(new Set(given).size, 3);
    assert.equal(closed.spec.ports[0].nodePort, undefined);
    assert.equal((await allocations(api)).filter((key) => key.startsWith('ports/')).length, 3);
  });

  it('one port number in two protocols gets one node port', async () => {
    await using api = await open();
    const { spec } = await created(api, 'dns', {
      type: 'NodePort',
      ports: [
        { name: 'udp', port: 53, protocol: 'UDP' },
        { name: 'web', port: 80 },
        { name: 'tcp', port: 53 },
      ],
    });
    const [udp, web, tcp] = spec.ports.map((port: { nodePort: number }) => port.nodePort);
    assert.equal(udp, tcp);
    assert.notEqual(udp, web);
  });

  it('ExternalName services get no values, and headless services no address', async () => {
    await using api = await open();
    const alias = await created(api, 'alias', { type: 'ExternalName', externalName: 'a.example' });
    const headless = await created(api, 'headless', { clusterIP: 'None' });
    assert.equal(alias.spec.clusterIP, undefined);
    assert.deepEqual([headless.spec.clusterIP, headless.spec.clusterIPs], ['None', ['None']]);
    assert.deepEqual(await allocations(api), []);
  });

  it('requested addresses and node ports are allocated once', async () => {
    await using api = await open();
    const requested = { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30_080 }] };
    const { spec } = await created(api, 'a', requested);
    assert.deepEqual([spec.clusterIP, spec.ports[0].nodePort], ['10.0.0.77', 30_080]);
    const again = await api.post(path, service('b', requested));
    assert.equal(again.status, 422);
    assert.deepEqual(problems(again), [
      'FieldValueInvalid spec.clusterIPs',
      'FieldValueInvalid spec.ports[0].nodePort',
    ]);
    assert.match(again.json.message, /10\.0\.0\.77.*already allocated.*already allocated/);
  });

  it('values outside of the ranges are refused with the valid ranges', async () => {
    await using api = await open();
    const answer = await api.post(
      path,
      service('a', {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        clusterIP: '192.168.0.1',
        ports: [{ port: 80, nodePort: 80 }],
        healthCheckNodePort: 81,
      }),
    );
    assert.equal(answer.status, 422);
    assert.deepEqual(problems(answer), [
      'FieldValueInvalid spec.clusterIPs',
      'FieldValueInvalid spec.ports[0].nodePort',
      'FieldValueInvalid spec.healthCheckNodePort',
    ]);
    assert.match(answer.json.message, /10\.0\.0\.0\/24.*30000-32767/);
  });

  it('a refused service leaves nothing allocated', async () => {
    await using api = await open();
    await created(api, 'a', { clusterIP: '10.0.0.77' });
    const before = await allocations(api);
    const requested = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] };
    for (const [name, spec, status] of [
      ['b', { ...requested, clusterIP: '10.0.0.77' }, 422],
      ['a', requested, 409],
      ['b', { ...requested, sessionAffinity: 'x' }, 422],
      ['b', { ...requested, ports: [{ port: 80, nodePort: 30_080 }], healthCheckNodePort: 5 }, 422],
    ] as const) {
      assert.equal((await api.post(path, service(name, spec))).status, status);
    }
    assert.deepEqual(await allocations(api), before);
  });

  it('a full range is reported, and values that were released are allocated again', async () => {
    await using api = await open({ services: ranges('10.0.0.0/29', '30000-30001') });
    for (let i = 0; i < 5; i++) await created(api, `s${i}`);
    const full = await api.post(path, service('late', {}));
    assert.equal(full.status, 500);
    assert.match(full.json.message, /10\.0\.0\.0\/29 is full/);
    await ok(api.delete(`${path}/s2`));
    await created(api, 'late', { type: 'NodePort', clusterIP: '' });
    const answer = await api.post(
      path,
      service('b', {
        type: 'NodePort',
        clusterIP: '10.0.0.1',
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
      }),
    );
    assert.equal(answer.status, 500);
    assert.match(answer.json.message, /30000-30001 is full/);
    // Values that the failed request had taken are free again.
    await created(api, 'first', { clusterIP: '10.0.0.1' });
  });

  it('services created by PUT or with a generated name get addresses', async () => {
    await using api = await open();
    const byPut = await ok(api.put(`${path}/a`, service('a', {})), 201);
    assert.match(byPut.spec.clusterIP, isV4);
    const generated = await ok(api.post(path, { ...service('', {}), metadata: { generateName: 'x-' } }), 201);
    assert.match(generated.spec.clusterIP, isV4);
  });
});

describe('dry runs of service writes', () => {
  it('a dry run of a create shows values and allocates none', async () => {
    await using api = await open({ services: dual });
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ipFamilyPolicy: 'RequireDualStack' };
    const suggested = await created(api, 'a', spec, '?dryRun=All');
    assert.match(suggested.spec.clusterIPs[0], isV4);
    assert.match(suggested.spec.clusterIPs[1], isV6);
    assert.notEqual(suggested.spec.healthCheckNodePort, suggested.spec.ports[0].nodePort);
    assert.deepEqual(await allocations(api), []);
  });

  it('a dry run of an update shows values and releases none', async () => {
    await using api = await open();
    await created(api, 'a', { type: 'NodePort' });
    const before = await allocations(api);
    const patched = await ok(
      api.patch(`${path}/a?dryRun=All`, { spec: { type: 'ExternalName', externalName: 'a.example' } }),
    );
    assert.equal(patched.spec.clusterIP, undefined);
    await ok(api.delete(`${path}/a?dryRun=All`));
    assert.deepEqual(await allocations(api), before);
  });

  it('a dry run does not check whether requested values are available', async () => {
    await using api = await open();
    await created(api, 'a', { clusterIP: '10.0.0.77' });
    await created(api, 'b', { clusterIP: '10.0.0.77' }, '?dryRun=All');
    await created(api, 'b', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }, '?dryRun=All');
  });
});
