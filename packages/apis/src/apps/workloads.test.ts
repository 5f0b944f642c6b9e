import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import type { ResourceType } from '../resource-type.ts';
import { getPath } from '../testing/set-path.ts';
import { writePath } from '../testing/write-path.ts';
import { causes, edited } from '../testing/writes.ts';
import { daemonSets } from './daemon-set/index.ts';
import { deployments } from './deployment/index.ts';
import { replicaSets } from './replica-set/index.ts';
import { statefulSets } from './stateful-set/index.ts';

const path = writePath();
const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

function made(type: ResourceType, spec: object = {}, metadata: object = {}): ApiObject {
  const { object, errors } = path.create(type, {
    metadata: { name: 'x', ...metadata },
    spec: { selector: { matchLabels: labels }, template, ...spec },
  });
  assert.deepEqual(errors, []);
  return object;
}

const relabelled = {
  'spec.selector': { matchLabels: { c: 'd' } },
  'spec.template.metadata.labels': { c: 'd' },
};

describe('selectors of workloads', () => {
  for (const [version, type, expected] of [
    ['apps/v1', deployments, ['FieldValueInvalid spec.selector']],
    ['apps/v1beta2', deployments, ['FieldValueInvalid spec.selector']],
    ['apps/v1beta1', deployments, []],
    ['extensions/v1beta1', deployments, []],
    ['apps/v1beta2', replicaSets, ['FieldValueInvalid spec.selector']],
    ['extensions/v1beta1', replicaSets, []],
    ['apps/v1', daemonSets, ['FieldValueInvalid spec.selector']],
    ['extensions/v1beta1', daemonSets, []],
    ['apps/v1beta1', statefulSets, ['FieldValueForbidden spec']],
  ] as const) {
    it(`selectors of a ${type.kind} ${expected.length === 0 ? 'may change' : 'stay'} through ${version}`, () => {
      const client = writePath(namesFor('orch'), '1.15', { version });
      const stored = client.create(type, {
        metadata: { name: 'x' },
        spec: { selector: { matchLabels: labels }, template },
      });
      assert.deepEqual(stored.errors, []);
      assert.deepEqual(
        causes(client.update(type, stored.object, edited(stored.object, relabelled))),
        expected,
      );
    });
  }
});

describe('rules of deployments', () => {
  it('deployments write their status through its path only', () => {
    const stored = made(deployments);
    const next = edited(stored, { 'status.replicas': 3, 'spec.replicas': 5 });
    assert.equal(getPath(path.update(deployments, stored, next).object, 'status.replicas'), undefined);
    const { object } = path.update(deployments, stored, next, 'status');
    assert.deepEqual([getPath(object, 'status.replicas'), getPath(object, 'spec.replicas')], [3, 1]);
  });

  it('the status of a deployment is written without its labels', () => {
    const stored = edited(made(deployments), { 'metadata.labels': { a: 'b' } });
    const next = edited(stored, { 'metadata.labels': { c: 'd' }, 'metadata.annotations': { e: 'f' } });
    const { object } = path.update(deployments, stored, next, 'status');
    assert.deepEqual([object.metadata.labels, object.metadata.annotations], [{ a: 'b' }, { e: 'f' }]);
  });

  it('deployments report parts that are not more than the whole, and collisions that do not go back', () => {
    const stored = edited(made(deployments), { 'status.collisionCount': 2 });
    const status = {
      replicas: 1,
      updatedReplicas: 2,
      availableReplicas: 1,
      collisionCount: 1,
      readyReplicas: -1,
    };
    assert.deepEqual(causes(path.update(deployments, stored, edited(stored, { status }), 'status')), [
      'FieldValueInvalid status.readyReplicas',
      'FieldValueInvalid status.updatedReplicas',
      'FieldValueInvalid status.availableReplicas',
      'FieldValueInvalid status.collisionCount',
    ]);
  });

  it('a change of annotations increases the generation of a deployment, also a request for a rollback', () => {
    const stored = made(deployments, {}, { generation: 4 });
    const annotation = { 'metadata.annotations': { 'deprecated.deployment.rollback.to': '2' } };
    const requested = path.update(deployments, stored, edited(stored, annotation)).object;
    assert.equal(requested.metadata.generation, 5);
    const done = path.update(
      deployments,
      requested,
      edited(requested, { 'metadata.annotations': undefined }),
    ).object;
    assert.equal(done.metadata.generation, 6);
    const other = path.update(deployments, done, edited(done, { 'metadata.annotations': { x: 'y' } })).object;
    assert.equal(other.metadata.generation, 7);
  });

  it('deployments have a scale subresource that changes their replicas', () => {
    const selector = {
      matchLabels: { b: 'c' },
      matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x'] }],
    };
    for (const { scale } of [deployments, replicaSets, statefulSets]) {
      assert.ok(scale);
      const object: ApiObject = {
        metadata: { name: 'x' },
        spec: { replicas: 2, selector },
        status: { replicas: 1 },
      };
      assert.deepEqual(
        [scale.replicas(object), scale.statusReplicas(object), scale.selector(object)],
        [2, 1, 'a!=x,b=c'],
      );
      scale.setReplicas(object, 0);
      assert.equal(scale.replicas(object), 0);
    }
    assert.equal(daemonSets.scale, undefined);
  });
});

