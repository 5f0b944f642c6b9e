import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownBytes } from './own-bytes.ts';

describe('ownBytes of bytes that are kept', () => {
  it('a copy has the same content and shares its memory with nothing', () => {
    for (const source of ['', '{"kind":"Gate",', 'é€', Buffer.from('bytes')]) {
      const own = ownBytes(source);
      assert.equal(own.toString(), source.toString());
      assert.equal(own.buffer.byteLength, own.length);
      assert.equal(own.byteOffset, 0);
    }
  });
});
