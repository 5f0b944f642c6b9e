import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { asObject, specOf } from '@orch/machinery/json';
import { replicationControllers } from '../core/replication-controller/index.ts';
import { findKind } from '../find-kind.ts';
import { type ServedType, typeIn, typesAt } from '../lifecycle.ts';
import { builtinTypes } from '../registry.ts';
import type { ResourceType } from '../resource-type.ts';
import { getPath } from '../testing/set-path.ts';
import { writePath } from '../testing/write-path.ts';
import { daemonSets } from './daemon-set/index.ts';
import { deployments } from './deployment/index.ts';
import { appsGroup } from './group.ts';
import { replicaSets } from './replica-set/index.ts';
import { statefulSets } from './stateful-set/index.ts';

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: labels };
const none = undefined;

/** The defaults of a minimal object of a version: values of the hub version by path. */
const defaults: readonly (readonly [ResourceType, string, Readonly<Record<string, unknown>>])[] = [
  [
    deployments,
    'apps/v1',
    {
      'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      'spec.revisionHistoryLimit': 10,
      'spec.progressDeadlineSeconds': 600,
      'metadata.labels': none,
    },
  ],
  [
    deployments,
    'apps/v1beta1',
    {
      'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      'spec.revisionHistoryLimit': 2,
      'spec.progressDeadlineSeconds': 600,
      'spec.selector': selector,
      'metadata.labels': labels,
    },
  ],
  [
    deployments,
    'extensions/v1beta1',
    {
      'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
      'spec.revisionHistoryLimit': 2147483647,
      'spec.progressDeadlineSeconds': 2147483647,
      'spec.selector': selector,
      'metadata.labels': labels,
    },
  ],
  [
    daemonSets,
    'apps/v1',
    {
      'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      'spec.revisionHistoryLimit': 10,
    },
  ],
  [
    daemonSets,
    'extensions/v1beta1',
    {
      'spec.updateStrategy': { type: 'OnDelete' },
      'spec.revisionHistoryLimit': 10,
      'spec.selector': selector,
      'metadata.labels': labels,
    },
  ],
  [
    statefulSets,
    'apps/v1',
    { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
  ],
  [
    statefulSets,
    'apps/v1beta1',
    {
      'spec.updateStrategy': { type: 'OnDelete' },
      'spec.podManagementPolicy': 'OrderedReady',
      'spec.selector': selector,
      'metadata.labels': labels,
    },
  ],
  [replicaSets, 'apps/v1', { 'spec.replicas': 1, 'metadata.labels': none }],
  [
    replicaSets,
    'extensions/v1beta1',
    { 'spec.replicas': 1, 'spec.selector': selector, 'metadata.labels': labels },
  ],
];

describe('defaults of the version of a request', () => {
  for (const [type, version, expected] of defaults) {
    it(`defaults of the version of a request: ${version} ${type.kind}`, () => {
      const path = writePath(namesFor('orch'), '1.15', { version });
      const given = version === 'apps/v1' ? { selector } : {};
      const made = path.create(type, { metadata: { name: 'x' }, spec: { template, ...given } });
      assert.deepEqual([made.problems, made.errors], [[], []]);
      const found = Object.fromEntries(Object.keys(expected).map((at) => [at, getPath(made.object, at)]));
      assert.deepEqual(found, expected);
    });
  }

  it('defaults of the version of a request do not replace values of the client, and set no fields that its type does not use', () => {
    const spec = (type: ResourceType, version: string, given: object): unknown =>
      specOf(
        writePath(undefined, '1.15', { version }).create(type, {
          metadata: { name: 'x', labels: { own: 'x' } },
          spec: { template, selector, ...given },
        }).object,
      );
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } };
    assert.deepEqual(asObject(spec(deployments, 'extensions/v1beta1', { strategy }))['strategy'], {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 1, maxSurge: 3 },
    });
    const recreate = { strategy: { type: 'Recreate' } };
    assert.deepEqual(asObject(spec(deployments, 'apps/v1', recreate))['strategy'], { type: 'Recreate' });
    const named = { updateStrategy: { type: 'RollingUpdate' } };
    assert.deepEqual(asObject(spec(statefulSets, 'apps/v1', named))['updateStrategy'], {
      type: 'RollingUpdate',
    });
    const onDelete = { updateStrategy: { type: 'OnDelete', rollingUpdate: {} } };
    assert.deepEqual(asObject(spec(daemonSets, 'apps/v1', onDelete))['updateStrategy'], {
      type: 'OnDelete',
      rollingUpdate: { maxUnavailable: 0 },
    });
  });

  it('a surge has a default from the release on that has one', () => {
    const rolling = (release: string): unknown =>
      getPath(
        writePath(undefined, release).create(daemonSets, {
          metadata: { name: 'x' },
          spec: { template, selector },
        }).object,
        'spec.updateStrategy.rollingUpdate',
      );
    assert.deepEqual(rolling('1.21'), { maxUnavailable: 1 });
    assert.deepEqual(rolling('1.22'), { maxUnavailable: 1, maxSurge: 0 });
  });
});