describe('daemon sets', () => {
  const KEY = 'deprecated.daemonset.template.generation';
  const generationOf = (object: ApiObject): string | undefined => object.metadata.annotations?.[KEY];

  for (const [given, expected] of [
    [undefined, '1'],
    ['5', '5'],
    ['0', '1'],
    ['-3', '1'],
    ['x', '1'],
  ] as const) {
    it(`daemon sets begin to count templates at ${expected} when ${given} is given`, () => {
      const annotations = given === undefined ? {} : { annotations: { [KEY]: given } };
      assert.equal(generationOf(made(daemonSets, {}, annotations)), expected);
    });
  }

  it('daemon sets count every change of the template, and clients cannot write the count', () => {
    const first = made(daemonSets, {}, { annotations: { zz: 'y' } });
    assert.deepEqual(Object.keys(first.metadata.annotations ?? {}), [KEY, 'zz']);
    const same = path.update(
      daemonSets,
      first,
      edited(first, { 'metadata.annotations': { [KEY]: '9', zz: 'y' } }),
    );
    assert.equal(generationOf(same.object), '1');
    const dropped = path.update(daemonSets, first, edited(first, { 'metadata.annotations': undefined }));
    assert.deepEqual(dropped.object.metadata.annotations, { [KEY]: '1' });
    for (const annotations of [undefined, { [KEY]: '9' }]) {
      const input = edited(first, { 'metadata.annotations': annotations });
      const { object } = path.update(daemonSets, first, input, 'status');
      assert.deepEqual(object.metadata.annotations, { [KEY]: '1' });
    }
    const image = { 'spec.template.spec.containers[0].image': 'j' };
    assert.equal(generationOf(path.update(daemonSets, first, edited(first, image)).object), '2');
    const large = edited(first, { 'metadata.annotations': { [KEY]: '9007199254740993' } });
    assert.equal(
      generationOf(path.update(daemonSets, large, edited(large, image)).object),
      '9007199254740994',
    );
  });

  it('daemon sets replace pods with a surge or without one, not both', () => {
    const errors = (rollingUpdate: object): readonly string[] =>
      causes(
        path.create(daemonSets, {
          metadata: { name: 'x' },
          spec: { selector: { matchLabels: labels }, template, updateStrategy: { rollingUpdate } },
        }),
      ).map((cause) => cause.replace('spec.updateStrategy.rollingUpdate.', ''));
    assert.deepEqual(errors({ maxUnavailable: 0, maxSurge: 1 }), []);
    assert.deepEqual(errors({ maxUnavailable: 1, maxSurge: '10%' }), ['FieldValueInvalid maxSurge']);
    assert.deepEqual(errors({ maxUnavailable: 0, maxSurge: '0%' }), ['FieldValueRequired maxUnavailable']);
    assert.deepEqual(errors({ maxUnavailable: 0, maxSurge: '101%' }), ['FieldValueInvalid maxSurge']);
    assert.deepEqual(errors({ maxUnavailable: '5' }), ['FieldValueInvalid maxUnavailable']);
    for (const none of ['', 'x', '-1%'])
      assert.deepEqual(errors({ maxUnavailable: none }), [
        'FieldValueInvalid maxUnavailable',
        'FieldValueRequired maxUnavailable',
      ]);
  });
});
