import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typesAt } from '../../lifecycle.ts';
import { describeLensLaws } from '../../testing/lens-laws.ts';
import { writePath } from '../../testing/write-path.ts';
import { nodeGroup } from '../group.ts';
import { runtimeClasses } from './index.ts';

const overhead = { podFixed: { memory: '16Mi' } };
const scheduling = { nodeSelector: { runtime: 'k' }, tolerations: [{ key: 'k', operator: 'Exists' }] };

describe('runtime classes of v1alpha1', () => {
  const path = writePath(undefined, '1.20', { version: 'node/v1alpha1' });
  const { object, errors } = path.create(runtimeClasses, {
    metadata: { name: 'r' },
    spec: { runtimeHandler: 'h', overhead, scheduling },
  });

  it('runtime classes of v1alpha1 have their spec in the object itself later', () => {
    assert.deepEqual(errors, []);
    const { metadata: _metadata, ...rest } = object;
    assert.deepEqual(rest, { handler: 'h', overhead, scheduling });
  });

  it('runtime classes have a spec with handler, overhead and scheduling in v1alpha1', () => {
    const { metadata: _metadata, ...rest } = path.show(runtimeClasses, object);
    assert.deepEqual(rest, { spec: { runtimeHandler: 'h', overhead, scheduling } });
  });

  it('runtime classes of v1alpha1 have a spec also when there is nothing in it', () => {
    const empty = path.show(runtimeClasses, { metadata: { name: 'r' } });
    assert.deepEqual(empty['spec'], { runtimeHandler: '' });
  });

  it('runtime classes of v1alpha1 are held to the rules of the hub', () => {
    const written = path.create(runtimeClasses, {
      metadata: { name: 'r' },
      spec: { runtimeHandler: 'H_', overhead: { podFixed: { foo: '1' } } },
    });
    assert.deepEqual(
      written.errors.map(({ type, field }) => `${type} ${field}`),
      ['FieldValueInvalid spec.overhead.limits[foo]', 'FieldValueInvalid handler'],
    );
  });

  it('runtime classes of v1alpha1 keep their handler', () => {
    const next = { ...path.show(runtimeClasses, object), spec: { runtimeHandler: 'other' } };
    assert.deepEqual(
      path.update(runtimeClasses, object, next).errors.map(({ field }) => field),
      ['spec.runtimeHandler'],
    );
  });
});

describe('fields of runtime classes', () => {
  for (const [release, fields] of [
    ['1.15', ['metadata', 'handler']],
    ['1.16', ['metadata', 'handler', 'scheduling']],
    ['1.18', ['metadata', 'handler', 'overhead', 'scheduling']],
  ] as const) {
    it(`fields of runtime classes are ${fields.join(', ')} in ${release}`, () => {
      const path = writePath(undefined, release, { version: 'node/v1beta1' });
      const { object } = path.create(runtimeClasses, {
        metadata: { name: 'r' },
        handler: 'h',
        overhead,
        scheduling,
      });
      assert.deepEqual(Object.keys(object), fields);
    });
  }

  it('fields of runtime classes are rows with the handler', () => {
    const path = writePath();
    const { object } = path.create(runtimeClasses, { metadata: { name: 'r' }, handler: 'h' });
    assert.deepEqual(runtimeClasses.table?.cells(object, path.names), ['r', 'h', { age: path.context.now }]);
  });

  it('fields of runtime classes with thousands of tolerations are checked in a moment', () => {
    const tolerations = Array.from({ length: 20_000 }, (_, i) => ({ key: `k${i}`, operator: 'Exists' }));
    const path = writePath();
    const { errors } = path.create(runtimeClasses, {
      metadata: { name: 'r' },
      handler: 'h',
      scheduling: { tolerations: [...tolerations, tolerations[0]] },
    });
    assert.deepEqual(
      errors.map(({ type, field }) => `${type} ${field}`),
      ['FieldValueDuplicate scheduling.tolerations[20000]'],
    );
  });
});

describe('versions of runtime classes', () => {
  for (const [release, served] of [
    ['1.15', ['v1beta1']],
    ['1.20', ['v1', 'v1beta1']],
    ['1.25', ['v1']],
  ] as const) {
    it(`versions of runtime classes served by ${release} are ${served.join(', ')}`, () => {
      const [definition] = typesAt(release, nodeGroup.types);
      assert.deepEqual(
        definition?.served.map(({ version }) => version),
        served,
      );
    });
  }
});

describeLensLaws(runtimeClasses);