describe('older versions of workloads', () => {
  const definitions = typesAt('1.15', appsGroup.types);
  const in115 = (resource: string, group: string, version: string): ServedType => {
    const definition = definitions.find((one) => one.resource === resource);
    const served = definition?.served.find(
      (one) => one.version === version && (one.group ?? 'apps') === group,
    );
    assert.ok(definition && served, `${group}/${version} ${resource}`);
    return typeIn(definition, served);
  };
  const bodies = (type: ServedType): readonly string[] =>
    type.subresources.map(({ name, kind }) => `${name}=${kind.group}/${kind.version}/${kind.kind}`);

  for (const [resource, group, version, subresources] of [
    ['daemonsets', 'apps', 'v1beta2', ['status=apps/v1beta2/DaemonSet']],
    ['daemonsets', 'extensions', 'v1beta1', ['status=extensions/v1beta1/DaemonSet']],
    ['deployments', 'apps', 'v1beta2', ['scale=apps/v1beta2/Scale', 'status=apps/v1beta2/Deployment']],
    [
      'deployments',
      'apps',
      'v1beta1',
      [
        'rollback=apps/v1beta1/DeploymentRollback',
        'scale=apps/v1beta1/Scale',
        'status=apps/v1beta1/Deployment',
      ],
    ],
    [
      'deployments',
      'extensions',
      'v1beta1',
      [
        'rollback=extensions/v1beta1/DeploymentRollback',
        'scale=extensions/v1beta1/Scale',
        'status=extensions/v1beta1/Deployment',
      ],
    ],
    ['replicasets', 'apps', 'v1beta2', ['scale=apps/v1beta2/Scale', 'status=apps/v1beta2/ReplicaSet']],
    [
      'replicasets',
      'extensions',
      'v1beta1',
      ['scale=extensions/v1beta1/Scale', 'status=extensions/v1beta1/ReplicaSet'],
    ],
    ['statefulsets', 'apps', 'v1beta1', ['scale=apps/v1beta1/Scale', 'status=apps/v1beta1/StatefulSet']],
    ['statefulsets', 'apps', 'v1beta2', ['scale=apps/v1beta2/Scale', 'status=apps/v1beta2/StatefulSet']],
  ] as const) {
    it(`older versions of workloads: ${group}/${version} ${resource} have different subresources, and orphan pods by default`, () => {
      const type = in115(resource, group, version);
      assert.deepEqual(bodies(type), subresources);
      assert.equal(type.strategy.orphanByDefault, true);
      for (const { kind } of type.subresources) assert.ok(findKind(kind.group, kind.version, kind.kind));
    });
  }

  it('older versions of workloads are gone in 1.16, and apps/v1 takes pods with it', () => {
    for (const type of typesAt('1.16', appsGroup.types)) {
      assert.deepEqual(
        type.served.map((version) => version.version),
        ['v1'],
        type.resource,
      );
      assert.equal(type.strategy.orphanByDefault, undefined);
    }
  });

  it('older versions of workloads are deprecated before they go, in favour of apps/v1', () => {
    for (const { versions } of appsGroup.types) {
      for (const { version, deprecated, removed, replacement } of versions.slice(1)) {
        assert.deepEqual([removed, replacement], ['1.16', undefined]);
        assert.equal(deprecated, version === 'v1beta2' ? '1.9' : '1.8');
      }
    }
  });

  it('extensions show the size of replication controllers, and nothing else of them', () => {
    const [definition] = typesAt('1.15', [replicationControllers]);
    const view = definition?.served.find(({ group }) => group === 'extensions');
    assert.ok(definition && view);
    const type = typeIn(definition, view);
    assert.deepEqual(
      [type.kind, type.singular, type.verbs, type.shortNames, type.categories],
      ['ReplicationControllerDummy', 'replicationcontrollerdummy', [], [], []],
    );
    assert.deepEqual(bodies(type), ['scale=extensions/v1beta1/Scale']);
    assert.equal(type.scale, replicationControllers.scale);
    assert.equal(typesAt('1.16', [replicationControllers])[0]?.served.length, 1);
    assert.equal(findKind('extensions', 'v1beta1', 'ReplicationController'), undefined);
    assert.ok(builtinTypes.includes(replicationControllers));
  });
});
