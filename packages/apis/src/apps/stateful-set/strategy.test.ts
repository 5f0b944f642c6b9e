import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { typesAt } from '../../lifecycle.ts';
import type { ResourceType } from '../../resource-type.ts';
import { getPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { statefulSets } from './index.ts';

const path = writePath();
const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

function made(spec: object): ApiObject {
  const { object, errors } = path.create(statefulSets, {
    metadata: { name: 'x' },
    spec: { selector: { matchLabels: labels }, template, ...spec },
  });
  assert.deepEqual(errors, []);
  return object;
}

describe('stateful sets', () => {
  const at = (release: string): { readonly type: ResourceType; readonly client: typeof path } => {
    const [type] = typesAt(release, [statefulSets]);
    assert.ok(type);
    return { type, client: writePath(undefined, release) };
  };

  function errorsIn(release: string, spec: object): readonly string[] {
    const { type, client } = at(release);
    return causes(
      client.create(type, {
        metadata: { name: 'x' },
        spec: { serviceName: 's', selector: { matchLabels: labels }, template, ...spec },
      }),
    );
  }

  const claims = [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ];
  const mounting = (name: string): object => ({
    template: {
      ...template,
      spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name, mountPath: '/d' }] }] },
    },
  });

  it('stateful sets validate only labels and annotations of pod templates before 1.34', () => {
    const bare = {
      template: { metadata: { labels: { ...labels, 'x y': '' }, annotations: { 'x y': '' } }, spec: {} },
    };
    assert.deepEqual(errorsIn('1.33', bare), [
      'FieldValueInvalid spec.template.labels',
      'FieldValueInvalid spec.template.annotations',
    ]);
    assert.deepEqual(errorsIn('1.34', bare), [
      'FieldValueInvalid spec.template.labels',
      'FieldValueInvalid spec.template.annotations',
      'FieldValueRequired spec.template.spec.containers',
    ]);
  });

  it('a stateful set that an earlier release stored with an invalid template can be changed', () => {
    const [earlier, later] = [at('1.33'), at('1.34')];
    const invalid = { ...template, spec: { containers: [] } };
    const spec = { serviceName: 's', selector: { matchLabels: labels } };
    const { object } = earlier.client.create(earlier.type, {
      metadata: { name: 'x' },
      spec: { ...spec, template: invalid },
    });
    const change = (stored: ApiObject, set: Readonly<Record<string, unknown>>): readonly string[] =>
      causes(later.client.update(later.type, stored, edited(stored, set)));
    assert.deepEqual(change(object, { 'spec.replicas': 3, 'metadata.finalizers': [] }), []);
    assert.deepEqual(change(object, { 'spec.template': template }), []);
    assert.deepEqual(change(object, { 'spec.minReadySeconds': -1 }), [
      'FieldValueInvalid spec.minReadySeconds',
    ]);
    assert.deepEqual(change(made({ serviceName: 's' }), { 'spec.template.spec.containers': [] }), [
      'FieldValueRequired spec.template.spec.containers',
    ]);
  });

  it('stateful sets mount the claims that they make', () => {
    for (const release of ['1.24', '1.33', '1.34'])
      assert.deepEqual(errorsIn(release, { ...mounting('data'), volumeClaimTemplates: claims }), [], release);
    assert.deepEqual(errorsIn('1.34', { ...mounting('other'), volumeClaimTemplates: claims }), [
      'FieldValueNotFound spec.template.spec.containers[0].volumeMounts[0].name',
    ]);
  });

  it('stateful sets change only what may change', () => {
    const stored = made({ serviceName: 's', volumeClaimTemplates: claims });
    const change = (set: Readonly<Record<string, unknown>>): readonly string[] =>
      causes(path.update(statefulSets, stored, edited(stored, set)));
    assert.deepEqual(change({ 'spec.minReadySeconds': 5, 'spec.replicas': 2 }), []);
    for (const set of [
      { 'spec.serviceName': 't' },
      { 'spec.volumeClaimTemplates': [] },
      { 'spec.revisionHistoryLimit': 1 },
    ])
      assert.deepEqual(change(set), ['FieldValueForbidden spec']);
  });

  it('claim templates of stateful sets have their kind and API version, whatever was sent', () => {
    const given = [
      { kind: 'X', apiVersion: 'y/z', metadata: { name: 'd' }, spec: {}, status: { phase: 'Bound' } },
    ];
    const { spec } = made({ volumeClaimTemplates: given });
    const [claim] = (spec as { volumeClaimTemplates: readonly Record<string, unknown>[] })
      .volumeClaimTemplates;
    assert.deepEqual(Object.keys(claim ?? {}), ['kind', 'apiVersion', 'metadata', 'spec', 'status']);
    assert.deepEqual([claim?.['kind'], claim?.['apiVersion']], ['PersistentVolumeClaim', 'v1']);
    assert.deepEqual(claim?.['status'], { phase: 'Bound' });
  });

  it('stateful sets have the fields of their release', () => {
    const spec = {
      ordinals: { start: 2 },
      minReadySeconds: 1,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
      serviceName: 's',
      selector: { matchLabels: labels },
      template,
    };
    const fields = (release: string): readonly unknown[] => {
      const { type, client } = at(release);
      const { object } = client.create(type, { metadata: { name: 'x' }, spec });
      return [
        getPath(object, 'spec.minReadySeconds'),
        getPath(object, 'spec.persistentVolumeClaimRetentionPolicy'),
        getPath(object, 'spec.ordinals'),
        object['status'],
      ];
    };
    const policy = { whenDeleted: 'Delete', whenScaled: 'Retain' };
    assert.deepEqual(fields('1.20'), [undefined, undefined, undefined, { replicas: 0 }]);
    assert.deepEqual(fields('1.24'), [1, undefined, undefined, { replicas: 0, availableReplicas: 0 }]);
    assert.deepEqual(fields('1.27'), [1, policy, { start: 2 }, { replicas: 0, availableReplicas: 0 }]);
    assert.deepEqual(errorsIn('1.27', { ordinals: { start: -1 } }), [
      'FieldValueInvalid spec.ordinals.start',
    ]);
  });
});

describe('amounts of pods', () => {
  const gates = new Set(['MaxUnavailableStatefulSet']);
  const client = writePath(namesFor('orch'), '1.24', { openGates: gates });

  it('a stateful set shows the number of its first pod where it says how pods are numbered', () => {
    const { object } = writePath(undefined, '1.27').create(statefulSets, {
      metadata: { name: 'x' },
      spec: { ordinals: {} },
    });
    assert.deepEqual(getPath(object, 'spec.ordinals'), { start: 0 });
  });

  it('amounts of pods of a stateful set are behind a gate', () => {
    const errors = (maxUnavailable: unknown): readonly string[] =>
      causes(
        client.create(statefulSets, {
          metadata: { name: 'x' },
          spec: {
            serviceName: 's',
            selector: { matchLabels: labels },
            template,
            updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } },
          },
        }),
      );
    assert.deepEqual([2, '50%', undefined].flatMap(errors), []);
    for (const wrong of [0, '0%', '101%', 'x', -1])
      assert.deepEqual(
        [...new Set(errors(wrong))],
        ['FieldValueInvalid spec.updateStrategy.rollingUpdate.maxUnavailable'],
      );
  });
});
