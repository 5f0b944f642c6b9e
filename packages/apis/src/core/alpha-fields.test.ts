import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { writePath } from '../testing/write-path.ts';
import { pods } from './pod/index.ts';
import { services } from './service/index.ts';

const container = (fields: object = {}): object => ({ name: 'c', image: 'i', ...fields });
const pod = (spec: object): object => ({
  metadata: { name: 'p' },
  spec: { serviceAccountName: 'default', containers: [container()], ...spec },
});
const service = (spec: object): object => ({
  metadata: { name: 's' },
  spec: { ports: [{ port: 80 }], ...spec },
});
const claim = (name: string, source: object = { resourceClaimName: 'gpu' }): object => ({ name, source });
const using = (...claims: readonly string[]): object =>
  container({ resources: { claims: claims.map((name) => ({ name })) } });
const policy = (resourceName: string, restartPolicy: string): object => ({ resourceName, restartPolicy });

type Case = readonly [title: string, object: object, errors: readonly string[]];

const ofPods: readonly Case[] = [
  ['a pod with its own user namespace', pod({ hostUsers: false }), []],
  ['a pod with the users of the node', pod({ hostUsers: true, hostNetwork: true }), []],
  [
    'a pod with its own users and namespaces of the node',
    pod({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
    ['hostNetwork', 'HostPID', 'HostIPC'].map((field) => `FieldValueForbidden spec.${field}`),
  ],
  ['a pod that uses its claim', pod({ resourceClaims: [claim('a')], containers: [using('a')] }), []],
  [
    'a claim that the pod does not have',
    pod({ resourceClaims: [claim('a')], containers: [using('b')] }),
    ['FieldValueNotFound spec.containers[0].resources.claims[0]'],
  ],
  [
    'a claim without a source',
    pod({ resourceClaims: [claim('a', {})] }),
    ['FieldValueInvalid spec.resourceClaims[0].source'],
  ],
  [
    'a claim with two sources',
    pod({ resourceClaims: [claim('a', { resourceClaimName: 'x', resourceClaimTemplateName: 'y' })] }),
    ['FieldValueInvalid spec.resourceClaims[0].source'],
  ],
  [
    'two claims of one name',
    pod({ resourceClaims: [claim('a'), claim('a')] }),
    ['FieldValueDuplicate spec.resourceClaims[1].name'],
  ],
  [
    'a container with resize policies',
    pod({
      containers: [
        container({ resizePolicy: [policy('cpu', 'NotRequired'), policy('memory', 'RestartContainer')] }),
      ],
    }),
    [],
  ],
  [
    'a resize policy of another resource',
    pod({ containers: [container({ resizePolicy: [policy('storage', 'NotRequired')] })] }),
    ['FieldValueNotSupported spec.containers[0].resizePolicy'],
  ],
  [
    'an unknown resize policy',
    pod({ containers: [container({ resizePolicy: [policy('cpu', 'Always')] })] }),
    ['FieldValueNotSupported spec.containers[0].resizePolicy'],
  ],
];

const ofServices: readonly Case[] = [
  ['keys with all endpoints last', service({ topologyKeys: ['example.com/zone', '*'] }), []],
  [
    'all endpoints before a key',
    service({ topologyKeys: ['*', 'zone'] }),
    ['FieldValueInvalid spec.topologyKeys[0]'],
  ],
  ['a key twice', service({ topologyKeys: ['zone', 'zone'] }), ['FieldValueDuplicate spec.topologyKeys[1]']],
  [
    'a key that is not a name',
    service({ topologyKeys: ['a b'] }),
    ['FieldValueInvalid spec.topologyKeys[0]'],
  ],
  [
    'keys and local traffic',
    service({ type: 'NodePort', externalTrafficPolicy: 'Local', topologyKeys: ['zone'] }),
    ['FieldValueForbidden spec.topologyKeys'],
  ],
  [
    'seventeen keys',
    service({ topologyKeys: Array.from({ length: 17 }, (_, i) => `k-${i}`) }),
    ['FieldValueTooMany spec.topologyKeys'],
  ],
];

const gates = ['DynamicResourceAllocation', 'InPlacePodVerticalScaling', 'UserNamespacesSupport'];

describe('alpha fields of pods and services with an open gate', () => {
  for (const [type, release, opened, cases] of [
    [pods, '1.27', gates, ofPods],
    [services, '1.20', ['ServiceTopology'], ofServices],
  ] as const) {
    const path = writePath(namesFor('orch'), release, { openGates: new Set<string>(opened) });
    for (const [title, object, expected] of cases)
      it(`${title} in a ${type.kind}: ${expected.length === 0 ? 'valid' : 'invalid'}`, () => {
        const { problems, errors } = path.create(type, object);
        assert.deepEqual(problems, []);
        const found = errors.filter(({ field }) => !field.startsWith('metadata'));
        assert.deepEqual(
          found.map(({ type: kind, field }) => `${kind} ${field}`),
          expected,
        );
      });
  }

  it('alpha fields are dropped while their gate is closed', () => {
    const path = writePath(namesFor('orch'), '1.27');
    const { object } = path.create(pods, pod({ hostUsers: false, resourceClaims: [claim('a')] }));
    assert.doesNotMatch(JSON.stringify(object), /hostUsers|resourceClaims|resizePolicy/);
  });
});
