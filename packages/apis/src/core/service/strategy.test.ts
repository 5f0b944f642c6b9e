import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import type { Release } from '../../release.ts';
import { setPath } from '../../testing/set-path.ts';
import { type WritePath, type Written, writePath } from '../../testing/write-path.ts';
import { services } from './index.ts';

const path = writePath();

/** A service as stored, with its allocations. */
function stored(spec: object, allocated: Readonly<Record<string, unknown>> = {}): ApiObject {
  const written = path.create(services, { metadata: { name: 's' }, spec });
  assert.deepEqual(written.errors, []);
  for (const [at, value] of Object.entries(allocated)) setPath(written.object, at, value);
  return written.object;
}

function changed(object: ApiObject, set: Readonly<Record<string, unknown>>): Written {
  const input = cloneJson(object) as Record<string, unknown>;
  for (const [at, value] of Object.entries(set)) setPath(input, at, value);
  return path.update(services, object, input);
}

const specOf = (written: Written): Record<string, unknown> =>
  written.object['spec'] as Record<string, unknown>;
const causes = (written: Written): unknown => written.errors.map(({ type, field }) => `${type} ${field}`);

const addressed = { 'spec.clusterIP': '10.0.0.1', 'spec.clusterIPs': ['10.0.0.1'] };
const ports = [{ port: 80 }];

describe('the policy of services with external addresses', () => {
  const externalIPs = ['192.0.2.9'];
  const at = (release: Release): WritePath => writePath(undefined, release);

  it('a service of type ClusterIP with external addresses has a policy for external traffic from 1.29 on', () => {
    const policyOf = (release: Release, spec: object): unknown =>
      specOf(at(release).create(services, { metadata: { name: 's' }, spec }))['externalTrafficPolicy'];
    assert.deepEqual(
      ['1.28', '1.29'].map((release) => policyOf(release, { externalIPs, ports })),
      [undefined, 'Cluster'],
    );
    assert.equal(policyOf('1.29', { ports }), undefined);
  });

  it('such a service may choose its policy from 1.29 on', () => {
    const spec = { externalIPs, ports, externalTrafficPolicy: 'Local' };
    const causesIn = (release: Release): unknown =>
      causes(at(release).create(services, { metadata: { name: 's' }, spec }));
    assert.deepEqual(['1.28', '1.29'].map(causesIn), [['FieldValueInvalid spec.externalTrafficPolicy'], []]);
  });

  it('a service that loses its external addresses loses the policy with them', () => {
    const { object } = at('1.29').create(services, { metadata: { name: 's' }, spec: { externalIPs, ports } });
    const next = cloneJson(object) as Record<string, unknown>;
    setPath(next, 'spec.externalIPs', []);
    const written = at('1.29').update(services, object, next);
    assert.deepEqual(written.errors, []);
    assert.equal(specOf(written)['externalTrafficPolicy'], undefined);
  });
});

