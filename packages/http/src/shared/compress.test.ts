import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { localRequest, PAUSE, type Reply } from '@orch/request';
import { Compressor } from './compress.ts';

const request = localRequest({
  method: 'GET',
  target: '/api/v1/nodes',
  headers: { 'accept-encoding': 'gzip' },
});
const PIECE = Buffer.alloc(90_000, 'x');

describe('compressed replies', () => {
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
    assert.equal(slices.filter(({ length }) => length === 0).length, 3);
    assert.deepEqual(gunzipSync(Buffer.concat(slices)), Buffer.concat([PIECE, PIECE, PIECE]));
  });
});
