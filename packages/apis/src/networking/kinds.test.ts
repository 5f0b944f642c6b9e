import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { withOpenParts } from '../gates/gated-parts.ts';
import { fieldServedIn, typesAt } from '../lifecycle.ts';
import type { ResourceType } from '../resource-type.ts';
import { setPath } from '../testing/set-path.ts';
import { writePath } from '../testing/write-path.ts';
import { clusterCidrs } from './cluster-cidr/index.ts';
import { ingressClasses } from './ingress-class/index.ts';
import { ipAddresses } from './ip-address.ts';
import { networkPolicies } from './network-policy/index.ts';

type Rows = readonly (readonly [title: string, input: object, errors: readonly string[]])[];

const outcome = (
  type: ResourceType,
  input: object,
  release = '1.27',
  gates: readonly string[] = [],
): unknown =>
  writePath(undefined, release, { openGates: new Set(gates) })
    .create(type, input)
    .errors.map(({ type: reason, field }) => `${reason.slice('FieldValue'.length)} ${field}`);

const named = (spec: object, name = 'x'): object => ({ metadata: { name }, spec });
const metadata = { name: 'x', creationTimestamp: '2024-01-01T00:00:00Z' };
const age = { age: metadata.creationTimestamp };
const row = (type: ResourceType, object: object): unknown =>
  type.table?.cells({ metadata, ...object }, namesFor('orch'));

describe('network policies', () => {
  const policy = (ports: object): object => named({ podSelector: {}, ingress: [{ ports: [ports] }] });
  const at = 'spec.ingress[0].ports[0]';
  const rows: Rows = [
    ['take a range of ports', policy({ port: 80, endPort: 90 }), []],
    ['take a range of one', policy({ port: 80, endPort: 80 }), []],
    ['refuse a range upside down', policy({ port: 80, endPort: 79 }), [`Invalid ${at}.endPort`]],
    ['refuse a range of names', policy({ port: 'http', endPort: 80 }), [`Invalid ${at}.endPort`]],
    ['refuse a range without a beginning', policy({ endPort: 80 }), [`Invalid ${at}.endPort`]],
    ['refuse a range without an end', policy({ port: 80, endPort: 65536 }), [`Invalid ${at}.endPort`]],
  ];
  for (const [title, input, errors] of rows)
    it(title, () => assert.deepEqual(outcome(networkPolicies, input), errors));

  it('network policies support ranges of ports from 1.22 on, or with the gate', () => {
    const input = policy({ endPort: 80 });
    assert.deepEqual(
      [
        outcome(networkPolicies, input, '1.21'),
        outcome(networkPolicies, input, '1.21', ['NetworkPolicyEndPort']),
      ],
      [[], [`Invalid ${at}.endPort`]],
    );
  });

  for (const [title, cidr, except, wrong] of [
    ['a part', '10.0.0.0/8', '10.1.0.0/16', false],
    ['a part named by an address within', '10.0.0.1/8', '10.1.2.3/16', false],
    ['all of it', '10.0.0.0/8', '10.0.0.0/8', true],
    ['more than it', '10.0.0.0/8', '10.0.0.0/7', true],
    ['something else', '10.0.0.0/8', '11.0.0.0/16', true],
    ['the other family', '10.0.0.0/8', 'fd00::/16', true],
    ['a part of IPv6', 'fd00::/8', 'fd01::/16', false],
    ['no range', '10.0.0.0/8', '10.0.0.0', true],
  ] as const) {
    it(`network policies ${wrong ? 'refuse' : 'take'} ${title} as an exception`, () => {
      const to = [{ ipBlock: { cidr, except: [except] } }];
      assert.deepEqual(
        outcome(networkPolicies, named({ podSelector: {}, egress: [{ to }] })),
        wrong ? ['Invalid spec.egress[0].to[0].ipBlock.except[0]'] : [],
      );
    });
  }

  it('network policies apply to ingress by default, and to egress when they have egress rules', () => {
    const types = (spec: object): unknown =>
      (writePath().create(networkPolicies, named(spec)).object['spec'] as Readonly<Record<string, unknown>>)[
        'policyTypes'
      ];
    assert.deepEqual(
      [types({}), types({ egress: [{}] }), types({ policyTypes: ['Egress'] })],
      [['Ingress'], ['Ingress', 'Egress'], ['Egress']],
    );
  });

  it('network policies have a status from 1.24 on, which only its gate fills', () => {
    const condition = {
      type: 'Accepted',
      status: 'True',
      reason: 'Ok',
      message: '',
      lastTransitionTime: '2024-01-01T00:00:00Z',
    };
    const statusOf = (release: string, gates: readonly string[] = []): unknown => {
      const path = writePath(undefined, release, { openGates: new Set(gates) });
      const { object: stored } = path.create(networkPolicies, {
        ...named({}),
        status: { conditions: [condition] },
      });
      const next = { ...cloneJson(stored), status: { conditions: [condition] } };
      assert.deepEqual(path.update(networkPolicies, stored, next).object['status'], stored['status']);
      return [stored['status'], path.update(networkPolicies, stored, next, 'status').object['status']];
    };
    assert.deepEqual(statusOf('1.23'), [undefined, undefined]);
    assert.deepEqual(statusOf('1.24'), [{}, {}]);
    assert.deepEqual(statusOf('1.24', ['NetworkPolicyStatus']), [{}, { conditions: [condition] }]);
    const subresources = (release: string): unknown =>
      typesAt(release, [networkPolicies]).map((type) => type.subresources.map(({ name }) => name));
    assert.deepEqual([subresources('1.23'), subresources('1.24')], [[[]], [['status']]]);
    assert.deepEqual(
      withOpenParts(typesAt('1.24', [networkPolicies]), {
        openGates: new Set(),
        includes: fieldServedIn('1.24'),
      }).map((type) => type.subresources),
      [[]],
    );
  });

  it('network policies are shown with the pods they are for', () => {
    assert.deepEqual(row(networkPolicies, { spec: { podSelector: {} } }), ['x', '<none>', age]);
    assert.deepEqual(row(networkPolicies, { spec: { podSelector: { matchLabels: { b: 'c' } } } }), [
      'x',
      'b=c',
      age,
    ]);
  });
});