describe('updating services', () => {
  it('updating services keeps allocated values that the object of the client lacks', () => {
    const object = stored({ type: 'NodePort', ports }, { ...addressed, 'spec.ports[0].nodePort': 30_001 });
    const written = path.update(services, object, {
      metadata: { ...object.metadata },
      spec: { type: 'NodePort', ports },
    });
    assert.deepEqual(written.errors, []);
    const { clusterIP, clusterIPs, ports: after } = specOf(written);
    assert.deepEqual([clusterIP, clusterIPs], ['10.0.0.1', ['10.0.0.1']]);
    assert.equal((after as { nodePort: number }[])[0]?.nodePort, 30_001);
  });

  it('updating services cannot change the address', () => {
    const object = stored({ ports }, addressed);
    assert.deepEqual(causes(changed(object, { 'spec.clusterIP': '10.0.0.2' })), [
      'FieldValueInvalid spec.clusterIPs[0]',
    ]);
  });

  it('updating services drops node ports that a new type does not need', () => {
    const object = stored({ type: 'NodePort', ports }, { ...addressed, 'spec.ports[0].nodePort': 30_001 });
    const written = changed(object, { 'spec.type': 'ClusterIP' });
    assert.deepEqual(written.errors, []);
    assert.deepEqual(specOf(written)['ports'], [{ protocol: 'TCP', port: 80, targetPort: 80 }]);
    assert.equal(specOf(written)['externalTrafficPolicy'], undefined);
  });

  it('updating services drops what only load balancers have', () => {
    const object = stored(
      { type: 'LoadBalancer', externalTrafficPolicy: 'Local', loadBalancerClass: 'a.b/c', ports },
      { ...addressed, 'spec.healthCheckNodePort': 31_000 },
    );
    const written = changed(object, { 'spec.type': 'ClusterIP' });
    assert.deepEqual(written.errors, []);
    const left = [
      'allocateLoadBalancerNodePorts',
      'loadBalancerClass',
      'healthCheckNodePort',
      'externalTrafficPolicy',
    ];
    assert.deepEqual(
      left.filter((name) => name in specOf(written)),
      [],
    );
  });

  it('updating services drops addresses of a service that becomes an alias', () => {
    const written = changed(stored({ ports }, addressed), {
      'spec.type': 'ExternalName',
      'spec.externalName': 'a.example',
    });
    assert.deepEqual(written.errors, []);
    assert.deepEqual(['clusterIP' in specOf(written), 'clusterIPs' in specOf(written)], [false, false]);
  });

  it('updating services takes a second address, and gives it back on purpose only', () => {
    const object = stored({ ports }, addressed);
    const dual = changed(object, { 'spec.clusterIPs': ['10.0.0.1', 'fd00::1'] });
    assert.deepEqual(dual.errors, []);
    const single = { 'spec.clusterIPs': ['10.0.0.1'] };
    assert.deepEqual(causes(changed(dual.object, single)), ['FieldValueInvalid spec.ipFamilyPolicy']);
    assert.deepEqual(causes(changed(dual.object, { ...single, 'spec.ipFamilyPolicy': 'SingleStack' })), []);
    assert.deepEqual(causes(changed(object, { 'spec.clusterIPs': ['10.0.0.1', '10.0.0.2'] })), [
      'FieldValueInvalid spec.clusterIPs',
    ]);
  });

  describe('of two families', () => {
    const dual = stored(
      { ports },
      {
        'spec.clusterIP': '10.0.0.1',
        'spec.clusterIPs': ['10.0.0.1', 'fd00::1'],
        'spec.ipFamilies': ['IPv4', 'IPv6'],
        'spec.ipFamilyPolicy': 'PreferDualStack',
      },
    );
    const fields = (written: Written): unknown => {
      const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = specOf(written);
      return [clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy];
    };
    const kept = ['10.0.0.1', ['10.0.0.1', 'fd00::1'], ['IPv4', 'IPv6'], 'PreferDualStack'];

    for (const [title, spec, expected] of [
      ['keeps them for a client that knows of none', { ports }, kept],
      ['keeps them for a client that knows one address', { ports, clusterIP: '10.0.0.1' }, kept],
      [
        'gives the second back to a policy of one, also of a client that sends all',
        { ...(dual['spec'] as object), ipFamilyPolicy: 'SingleStack' },
        ['10.0.0.1', ['10.0.0.1'], ['IPv4'], 'SingleStack'],
      ],
      [
        'gives the second back to a policy of one, of a client that sends nothing else',
        { ports, ipFamilyPolicy: 'SingleStack' },
        ['10.0.0.1', ['10.0.0.1'], ['IPv4'], 'SingleStack'],
      ],
      [
        'lets all go when it becomes an alias',
        { ...(dual['spec'] as object), type: 'ExternalName', externalName: 'a.example' },
        [undefined, undefined, undefined, undefined],
      ],
      [
        'lets all go when the client takes the one address away',
        { ...(dual['spec'] as object), type: 'ExternalName', externalName: 'a.example', clusterIP: '' },
        [undefined, undefined, undefined, undefined],
      ],
    ] as const) {
      it(title, () => {
        const written = path.update(services, dual, { metadata: { ...dual.metadata }, spec });
        assert.deepEqual(causes(written), []);
        assert.deepEqual(fields(written), expected);
      });
    }

    it('an update of a service cannot change the address when the client sends one address only', () => {
      const written = path.update(services, dual, {
        metadata: { ...dual.metadata },
        spec: { ports, clusterIP: '10.0.0.9' },
      });
      assert.equal((causes(written) as string[])[0], 'FieldValueInvalid spec.clusterIPs[0]');
    });
  });

  it('a service that had one address in a release without lists keeps it', () => {
    const object = stored({ ports }, { 'spec.clusterIP': '10.0.0.1' });
    delete (object['spec'] as Record<string, unknown>)['clusterIPs'];
    assert.deepEqual(causes(changed(object, {})), []);
    assert.deepEqual(causes(changed(object, { 'spec.clusterIP': '10.0.0.2' })), [
      'FieldValueInvalid spec.clusterIPs[0]',
    ]);
  });

  it('the name of a service may begin with a digit from release 1.36 on', () => {
    const named = (release: string): unknown =>
      writePath(undefined, release)
        .create(services, { metadata: { name: '1a' }, spec: { ports: [{ port: 80 }] } })
        .errors.map(({ field }) => field);
    assert.deepEqual([named('1.35'), named('1.36')], [['metadata.name'], []]);
  });

  it('a service that stops being an alias loses its external name', () => {
    const alias = stored({ type: 'ExternalName', externalName: 'a.example', ports });
    const written = changed(alias, { 'spec.type': 'ClusterIP' });
    assert.deepEqual(causes(written), []);
    assert.equal('externalName' in specOf(written), false);
  });

  it('an update of a service keeps the class of its load balancer', () => {
    const object = stored({ type: 'LoadBalancer', loadBalancerClass: 'a.b/c', ports }, addressed);
    assert.deepEqual(causes(changed(object, { 'spec.loadBalancerClass': 'a.b/d' })), [
      'FieldValueInvalid spec.loadBalancerClass',
    ]);
  });
});

