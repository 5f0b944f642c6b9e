import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BodyBuffer } from './body-buffer.ts';

describe('the buffer of a request body', () => {
  it('the buffer of a request body returns the bytes that were added, for all chunk sizes', () => {
    const whole = Buffer.from(Array.from({ length: 40_000 }, (_, i) => i % 251));
    for (const cut of [1, 3, 1000, 4096, 5000, 39_999, 40_000]) {
      const body = new BodyBuffer();
      for (let at = 0; at < whole.length; at += cut) body.add(whole.subarray(at, at + cut));
      assert.equal(body.size, whole.length);
      assert.deepEqual(body.bytes(), whole, `cut at ${cut}`);
    }
    assert.equal(new BodyBuffer().bytes().length, 0);
  });

  it('the buffer of a request body does not copy a body that came in one slice', () => {
    const slice = Buffer.from('body');
    const body = new BodyBuffer();
    body.add(slice);
    assert.equal(body.bytes(), slice);
  });

  it('the buffer of a request body keeps none of the reads alive that bytes came with one by one', () => {
    const read = Buffer.alloc(64 * 1024, 'x');
    const body = new BodyBuffer();
    for (let i = 0; i < 3; i += 1) body.add(read.subarray(i, i + 1));
    const reference = new Set([read.buffer]);
    assert.ok(!reference.has(body.bytes().buffer as ArrayBuffer));
    assert.equal(body.bytes().toString(), 'xxx');
  });
});
