import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Semaphore } from '@orch/machinery/concurrency';
import { localRequest, PAUSE, type Reply } from '@orch/request';
import { Compressor } from './compress.ts';
import { SLICE_BYTES } from './slice-pool.ts';

const request = localRequest({
  method: 'GET',
  target: '/api/v1/nodes',
  headers: { 'accept-encoding': 'gzip' },
});
const PIECE = Buffer.alloc(90_000, 'x');

/** Counts the slices that are compressed at the same time, and all of them. */
class CountingSemaphore extends Semaphore {
  #active = 0;
  most = 0;
  slices = 0;

  override async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return super.run(signal, async () => {
      this.#active += 1;
      this.slices += 1;
      this.most = Math.max(this.most, this.#active);
      return work().finally(() => {
        this.#active -= 1;
      });
    });
  }
}

describe('compressed replies', () => {
  it('the slices of concurrent replies are compressed by no more threads than there are permits', async () => {
    const permits = new CountingSemaphore(1);
    const compressor = new Compressor(permits);
    const large = Buffer.alloc(600_000, 'x');
    const whole = async (): Promise<Buffer> => {
      const chunks = [large, large];
      const packed = await compressor.apply({ kind: 'chunks', status: 200, headers: {}, chunks }, request);
      assert.equal(packed.kind, 'chunks');
      const slices: Buffer[] = [];
      for await (const slice of packed.chunks) slices.push(slice);
      return gunzipSync(Buffer.concat(slices));
    };
    const bodies = await Promise.all([whole(), whole(), whole()]);
    assert.ok(bodies.every((body) => body.equals(Buffer.concat([large, large]))));
    assert.deepEqual([permits.most, permits.slices], [1, 6]);
  });

  it('a compressed body has a pause after each slice, in which the work of others is done', async () => {
    const chunks = Array.from({ length: 4 }, () => Buffer.alloc(SLICE_BYTES, 'x'));
    const reply: Reply = { kind: 'chunks', status: 200, headers: {}, chunks };
    const packed = await new Compressor().apply(reply, request);
    assert.equal(packed.kind, 'chunks');
    let pauses = 0;
    for await (const { length } of packed.chunks) if (length === 0) pauses += 1;
    assert.equal(pauses, chunks.length);
  });

  it('a compressed body has the bytes of all chunks, although one buffer is used for slices of several', async () => {
    const lengths = [1, 90_000, 200_000, SLICE_BYTES, 3, SLICE_BYTES - 1, 300_000, 70_000, 200_000];
    const chunks = lengths.map((length, i) => Buffer.alloc(length, `chunk ${i}`));
    const packed = await new Compressor().apply(
      { kind: 'chunks', status: 200, headers: {}, chunks },
      request,
    );
    assert.equal(packed.kind, 'chunks');
    const slices: Buffer[] = [];
    for await (const slice of packed.chunks) slices.push(slice);
    assert.ok(gunzipSync(Buffer.concat(slices)).equals(Buffer.concat(chunks)));
  });

  it('a compressed body has the pauses of its source, which are not passed before the reply begins', async () => {
    let read = 0;
    function* source(): Generator<Buffer> {
      for (let i = 0; i < 3; i++) {
        read += 1;
        yield PIECE;
        yield PAUSE;
      }
    }
    const reply: Reply = { kind: 'chunks', status: 200, headers: {}, chunks: source() };
    const packed = await new Compressor().apply(reply, request);
    assert.equal(read, 1);
    assert.equal(packed.kind, 'chunks');
    assert.equal(packed.headers['Content-Encoding'], 'gzip');
    const slices: Buffer[] = [];
    for await (const slice of packed.chunks) slices.push(slice);
    // The three pieces are two slices, each of which is followed by another pause.
    assert.equal(slices.filter(({ length }) => length === 0).length, 5);
    assert.deepEqual(gunzipSync(Buffer.concat(slices)), Buffer.concat([PIECE, PIECE, PIECE]));
  });
});