describe('creating services', () => {
  const create = (spec: object): unknown => causes(path.create(services, { metadata: { name: 's' }, spec }));

  for (const [title, spec, expected] of [
    [
      'an address of the wrong family is refused',
      { ports, clusterIP: '10.0.0.1', ipFamilies: ['IPv6'] },
      ['FieldValueInvalid spec.clusterIPs[0]'],
    ],
    [
      'two families must differ',
      { ports, ipFamilies: ['IPv4', 'IPv4'] },
      ['FieldValueDuplicate spec.ipFamilies[1]'],
    ],
    [
      'addresses that disagree are refused',
      { ports, clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.2'] },
      ['FieldValueInvalid spec.clusterIPs[0]'],
    ],
    [
      'None stands alone',
      { ports, clusterIP: 'None', clusterIPs: ['None', '10.0.0.1'] },
      ['FieldValueInvalid spec.clusterIPs[0]'],
    ],
    [
      'a class is for load balancers',
      { ports, loadBalancerClass: 'a.b/c' },
      ['FieldValueForbidden spec.loadBalancerClass'],
    ],
    ['a trailing dot in an alias is fine', { type: 'ExternalName', externalName: 'a.example.' }, []],
    [
      'the same number may serve two protocols',
      {
        ports: [
          { name: 'a', port: 53 },
          { name: 'b', port: 53, protocol: 'UDP' },
        ],
      },
      [],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(create(spec), expected));
  }

  it('ranges of client addresses may stand in the older annotation', () => {
    const annotations = { 'service.beta.orch.io/load-balancer-source-ranges': '10.0.0.0/8, x' };
    const spec = { type: 'LoadBalancer', ports };
    const written = path.create(services, { metadata: { name: 's', annotations }, spec });
    assert.deepEqual(causes(written), [
      'FieldValueInvalid metadata.annotations[service.beta.orch.io/load-balancer-source-ranges]',
    ]);
  });
});

describe('the status of services', () => {
  it('the status of services names where traffic is accepted', () => {
    const object = stored({ ports }, addressed);
    const input = {
      ...cloneJson(object),
      status: {
        loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.1.1.1' }, { hostname: '010.0.0.1' }] },
      },
    };
    assert.deepEqual(causes(path.update(services, object, input, 'status')), [
      'FieldValueInvalid status.loadBalancer.ingress[0].ip',
      'FieldValueInvalid status.loadBalancer.ingress[1].hostname',
      'FieldValueInvalid status.loadBalancer.ingress[2].hostname',
    ]);
  });

  it('conditions of services are not validated, as in other servers of this API', () => {
    const object = stored({ ports }, addressed);
    const conditions = [
      { type: 'A', status: 'Maybe' },
      { type: 'A', status: '', observedGeneration: -1, reason: 'no reason', message: 'x'.repeat(40_000) },
    ];
    const input = { ...cloneJson(object), status: { loadBalancer: {}, conditions } };
    assert.deepEqual(causes(path.update(services, object, input, 'status')), []);
  });
});
