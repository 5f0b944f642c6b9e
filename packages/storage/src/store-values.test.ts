import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failsWith } from './conformance/fixture.ts';
import { readable } from './store-values.ts';

const revisions = { createRevision: 1, modRevision: 2 };

describe('readable values of a store', () => {
  it('a key with a value is returned as it is, and an absent key as absent', () => {
    const kv = { key: '/a', value: Buffer.from('x'), ...revisions };
    assert.equal(readable(kv), kv);
    assert.equal(readable(undefined), undefined);
  });

  it('a value that cannot be read throws its reason, as unavailable while it may become readable', () => {
    const kv = { key: '/a', unreadable: 'the key service does not answer', ...revisions };
    assert.throws(() => readable({ ...kv, isTemporary: true }), failsWith('unavailable'));
    assert.throws(() => readable({ ...kv, isTemporary: false }), failsWith('corrupt'));
    assert.throws(
      () => readable({ ...kv, isTemporary: true }),
      /^StoreError: the key service does not answer$/,
    );
  });
});
