import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { deferred, Turns } from '@orch/machinery/concurrency';
import { settle } from '@orch/machinery/testing';
import { compressedPiece, type Piece, storedPiece } from './pieces/index.ts';
import { Unpacking } from './unpacking.ts';

describe('the unpacking of documents', () => {
  it('pieces are unpacked one at a time, and readers of the same piece share its bytes', async () => {
    const [a, b] = [storedPiece(Buffer.from('a')), storedPiece(Buffer.from('b'))];
    const open = new Map<Piece, ReturnType<typeof deferred<Buffer>>>();
    const unpacking = new Unpacking({}, (piece) => {
      const result = deferred<Buffer>();
      open.set(piece, result);
      return result.promise;
    });
    const [first, same, next] = [a, a, b].map((piece) => unpacking.bytesOf(piece));
    await settle();
    assert.deepEqual([...open.keys()], [a]);
    open.get(a)?.resolve(Buffer.from('A'));
    assert.equal(await first, await same);
    await settle();
    assert.deepEqual([...open.keys()], [a, b]);
    open.get(b)?.reject(new Error('broken'));
    await assert.rejects(next ?? Promise.resolve(), /broken/);
  });

  it('a piece that could not be unpacked is unpacked again, and its bytes are not kept', async () => {
    const piece = await compressedPiece(Buffer.from('text'));
    let attempts = 0;
    const unpacking = new Unpacking({}, async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('broken');
      return Buffer.from('text');
    });
    await assert.rejects(unpacking.bytesOf(piece), /broken/);
    assert.notEqual(await unpacking.bytesOf(piece), await unpacking.bytesOf(piece));
    assert.equal(attempts, 3);
  });

  it('a piece is unpacked in a turn, unless its bytes are stored as they are', async () => {
    const turns = new Turns({ clock: { monotonic: () => performance.now() } });
    const next = mock.method(turns, 'next');
    const text = Buffer.from('text');
    const unpacking = new Unpacking({ turns });
    assert.deepEqual(await unpacking.bytesOf(storedPiece(text)), text);
    assert.equal(next.mock.callCount(), 0);
    assert.deepEqual(await unpacking.bytesOf(await compressedPiece(text)), text);
    assert.equal(next.mock.callCount(), 1);
  });
});
