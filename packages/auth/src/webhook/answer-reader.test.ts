import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AnswerReader, type EndedAnswer } from './answer-reader.ts';
import { RemoteError } from './exchange.ts';

const LIMIT = 1000;

/** What a connection with these bytes answers, received in pieces of this size; it ends after them when `ends`. */
function read(text: string, pieceBytes: number, ends = false): EndedAnswer | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const reader = new AnswerReader();
  reader.begin(LIMIT);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const ended = reader.feed(bytes.subarray(at, at + pieceBytes));
    if (ended !== undefined) return ended;
  }
  return ends ? reader.end() : undefined;
}

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
    it(`an answer over HTTP/1.1 is read when it is sent ${what}`, () => {
      for (const size of sizes) {
        const ended = read(text, size);
        assert.equal(ended?.answer.body.toString(), body);
        assert.equal(ended.isReusable, isReusable);
      }
    });

  it('an answer over HTTP/1.1 is read to the end of the connection when it has no length', () => {
    for (const size of sizes) {
      const ended = read('HTTP/1.0 200 OK\r\n\r\n{}', size, true);
      assert.equal(ended?.answer.body.toString(), '{}');
      assert.equal(ended.isReusable, false);
    }
  });

  it('an answer over HTTP/1.1 is incomplete when the connection ends before its length, its last chunk or its head', () => {
    for (const text of [
      `${ok}Content-Length: 3\r\n\r\n{}`,
      `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
      'HTTP/1.1 200 OK\r\nContent-Le',
    ])
      for (const size of sizes) assert.equal(read(text, size, true), undefined);
  });

  it('an answer over HTTP/1.1 ends with its head when it is a failure, whose body is not read', () => {
    const ended = read('HTTP/1.1 500 Internal Server Error\r\nTransfer-Encoding: chunked\r\n\r\n', 7);
    assert.equal(ended?.answer.status, 500);
    assert.equal(ended.isReusable, false);
  });

  it('an answer over HTTP/1.1 is followed by further ones on the same connection, but by no bytes that were not requested', () => {
    const reader = new AnswerReader();
    const answer = Buffer.from(`${ok}Content-Length: 2\r\n\r\n{}`);
    for (let i = 0; i < 3; i++) {
      reader.begin(LIMIT);
      assert.equal(reader.feed(answer)?.isReusable, true);
    }
    reader.begin(LIMIT);
    assert.equal(reader.feed(Buffer.concat([answer, answer]))?.isReusable, false);
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
    ['more than 200 fields', `${ok}${'A: b\r\n'.repeat(201)}\r\n`],
    ['a length above the limit', `${ok}Content-Length: ${LIMIT + 1}\r\n\r\n`],
    ['chunks above the limit', `${ok}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(LIMIT + 1)}`],
    ['content above the limit until the connection ends', `${ok}\r\n${'x'.repeat(LIMIT + 1)}`],
  ] as const)
    it(`an answer over HTTP/1.1 is refused as malformed with ${what}`, () => {
      for (const size of sizes) assert.throws(() => read(text, size), RemoteError);
    });

  it('an answer over HTTP/1.1 is the same however its bytes are split', () => {
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
    const outcome = (text: string, size: number): unknown => {
      try {
        return read(text, size, true)?.answer;
      } catch (error) {
        assert.ok(error instanceof RemoteError);
        return 'refused';
      }
    };
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), (texts, size) => {
        const text = ok + texts.join('');
        assert.deepEqual(outcome(text, size), outcome(text, text.length));
      }),
      { numRuns: 500 },
    );
  });
});
