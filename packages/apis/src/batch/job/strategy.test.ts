import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { typesAt } from '../../lifecycle.ts';
import { getPath, setPath } from '../../testing/set-path.ts';
import { causes } from '../../testing/writes.ts';
import { jobs } from './index.ts';
import { clientOf, stored, template, uid } from './testing/job-client.ts';

const plain = { 'controller-uid': uid, 'job-name': 'j' };

describe('labels of the pods of a job', () => {
  for (const [release, naming, own, selecting] of [
    ['1.20', 'orch', plain, 'controller-uid'],
    ['1.26', 'orch', plain, 'controller-uid'],
    [
      '1.27',
      'orch',
      { 'batch.orch.io/controller-uid': uid, 'batch.orch.io/job-name': 'j', ...plain },
      'batch.orch.io/controller-uid',
    ],
    [
      '1.27',
      'kubernetes',
      { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': 'j', ...plain },
      'batch.kubernetes.io/controller-uid',
    ],
  ] as const) {
    it(`labels of the pods of a job in ${release} are ${Object.keys(own).join(', ')}`, () => {
      const job = stored(clientOf(release, naming));
      const labels = getPath(job, 'spec.template.metadata.labels') as object;
      assert.deepEqual(labels, own);
      assert.deepEqual(Object.keys(labels), Object.keys(labels).toSorted());
      assert.deepEqual(getPath(job, 'spec.selector'), { matchLabels: { [selecting]: uid } });
      assert.deepEqual(job.metadata.labels, own, 'a job without labels has those of its pods');
    });
  }

  it('labels of the pods of a job join those of the template, and the job has them all', () => {
    const labelled = { ...template, metadata: { labels: { z: 'y' }, annotations: { n: 'o' } } };
    const job = stored(clientOf('1.24'), { template: labelled });
    assert.deepEqual(job.metadata.labels, { ...plain, z: 'y' });
    assert.deepEqual(Object.keys(getPath(job, 'spec.template.metadata') as object), [
      'creationTimestamp',
      'labels',
      'annotations',
    ]);
  });

  it('labels of the pods of a job leave alone the labels that a job has', () => {
    assert.deepEqual(stored(clientOf('1.24'), {}, { labels: { own: 'x' } }).metadata.labels, { own: 'x' });
  });

  it('labels of the pods of a job are the author’s where the selector is', () => {
    const client = clientOf('1.27');
    const labelled = { ...template, metadata: { labels: { a: 'b' } } };
    const spec = { manualSelector: true, selector: { matchLabels: { a: 'b' } }, template: labelled };
    const job = stored(client, spec);
    assert.deepEqual(getPath(job, 'spec.template.metadata.labels'), { a: 'b' });
    assert.deepEqual(job.metadata.labels, { a: 'b' });
  });

  it('labels of the pods of a job cannot be set to other values', () => {
    const labelled = (labels: object): object => ({ template: { ...template, metadata: { labels } } });
    const client = clientOf('1.24');
    assert.deepEqual(causes(client.create(labelled({ 'job-name': 'other' }))), [
      'FieldValueInvalid spec.template.metadata.labels[job-name]',
    ]);
    assert.deepEqual(causes(client.create(labelled({ 'controller-uid': 'other' }))), [
      'FieldValueInvalid spec.template.metadata.labels[controller-uid]',
      'FieldValueInvalid spec.template.metadata.labels',
    ]);
    const changed = (release: string): readonly string[] => {
      const updating = clientOf(release);
      const labels = { 'spec.template.metadata.labels': { 'controller-uid': uid } };
      return causes(updating.update(stored(updating), labels)).filter((cause) => !cause.includes('batch'));
    };
    const required = 'FieldValueRequired spec.template.metadata.labels[job-name]';
    assert.deepEqual(changed('1.24'), [required, 'FieldValueInvalid spec.template']);
    assert.deepEqual(changed('1.36').slice(0, 1), [required]);
    assert.ok(!changed('1.37').includes(required));
  });

  for (const [made, changed] of [
    ['1.26', '1.27'],
    ['1.27', '1.26'],
  ] as const)
    it(`labels of the pods of a job of ${made} remain in ${changed}, where another change is accepted`, () => {
      const job = stored(clientOf(made));
      const written = clientOf(changed).update(job, { 'spec.parallelism': 3 });
      assert.deepEqual(causes(written), []);
      assert.deepEqual(getPath(written.object, 'spec.template'), getPath(job, 'spec.template'));
    });

  it('labels and selector of a job have the same place in equal objects, so that an update without a change is none', () => {
    const client = clientOf('1.27');
    const job = stored(client, { template: { ...template, metadata: { annotations: { n: 'o' } } } });
    const text = ({ metadata, spec }: ApiObject): string => JSON.stringify([metadata.labels, spec]);
    assert.equal(text(client.update(job, {}).object), text(job));
    assert.equal(text(client.path.codec(jobs).decode(job).value), text(job));
  });
});

describe('rules of jobs', () => {
  it('jobs have the defaults of their release', () => {
    const fields = (release: string, spec: object = {}): readonly unknown[] => {
      const job = stored(clientOf(release), spec);
      return ['completions', 'parallelism', 'backoffLimit', 'completionMode', 'suspend'].map((field) =>
        getPath(job, `spec.${field}`),
      );
    };
    assert.deepEqual(fields('1.21'), [1, 1, 6, undefined, undefined]);
    assert.deepEqual(fields('1.22'), [1, 1, 6, 'NonIndexed', false]);
    assert.deepEqual(fields('1.24', { parallelism: 3 }), [undefined, 3, 6, 'NonIndexed', false]);
    assert.deepEqual(fields('1.24', { completions: 3 }), [3, 1, 6, 'NonIndexed', false]);
    assert.deepEqual(fields('1.24', { completions: 0, parallelism: 0, backoffLimit: 0 }), [
      0,
      0,
      0,
      'NonIndexed',
      false,
    ]);
  });

  it('jobs count changes from 1.21 on, and are tracked by finalizers in 1.25 and 1.26', () => {
    const generation = (release: string) => typesAt(release, [jobs])[0]?.strategy.generation;
    assert.deepEqual(['1.20', '1.21', '1.27'].map(generation), ['none', 'spec', 'spec']);
    const tracked = (release: string) => stored(clientOf(release)).metadata.annotations;
    const mark = { 'batch.orch.io/job-tracking': '' };
    assert.deepEqual(['1.24', '1.25', '1.26', '1.27'].map(tracked), [undefined, mark, mark, undefined]);
  });

  it('jobs leave their pods behind when they are deleted, in every release', () => {
    for (const release of ['1.15', '1.24', '1.27'])
      assert.equal(typesAt(release, [jobs])[0]?.strategy.orphanByDefault, true);
  });

  it('indexed jobs require completions, and names from which valid pod names can be made', () => {
    const client = clientOf('1.24');
    const errors = (spec: object, name = 'j'): readonly string[] =>
      causes(client.create({ completionMode: 'Indexed', ...spec }, { name }));
    assert.deepEqual(errors({ completions: 3 }), []);
    assert.deepEqual(errors({ parallelism: 1 }), ['FieldValueRequired spec.completions']);
    assert.deepEqual(errors({ completions: 3, parallelism: 100_001 }), [
      'FieldValueInvalid spec.parallelism',
    ]);
    assert.deepEqual(errors({ completions: 10 }, 'a'.repeat(61)), []);
    assert.deepEqual(errors({ completions: 11 }, 'a'.repeat(61)), ['FieldValueInvalid metadata.name']);
    assert.deepEqual(errors({ completions: 1 }, 'a.b'), ['FieldValueInvalid metadata.name']);
    assert.deepEqual(errors({ completionMode: 'Other' }), ['FieldValueNotSupported spec.completionMode']);
  });

  it('jobs keep their numbers, but from 1.27 on those of numbered pods follow the parallelism', () => {
    const change = (release: string, spec: object, set: Readonly<Record<string, unknown>>) => {
      const client = clientOf(release);
      return causes(client.update(stored(client, { completions: 3, parallelism: 3, ...spec }), set));
    };
    const indexed = { completionMode: 'Indexed' };
    const both = { 'spec.completions': 5, 'spec.parallelism': 5 };
    const error = ['FieldValueInvalid spec.completions'];
    assert.deepEqual(change('1.26', indexed, both), error);
    assert.deepEqual(change('1.27', indexed, both), []);
    assert.deepEqual(change('1.27', indexed, { 'spec.completions': 5 }), error);
    assert.deepEqual(change('1.27', {}, both), error);
    assert.deepEqual(change('1.27', {}, { 'spec.completionMode': 'Indexed' }), [
      'FieldValueInvalid spec.completionMode',
    ]);
  });

  it('jobs move while they wait for their first start, from 1.23 on', () => {
    const moved = {
      'spec.template.spec.nodeSelector': { a: 'b' },
      'spec.template.spec.tolerations': [{ operator: 'Exists' }],
      'spec.template.metadata.annotations': { a: 'b' },
    };
    const change = (release: string, job: object, set: Readonly<Record<string, unknown>> = moved) => {
      const client = clientOf(release);
      const waiting = stored(client, { suspend: true });
      for (const [at, value] of Object.entries(job)) setPath(waiting, at, value);
      return causes(client.update(waiting, set));
    };
    const error = ['FieldValueInvalid spec.template'];
    assert.deepEqual(change('1.22', {}), error);
    assert.deepEqual(change('1.23', {}), []);
    assert.deepEqual(change('1.24', { 'spec.suspend': false }), error);
    assert.deepEqual(change('1.24', { 'status.startTime': '2024-01-01T00:00:00Z' }), error);
    assert.deepEqual(change('1.24', {}, { 'spec.template.spec.containers[0].image': 'j' }), error);
    const affinity = (kind: string) => ({ 'spec.template.spec.affinity': { [kind]: {} } });
    assert.deepEqual(change('1.24', {}, affinity('nodeAffinity')), []);
    assert.deepEqual(change('1.24', {}, affinity('podAffinity')), error);
  });

  it('jobs report pods by uid, each once', () => {
    const client = clientOf('1.25');
    const status = { active: -1, uncountedTerminatedPods: { succeeded: ['a', 'a'], failed: [''] } };
    assert.deepEqual(causes(client.update(stored(client), { status }, 'status')), [
      'FieldValueInvalid status.active',
      'FieldValueDuplicate status.uncountedTerminatedPods.succeeded[1]',
      'FieldValueInvalid status.uncountedTerminatedPods.failed[0]',
    ]);
  });

  it('jobs are selected by how many pods succeeded', () => {
    const successful = jobs.fields['status.successful'];
    assert.equal(successful?.({ metadata: {}, status: { succeeded: 2 } }), '2');
    assert.equal(successful?.({ metadata: {}, status: {} }), '0');
  });
});
