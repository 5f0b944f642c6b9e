import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typesAt } from '../../lifecycle.ts';
import { writePath } from '../../testing/write-path.ts';
import { leases } from './index.ts';

describe('coordination leases', () => {
  for (const [release, served] of [
    ['1.15', ['v1', 'v1beta1']],
    ['1.21', ['v1', 'v1beta1']],
    ['1.22', ['v1']],
  ] as const) {
    it(`leases are served by ${release} in ${served.join(', ')}`, () => {
      const [definition] = typesAt(release, [leases]);
      assert.deepEqual(
        definition?.served.map(({ version }) => version),
        served,
      );
    });
  }

  it('leases are the same in both versions, and so are their rules', () => {
    const path = writePath(undefined, '1.21', { version: 'coordination/v1beta1' });
    const { object, errors } = path.create(leases, {
      metadata: { name: 'l' },
      spec: { holderIdentity: 'h', leaseDurationSeconds: 0 },
    });
    assert.deepEqual(
      errors.map(({ type, field }) => `${type} ${field}`),
      ['FieldValueInvalid spec.leaseDurationSeconds'],
    );
    assert.deepEqual(path.show(leases, object), object);
  });
});
