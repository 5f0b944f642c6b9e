import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { DeadlineQueue } from '@orch/machinery/concurrency';
import { FakeClock } from '@orch/machinery/testing';
import fc from 'fast-check';
import type { ReceivedAnswer } from '../message/answer.ts';
import { OutboundFailure } from '../message/failures.ts';
import { noBody, type OutboundRequest } from '../message/request.ts';
import { Http1Connection } from './connection.ts';

const LIMIT = 1000;
const { signal } = new AbortController();
const post: OutboundRequest = {
  ...{ method: 'POST', target: '/', headers: { host: 'service' }, bodyLength: 0, body: noBody },
  ...{ upgrade: undefined, maxAnswerBytes: LIMIT },
};

/** The end of a connection, to which a test gives the bytes of the other end. */
class FakeSocket extends Duplex {
  override _read(): void {}

  override _write(_piece: unknown, _encoding: string, done: () => void): void {
    done();
  }

  ref(): void {}

  unref(): void {}

  give(bytes: Buffer): void {
    this.emit('data', bytes);
  }
}

/** A connection, and how often it was free for another request. */
class Fixture {
  readonly socket = new FakeSocket();
  freed = 0;
  readonly connection = new Http1Connection(this.socket as unknown as Socket, {
    answers: new DeadlineQueue(new FakeClock(), 1000),
    onFree: () => this.freed++,
    onClosed: () => undefined,
  });

  /** Sends a request that these bytes answer, in pieces of this size; the connection ends after them. */
  async read(
    text: string,
    pieceBytes: number,
  ): Promise<{ readonly text: string; readonly isReusable: boolean }> {
    const bytes = Buffer.from(text, 'latin1');
    const freed = this.freed;
    const answer = this.connection.request(post, signal);
    for (let at = 0; at < bytes.length && this.freed === freed; at += pieceBytes)
      this.socket.give(bytes.subarray(at, at + pieceBytes));
    const isReusable = this.freed > freed && !this.socket.destroyed;
    if (!isReusable) this.socket.emit('end');
    return { text: textOf(await answer), isReusable };
  }
}

function textOf(answer: ReceivedAnswer): string {
  if (answer.kind !== 'whole') throw new TypeError('an answer that was not received to its end');
  return `${answer.status} ${answer.body}`;
}

const read = (text: string, pieceBytes: number) => new Fixture().read(text, pieceBytes);

const sizes = [1, 7, 10_000];
const ok = 'HTTP/1.1 200 OK\r\n';

describe('an answer over HTTP/1.1', () => {
  for (const [what, text, body, isReusable] of [
    ['with a length', `${ok}Content-Length: 2\r\n\r\n{}`, '{}', true],
    [
      'in chunks',
      `${ok}Transfer-Encoding: chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n`,
      '{}',
      true,
    ],
    ['without a reason phrase', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}', '{}', true],
    ['after interim responses', `HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 2\r\n\r\n{}`, '{}', true],
    ['without content', 'HTTP/1.1 204 No Content\r\n\r\n', '', true],
    ['that closes the connection', `${ok}Connection: close\r\nContent-Length: 2\r\n\r\n{}`, '{}', false],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}', '{}', false],
    [
      'of HTTP/1.0 that keeps the connection',
      'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}',
      '{}',
      true,
    ],
  ] as const)
    it(`an answer over HTTP/1.1 is read when it is sent ${what}`, async () => {
      const status = text.includes('204') ? 204 : 200;
      for (const size of sizes)
        assert.deepEqual(await read(text, size), { text: `${status} ${body}`, isReusable });
    });

  it('an answer over HTTP/1.1 is read to the end of the connection when it has no length', async () => {
    for (const size of sizes)
      assert.deepEqual(await read('HTTP/1.0 200 OK\r\n\r\n{}', size), { text: '200 {}', isReusable: false });
  });

  it('an answer over HTTP/1.1 is incomplete when the connection ends before its length, its last chunk or its head', async () => {
    for (const text of [
      `${ok}Content-Length: 3\r\n\r\n{}`,
      `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
      'HTTP/1.1 200 OK\r\nContent-Le',
    ])
      for (const size of sizes) await assert.rejects(read(text, size), OutboundFailure);
  });

  it('an answer over HTTP/1.1 ends with its head when it is a failure, whose body is not read', async () => {
    const text = 'HTTP/1.1 500 Internal Server Error\r\nTransfer-Encoding: chunked\r\n\r\n';
    assert.deepEqual(await read(text, 7), { text: '500 ', isReusable: false });
  });

  it('an answer over HTTP/1.1 is followed by further ones on the same connection, but by no bytes that were not requested', async () => {
    const fixture = new Fixture();
    const answer = `${ok}Content-Length: 2\r\n\r\n{}`;
    for (let i = 0; i < 3; i++)
      assert.deepEqual(await fixture.read(answer, 10_000), { text: '200 {}', isReusable: true });
    assert.deepEqual(await fixture.read(answer + answer, 10_000), { text: '200 {}', isReusable: false });
  });

  for (const [what, text] of [
    ['two lengths', `${ok}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'a length and chunks',
      `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['an unknown transfer encoding', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['a length that is not a number', `${ok}Content-Length: +2\r\n\r\n{}`],
    ['a folded field', `${ok}A: b\r\n c\r\nContent-Length: 2\r\n\r\n{}`],
    ['a space before a colon', `${ok}Content-Length : 2\r\n\r\n{}`],
    ['a line feed alone', 'HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\n{}'],
    ['a control character in a field', `${ok}A: b\u0000\r\nContent-Length: 2\r\n\r\n{}`],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a malformed chunk', `${ok}Transfer-Encoding: chunked\r\n\r\nx\r\n`],
    ['another protocol', 'HTTP/2 200\r\n\r\n'],
    ['a status that is not a number', 'HTTP/1.1 2xx OK\r\n\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a head above 64 KiB', `${ok}A: ${'a'.repeat(64 * 1024)}\r\n`],
    ['more than 1000 fields', `${ok}${'A: b\r\n'.repeat(1001)}\r\n`],
    ['a length above the limit', `${ok}Content-Length: ${LIMIT + 1}\r\n\r\n`],
    ['chunks above the limit', `${ok}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(LIMIT + 1)}`],
    ['content above the limit until the connection ends', `${ok}\r\n${'x'.repeat(LIMIT + 1)}`],
  ] as const)
    it(`an answer over HTTP/1.1 is refused as malformed with ${what}`, async () => {
      for (const size of sizes) await assert.rejects(read(text, size), OutboundFailure);
    });

  it('an answer over HTTP/1.1 is the same however its bytes are split', async () => {
    const fragment = fc.constantFrom(
      ok,
      'Content-Length: 3\r\n',
      'A: b\r\n',
      '\r\n',
      '3\r\nabc\r\n',
      '0\r\n\r\n',
      'abc',
      '\n',
      ' ',
      'Transfer-Encoding: chunked\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
    );
    const outcome = async (text: string, size: number): Promise<string> => {
      try {
        return (await read(text, size)).text;
      } catch (error) {
        assert.ok(error instanceof OutboundFailure);
        return 'refused';
      }
    };
    const sent = fc.tuple(fc.array(fragment, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }));
    await fc.assert(
      fc.asyncProperty(sent, async ([texts, size]) => {
        const text = ok + texts.join('');
        assert.equal(await outcome(text, size), await outcome(text, text.length));
      }),
    );
  });
});