describe('ingress classes', () => {
  const parameters = (fields: object): object =>
    named({ controller: 'a.io/b', parameters: { kind: 'K', name: 'n', ...fields } });
  const rows: Rows = [
    ['have a controller below a domain', named({ controller: 'b' }), ['Invalid spec.controller']],
    ['have a domain that is one', named({ controller: 'A_/b' }), ['Invalid spec.controller']],
    ['have a path that is one', named({ controller: 'a.io/b c' }), ['Invalid spec.controller']],
    ['may have parameters of the cluster', parameters({}), []],
    ['may have parameters of a namespace', parameters({ scope: 'Namespace', namespace: 'm' }), []],
    ['name the namespace', parameters({ scope: 'Namespace' }), ['Required spec.parameters.namespace']],
    ['name no namespace in vain', parameters({ namespace: 'm' }), ['Forbidden spec.parameters.namespace']],
    ['know two scopes', parameters({ scope: 'X' }), ['NotSupported spec.parameters.scope']],
    ['know no empty scope', parameters({ scope: '' }), ['NotSupported spec.parameters.scope']],
    [
      'name parameters properly',
      parameters({ apiGroup: 'A_', kind: 'a/b', name: '..' }),
      ['Invalid spec.parameters.apiGroup', 'Invalid spec.parameters.kind', 'Invalid spec.parameters.name'],
    ],
  ];
  for (const [title, input, errors] of rows)
    it(title, () => assert.deepEqual(outcome(ingressClasses, input), errors));

  it('only parameters in a namespace have the name of one', () => {
    const wrong = (scope: string): unknown =>
      outcome(ingressClasses, parameters({ scope, namespace: 'A/b' }), '1.37');
    assert.deepEqual(wrong('Namespace'), ['Invalid spec.parameters.namespace']);
    assert.deepEqual(wrong('Cluster'), ['Forbidden spec.parameters.namespace']);
    assert.deepEqual(wrong('Other'), ['NotSupported spec.parameters.scope']);
  });

  it('ingress classes have no scope before 1.22', () => {
    const { object } = writePath(undefined, '1.21').create(
      ingressClasses,
      parameters({ scope: 'Namespace' }),
    );
    assert.deepEqual(object['spec'], { controller: 'a.io/b', parameters: { kind: 'K', name: 'n' } });
  });

  it('ingress classes are shown with their parameters', () => {
    const spec = { controller: 'a.io/b', parameters: { apiGroup: 'g', kind: 'K', name: 'n' } };
    assert.deepEqual(row(ingressClasses, { spec }), ['x', 'a.io/b', 'K.g/n', age]);
    assert.deepEqual(row(ingressClasses, { spec: { controller: 'c' } }), ['x', 'c', '<none>', age]);
  });
});

