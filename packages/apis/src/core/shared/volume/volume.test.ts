import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyDirWithoutSource } from './volume.ts';

describe('volumes without a source', () => {
  it('volumes without a source become empty directories', () => {
    assert.deepEqual(emptyDirWithoutSource({ name: 'v' }), {});
    assert.equal(emptyDirWithoutSource({ name: 'v', secret: {} }), undefined);
  });
});
