import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChunkedDecoder, LengthDecoder } from '@orch/machinery/http';
import fc from 'fast-check';
import { BodyReader } from './body-reader.ts';

/** Feeds a reader as a connection does: only while it accepts bytes, and the rest later. */
class Connection {
  readonly body: BodyReader;
  readonly begun: boolean[] = [];
  #pieces: readonly Buffer[];
  #left = Buffer.alloc(0);

  constructor(encoded: Buffer, cuts: readonly number[], decoder: LengthDecoder | ChunkedDecoder) {
    const ends = [...new Set(cuts.map((cut) => cut % (encoded.length + 1)))].sort((a, b) => a - b);
    this.#pieces = [...ends, encoded.length].map((end, at) =>
      encoded.subarray(at === 0 ? 0 : ends[at - 1], end),
    );
    this.body = new BodyReader(decoder, (isFirst) => {
      this.begun.push(isFirst);
      process.nextTick(() => this.#feed());
    });
  }

  /** The bytes that were not consumed. */
  rest(): string {
    return Buffer.concat([this.#left, ...this.#pieces]).toString();
  }

  #feed(): void {
    while (this.body.isHungry) {
      const [next, ...others] = this.#pieces;
      if (this.#left.length === 0 && next === undefined) return;
      this.#pieces = others;
      this.#left = Buffer.concat([this.#left, next ?? Buffer.alloc(0)]);
      this.#left = this.#left.subarray(this.body.feed(this.#left));
    }
  }
}

describe('HTTP/1.1 body as a stream', () => {
  it('a streamed body equals the sent one however it is split, and the next bytes are left', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 10 }),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (chunks, isChunked, cuts) => {
          const content = Buffer.concat(chunks);
          const frames = chunks.flatMap((chunk) => [
            Buffer.from(`${chunk.length.toString(16)}\r\n`),
            chunk,
            Buffer.from('\r\n'),
          ]);
          const encoded = isChunked ? Buffer.concat([...frames, Buffer.from('0\r\n\r\n')]) : content;
          const connection = new Connection(
            Buffer.concat([encoded, Buffer.from('NEXT')]),
            cuts,
            isChunked ? new ChunkedDecoder() : new LengthDecoder(content.length),
          );
          const pieces: Buffer[] = [];
          for await (const piece of connection.body.stream()) pieces.push(piece);
          assert.ok(Buffer.concat(pieces).equals(content));
          assert.equal(connection.rest(), 'NEXT');
          assert.ok(connection.begun.every((isFirst, at) => isFirst === (at === 0)));
        },
      ),
    );
  });

  it('a body is read from the connection on demand', async () => {
    const connection = new Connection(Buffer.from('abcdef'), [1, 2, 3, 4, 5], new LengthDecoder(6));
    const pieces = connection.body.stream();
    assert.equal(String((await pieces.next()).value), 'a');
    await new Promise((turn) => setImmediate(turn));
    assert.equal(connection.rest(), 'bcdef');
    assert.equal(connection.body.isHungry, false);
    assert.equal(String((await pieces.next()).value), 'b');
  });

  for (const [what, end] of [
    ['the client goes', (body: BodyReader) => body.fail(new Error('gone'))],
    ['the reply is out', (body: BodyReader) => body.abandon()],
  ] as const) {
    it(`pending and later reads of the body fail when ${what}`, async () => {
      const { body } = new Connection(Buffer.from('abc'), [], new LengthDecoder(6));
      const pieces = body.stream();
      assert.equal(String((await pieces.next()).value), 'abc');
      const waiting = pieces.next();
      end(body);
      await assert.rejects(waiting);
      await assert.rejects(body.stream().next(), /only once/);
    });
  }

  it('a malformed chunked encoding fails the stream', async () => {
    const connection = new Connection(Buffer.from('3\r\nabc\r\nzz\r\n'), [], new ChunkedDecoder());
    const pieces = connection.body.stream();
    assert.equal(String((await pieces.next()).value), 'abc');
    await assert.rejects(pieces.next(), /malformed/);
  });
});