describe('ranges of pod addresses', () => {
  const rows: Rows = [
    ['are of one family or both', named({ perNodeHostBits: 8 }), ['Required spec']],
    ['take both families', named({ perNodeHostBits: 8, ipv4: '10.0.0.0/8', ipv6: 'fd00::/64' }), []],
    ['are of their family', named({ perNodeHostBits: 8, ipv4: 'fd00::/64' }), ['Invalid spec.ipv4']],
    ['are ranges', named({ perNodeHostBits: 8, ipv6: 'fd00::' }), ['Invalid spec.ipv6']],
    [
      'are large enough for a node',
      named({ perNodeHostBits: 9, ipv4: '10.0.0.0/24' }),
      ['Invalid spec.perNodeHostBits'],
    ],
    [
      'leave nodes at least 16 addresses',
      named({ perNodeHostBits: 3, ipv4: '10.0.0.0/24' }),
      ['Invalid spec.perNodeHostBits'],
    ],
  ];
  for (const [title, input, errors] of rows)
    it(title, () => assert.deepEqual(outcome(clusterCidrs, input), errors));

  it('ranges of pod addresses do not change', () => {
    const path = writePath(undefined, '1.27');
    const { object } = path.create(clusterCidrs, named({ perNodeHostBits: 8, ipv4: '10.0.0.0/8' }));
    const next = cloneJson(object);
    setPath(next, 'spec.perNodeHostBits', 9);
    setPath(next, 'spec.ipv4', '11.0.0.0/8');
    setPath(next, 'spec.ipv6', 'fd00::/64');
    const nodeSelectorTerms = [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }];
    setPath(next, 'spec.nodeSelector', { nodeSelectorTerms });
    assert.deepEqual(
      path.update(clusterCidrs, object, next).errors.map(({ field }) => field),
      ['spec.nodeSelector', 'spec.perNodeHostBits', 'spec.ipv4', 'spec.ipv6'],
    );
  });

  it('ranges of pod addresses are shown with the nodes they are for', () => {
    const nodeSelectorTerms = [
      { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] },
      { matchFields: [{ key: 'd', operator: 'Exists' }] },
    ];
    const spec = { perNodeHostBits: 8, ipv4: '10.0.0.0/8', ipv6: '', nodeSelector: { nodeSelectorTerms } };
    assert.deepEqual(row(clusterCidrs, { spec }), [
      'x',
      '8',
      '10.0.0.0/8',
      '<none>',
      age,
      'a In [b,c] || d Exists',
    ]);
  });
});

describe('reserved addresses', () => {
  const parentRef = { resource: 'services', namespace: 'm', name: 's' };
  for (const [name, wrong] of [
    ['10.0.0.1', false],
    ['fd00::1', false],
    ['FD00::1', true],
    ['fd00:0::1', true],
    ['10.0.0.01', true],
    ['a', true],
  ] as const) {
    it(`addresses ${wrong ? 'cannot' : 'can'} be called ${name}`, () => {
      assert.deepEqual(
        outcome(ipAddresses, named({ parentRef }, name)),
        wrong ? ['Invalid metadata.name'] : [],
      );
    });
  }

  it('addresses without a name need one, which is not said twice', () =>
    assert.deepEqual(
      writePath(undefined, '1.37')
        .create(ipAddresses, { spec: { parentRef: { resource: 'services', namespace: 'm', name: 's' } } })
        .errors.map(({ type, field }) => `${type} ${field}`),
      ['FieldValueRequired metadata.name'],
    ));

  it('addresses have a parent that cannot change', () => {
    assert.deepEqual(outcome(ipAddresses, named({}, '10.0.0.1')), ['Required spec.parentRef']);
    assert.deepEqual(outcome(ipAddresses, named({ parentRef: { group: 'A_' } }, '10.0.0.1')), [
      'Invalid spec.parentRef.group',
      'Required spec.parentRef.resource',
      'Required spec.parentRef.name',
    ]);
    const path = writePath(undefined, '1.27');
    const { object } = path.create(ipAddresses, named({ parentRef }, '10.0.0.1'));
    const next = cloneJson(object);
    setPath(next, 'spec.parentRef.name', 't');
    assert.deepEqual(
      path.update(ipAddresses, object, next).errors.map(({ field }) => field),
      ['spec.parentRef'],
    );
  });

  it('addresses are shown with what they belong to', () => {
    assert.deepEqual(row(ipAddresses, { spec: { parentRef } }), ['x', 'services/m/s']);
    const grouped = { group: 'a.example', resource: 'Things', name: 't' };
    assert.deepEqual(row(ipAddresses, { spec: { parentRef: grouped } }), ['x', 'things.a.example/t']);
    assert.deepEqual(row(ipAddresses, { spec: {} }), ['x', '<none>']);
  });
});
