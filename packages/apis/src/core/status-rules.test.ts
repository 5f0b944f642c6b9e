import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Release } from '../release.ts';
import type { ResourceType } from '../resource-type.ts';
import { writePath } from '../testing/write-path.ts';
import { nodes } from './node/index.ts';
import { persistentVolumeClaims } from './persistent-volume-claim/index.ts';
import { pods } from './pod/index.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  readonly type: ResourceType;
  readonly object: Fields;
}

const sidecar = { name: 's', image: 'i', restartPolicy: 'Always' };
const kinds = {
  pod: {
    type: pods,
    object: {
      metadata: { name: 'x' },
      spec: {
        restartPolicy: 'Never',
        initContainers: [sidecar, { name: 'i', image: 'i' }],
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: { requests: { 'a.example/x': '1' }, limits: { 'a.example/x': '1' } },
          },
        ],
        resourceClaims: [{ name: 'own', resourceClaimName: 'own' }],
      },
    },
  },
  node: { type: nodes, object: { metadata: { name: 'x' } } },
  claim: {
    type: persistentVolumeClaims,
    object: {
      metadata: { name: 'x' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  },
} satisfies Record<string, Kind>;

const ended = { terminated: { exitCode: 1 } };
const waits = { waiting: { reason: 'R' } };
const health = (name: string, ...resources: Fields[]): Fields => ({
  containerStatuses: [{ name: 'c', allocatedResourcesStatus: [{ name, resources }] }],
});

const rows: readonly (readonly [
  title: string,
  kind: keyof typeof kinds,
  release: Release,
  changes: readonly [before: Fields, after: Fields],
  errors: readonly string[],
])[] = [
  ['the class of a pod stays', 'pod', '1.37', [{}, { qosClass: 'Guaranteed' }], ['Invalid status.qosClass']],
  ['the class of a pod may change before 1.32', 'pod', '1.31', [{}, { qosClass: 'Guaranteed' }], []],
  [
    'conditions of pods have qualified names',
    'pod',
    '1.37',
    [{}, { conditions: [{ type: 'a b' }, { type: 'Ready' }] }],
    ['Invalid status.conditions[0].Type'],
  ],
  [
    'a pod has one address of each family',
    'pod',
    '1.37',
    [{}, { podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }] }],
    ['Invalid status.podIPs'],
  ],
  [
    'both fields have the address of the node of a pod',
    'pod',
    '1.37',
    [{}, { hostIP: '192.0.2.1', hostIPs: [{ ip: '192.0.2.2' }] }],
    ['Invalid status.hostIPs[0].ip'],
  ],
  [
    'a sidecar of a pod starts again, another container does not',
    'pod',
    '1.37',
    [
      { initContainerStatuses: ['s', 'i'].map((name) => ({ name, state: ended })) },
      { initContainerStatuses: ['s', 'i'].map((name) => ({ name, state: waits })) },
    ],
    ['Forbidden status.initContainerStatuses[1].state'],
  ],
  [
    'claims of a pod are made for its entries, one for each',
    'pod',
    '1.37',
    [{}, { resourceClaimStatuses: [{ name: 'own' }, { name: 'own' }, { name: 'other' }] }],
    ['Invalid status.resourceClaimStatuses[2].name', 'Duplicate status.resourceClaimStatuses[1].name'],
  ],
  [
    'the user of a container has an id of Linux',
    'pod',
    '1.37',
    [{}, { containerStatuses: [{ name: 'c', user: { linux: { uid: -1, gid: 0 } } }] }],
    ['Invalid status.containerStatuses[0].user.linux.uid'],
  ],
  [
    'the health of devices is about requests of the container, each device once',
    'pod',
    '1.37',
    [{}, health('b', { resourceID: 'd', health: 'Healthy' }, { resourceID: 'd', health: 'X' })],
    [
      'Invalid status.containerStatuses[0].allocatedResourcesStatus[0].name',
      'NotSupported status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].health',
      'Duplicate status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID',
    ],
  ],
  [
    'the health of devices that a container requests is accepted',
    'pod',
    '1.37',
    [{}, health('a.example/x', { resourceID: 'd', health: 'Healthy' })],
    [],
  ],
  [
    'features of a node are in order and have names in camel case',
    'node',
    '1.37',
    [{}, { declaredFeatures: ['B', 'A', 'A', 'a'] }],
    [
      'Invalid status.declaredFeatures[1]',
      'Duplicate status.declaredFeatures[2]',
      'Invalid status.declaredFeatures[3]',
    ],
  ],
  [
    'a node has whole numbers of pods',
    'node',
    '1.24',
    [{}, { allocatable: { pods: '100m', cpu: '100m' } }],
    ['Invalid status.allocatable.pods'],
  ],
  [
    'a claim is expanded in storage, by known steps',
    'claim',
    '1.37',
    [
      {},
      {
        allocatedResourceStatuses: { cpu: 'X', 'a b': 'NodeResizePending' },
        allocatedResources: { cpu: '1' },
      },
    ],
    [
      'NotSupported status.allocatedResourceStatuses',
      'Invalid status.allocatedResourceStatuses',
      'NotSupported status.allocatedResources',
    ],
  ],
];

/** The errors of a write of the status. */
function errorsOf(
  kind: Kind,
  release: Release,
  [before, after]: readonly [Fields, Fields],
): readonly string[] {
  const path = writePath(undefined, release);
  const { object, errors } = path.create(kind.type, kind.object);
  assert.deepEqual(errors, []);
  const withStatus = (status: Fields): unknown => ({
    ...path.show(kind.type, object),
    status: { ...(object['status'] as Fields | undefined), ...status },
  });
  const stored = path.update(kind.type, object, withStatus(before), 'status');
  assert.deepEqual(stored.errors, []);
  const found = path.update(kind.type, stored.object, withStatus(after), 'status').errors;
  return [...new Set(found.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`))];
}

describe('writes of the status', () => {
  for (const [title, kind, release, changes, errors] of rows)
    it(`${title} in release ${release}`, () => {
      assert.deepEqual(errorsOf(kinds[kind], release, changes).toSorted(), errors.toSorted());
    });
});
