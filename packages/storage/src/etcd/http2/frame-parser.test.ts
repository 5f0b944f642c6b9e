import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Http2Error } from './constants.ts';
import { type FrameHandler, FrameParser } from './frame-parser.ts';
import { FrameWriter } from './frame-writer.ts';

/** Records the frames of a parser, with the parts of a DATA frame joined. */
class Recorder implements FrameHandler {
  readonly seen: string[] = [];
  #data = '';

  onData(_streamId: number, chunk: Buffer, start: number, end: number): void {
    this.#data += chunk.toString('hex', start, end);
  }

  onDataEnd(streamId: number, flags: number, length: number): void {
    this.seen.push(`data ${streamId} ${flags} ${length} ${this.#data}`);
    this.#data = '';
  }

  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void {
    this.seen.push(`${type} ${streamId} ${flags} ${payload.toString('hex')}`);
  }
}

function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
}

const someFrame = fc
  .tuple(
    fc.integer({ min: 0, max: 12 }),
    fc.constantFrom(0, 1, 4),
    fc.integer({ min: 0, max: 9 }),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([type, flags, id, payload]) => frame(type, flags, id, Buffer.from(payload)));
const paddedFrame = fc
  .tuple(fc.uint8Array({ maxLength: 30 }), fc.integer({ min: 0, max: 30 }))
  .map(([content, padding]) =>
    frame(0, 8, 1, Buffer.concat([Buffer.from([padding]), content, Buffer.alloc(padding)])),
  );

describe('the frame parser', () => {
  it('the frame parser reports the same frames for any split of the bytes', () => {
    const frames = fc.array(fc.oneof(someFrame, paddedFrame), { maxLength: 8 });
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent);
        const whole = new Recorder();
        new FrameParser(whole).feed(bytes, bytes.length);
        const pieces = new Recorder();
        const parser = new FrameParser(pieces);
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = Math.min(cuts[i % cuts.length] ?? 1, bytes.length - at);
          parser.feed(Buffer.from(bytes.subarray(at, at + size)), size);
          at += size;
        }
        assert.equal(whole.seen.length, sent.length);
        assert.deepEqual(pieces.seen, whole.seen);
      }),
    );
  });

  it('the frame parser reports padded content without its padding, and counts the padding for flow control', () => {
    const recorder = new Recorder();
    const bytes = frame(0, 9, 3, Buffer.from([2, 0xaa, 0xbb, 0, 0]));
    new FrameParser(recorder).feed(bytes, bytes.length);
    assert.deepEqual(recorder.seen, ['data 3 9 5 aabb']);
  });

  for (const [title, bytes] of [
    ['a frame above 16 KiB', frame(1, 0, 1, Buffer.alloc(16_385)).subarray(0, 9)],
    ['padding longer than its frame', frame(0, 8, 1, Buffer.from([3, 0, 0]))],
    ['a padded frame without a length', frame(0, 8, 1, Buffer.alloc(0))],
  ] as const) {
    it(`the frame parser refuses ${title}`, () => {
      assert.throws(() => new FrameParser(new Recorder()).feed(bytes, bytes.length), Http2Error);
    });
  }

  it('neither crashes nor hangs on random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        try {
          new FrameParser(new Recorder()).feed(Buffer.from(bytes), bytes.length);
        } catch (error) {
          assert.ok(error instanceof Http2Error, String(error));
        }
      }),
    );
  });

  it('the frame parser parses the output of the frame writer, across slabs', () => {
    const recorder = new Recorder();
    const parser = new FrameParser(recorder);
    const writer = new FrameWriter({ write: (bytes) => parser.feed(bytes, bytes.length), idle: true });
    const body = Buffer.alloc(16_384, 7);
    for (let i = 1; i <= 9; i++) writer.data(i, body, i === 9);
    writer.ping(Buffer.from('01234567'), true);
    writer.windowUpdate(5, 0x1234);
    writer.flush();
    assert.equal(recorder.seen.length, 11);
    assert.equal(recorder.seen[8], `data 9 1 16384 ${body.toString('hex')}`);
    assert.deepEqual(recorder.seen.slice(9), ['6 0 1 3031323334353637', '8 5 0 00001234']);
  });
});
