import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChunkedDecoder, HeadReader, isProblem } from '@orch/machinery/http';
import fc from 'fast-check';
import { defaultLimits } from '../shared/limits.ts';
import { BodyReader } from './body-reader.ts';
import { requestHeads } from './head.ts';

const fragment = fc.constantFrom(
  'GET /a HTTP/1.1\r\n',
  'POST /b?c HTTP/1.0\r\n',
  'Host: h\r\n',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'X: \t y \r\n',
  '\r\n',
  '\n',
  '\r',
  ': ',
  ' ',
  '\u0000',
  'abc',
);

/** The heads that a reader extracts from bytes in these pieces, as text, and its final state. */
function heads(pieces: readonly Buffer[]): string[] {
  const reader = new HeadReader(defaultLimits, requestHeads);
  const seen: string[] = [];
  let pending = Buffer.alloc(0);
  for (const piece of pieces) {
    pending = Buffer.concat([pending, piece]);
    while (pending.length > 0) {
      const head = reader.take(pending);
      if (head === undefined) break;
      if (isProblem(head)) return [...seen, String(head.status)];
      seen.push(JSON.stringify([head.line, head.block.headers]));
      pending = pending.subarray(head.end);
    }
  }
  return seen;
}

/** The bytes, cut at these positions. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) =>
    bytes.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0), end),
  );
}

describe('parsing of HTTP/1.1 heads', () => {
  it('heads are the same however the bytes are split, and malformed bytes are refused', () => {
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (texts, places) => {
          const bytes = Buffer.from(texts.join(''), 'latin1');
          const whole = heads([bytes]);
          const pieces = heads(cut(bytes, places));
          // Split bytes may refuse a bare line feed before the end of the head is seen, never the other way round.
          if (pieces.at(-1) === '400' && whole.at(-1) !== '400')
            assert.deepEqual(pieces.slice(0, -1), whole.slice(0, pieces.length - 1));
          else assert.deepEqual(pieces, whole);
        },
      ),
    );
  });

  it('a bare line feed in the authority of a target is refused, however the bytes are split', () => {
    const bytes = Buffer.from('GET http://a\n HTTP/1.0\r\nB: c\r\n\r\n');
    assert.deepEqual(heads([bytes]), ['400']);
    for (let at = 1; at < bytes.length; at += 1) assert.deepEqual(heads(cut(bytes, [at])), ['400']);
  });

  it('requests with the same header fields share one frozen object', () => {
    const reader = new HeadReader(defaultLimits, requestHeads);
    const take = (text: string) => {
      const head = reader.take(Buffer.from(text));
      assert.ok(head !== undefined && !isProblem(head));
      return head.block;
    };
    const first = take('GET /a HTTP/1.1\r\nHost: h\r\nA: 1\r\nA: 2\r\nCookie: a\r\nCOOKIE: b\r\n\r\n');
    assert.deepEqual({ ...first.headers }, { host: 'h', a: '1, 2', cookie: 'a; b' });
    assert.ok(Object.isFrozen(first.headers));
    const same = take('GET /b HTTP/1.1\r\nHost: h\r\nA: 1\r\nA: 2\r\nCookie: a\r\nCOOKIE: b\r\n\r\n');
    assert.equal(same, first);
    assert.notEqual(take('GET /b HTTP/1.1\r\nHost: h\r\n\r\n'), first);
  });

  it('header fields such as __proto__ do not change prototypes', () => {
    const head = new HeadReader(defaultLimits, requestHeads).take(
      Buffer.from('GET / HTTP/1.1\r\nHost: h\r\n__proto__: x\r\nconstructor: y\r\n\r\n'),
    );
    assert.ok(head !== undefined && !isProblem(head));
    assert.equal(Object.getPrototypeOf(head.block.headers), null);
    assert.equal(head.block.headers['constructor'], 'y');
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
  });
});

describe('decoding of chunked bodies', () => {
  const chunk = fc.record({
    content: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    extension: fc.constantFrom('', ';a', ';a=b', ' ;x="y"'),
    upper: fc.boolean(),
  });

  it('a decoded body equals the sent one however it is split, and the next bytes are left', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 10 }),
        fc.constantFrom('', 'A: b\r\n', 'A: b\r\nC: d\r\n'),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (chunks, trailer, places) => {
          const content = Buffer.concat(chunks.map((one) => one.content));
          const encoded = Buffer.concat([
            ...chunks.flatMap(({ content: bytes, extension, upper }) => {
              const size = bytes.length.toString(16);
              return [
                Buffer.from(`${upper ? size.toUpperCase() : size}${extension}\r\n`),
                bytes,
                Buffer.from('\r\n'),
              ];
            }),
            Buffer.from(`0\r\n${trailer}\r\nNEXT`),
          ]);
          const reader = new BodyReader(new ChunkedDecoder(), () => undefined);
          const body = reader.read(10_000);
          let left = Buffer.alloc(0);
          for (const piece of cut(encoded, places)) {
            const input = Buffer.concat([left, piece]);
            left = input.subarray(reader.feed(input));
          }
          assert.ok((await body).equals(content));
          assert.equal(left.toString(), 'NEXT');
        },
      ),
    );
  });

  it('arbitrary bytes never decode beyond their length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const reader = new BodyReader(new ChunkedDecoder(), () => undefined);
        reader.read(10_000).catch(() => undefined);
        assert.ok(reader.feed(Buffer.from(bytes)) <= bytes.length);
      }),
    );
  });
});
