import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { codesOf, exchange } from './raw-socket.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const smuggled = `DELETE ${maps} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'carrier' } });
const post = (fields: string, content = ''): string =>
  `POST ${maps}?dryRun=All HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n${content}`;
const chunk = (content: string): string => `${content.length.toString(16)}\r\n${content}\r\n`;

describe('HTTP/1.1 request smuggling', { timeout: 60_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer();
    const created = await server.client.post(maps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kept' },
    });
    assert.equal(created.status, 201, created.text);
  });
  after(async () => {
    const kept = await server.client.get(`${maps}/kept`);
    assert.equal(kept.status, 200, 'a smuggled request was carried out');
    await server[Symbol.asyncDispose]();
  });

  const size = body.length;
  for (const [what, request, code] of [
    [
      'Content-Length and Transfer-Encoding',
      post(`Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n'),
      400,
    ],
    [
      'Transfer-Encoding and Content-Length',
      post(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n`, '0\r\n\r\n'),
      400,
    ],
    ['two lengths that differ', post(`Content-Length: ${size}\r\nContent-Length: 0\r\n`, body), 400],
    ['a list of lengths', post(`Content-Length: ${size}, ${size}\r\n`, body), 400],
    ['a length with a sign', post(`Content-Length: +${size}\r\n`, body), 400],
    ['a length in hexadecimal', post(`Content-Length: 0x10\r\n`, body), 400],
    ['a length with a blank in it', post(`Content-Length: 1 0\r\n`, body), 400],
    ['a length beyond 2^53', post(`Content-Length: 18446744073709551616\r\n`, body), 400],
    ['an empty length', post(`Content-Length: \r\n`, body), 400],
    ['a blank before the colon of the length', post(`Content-Length : ${size}\r\n`, body), 400],
    ['a length behind a bare line feed', post(`X: y\nContent-Length: ${size}\r\n`, body), 400],
    ['a length behind a bare carriage return', post(`X: y\rContent-Length: ${size}\r\n`, body), 400],
    ['a folded length', post(`Content-Length:\r\n ${size}\r\n`, body), 400],
    ['a transfer encoding with a suffix', post('Transfer-Encoding: xchunked\r\n', chunk(body)), 501],
    ['chunked twice', post('Transfer-Encoding: chunked, chunked\r\n', chunk(body)), 501],
    ['two transfer encodings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'), 400],
    ['a vertical tab before chunked', post('Transfer-Encoding: \x0bchunked\r\n', chunk(body)), 400],
    ['a quoted chunked', post('Transfer-Encoding: "chunked"\r\n', chunk(body)), 501],
    ['chunked, then a parameter', post('Transfer-Encoding: chunked;q=1\r\n', chunk(body)), 501],
    ['a blank before the colon of the encoding', post('Transfer-Encoding : chunked\r\n', chunk(body)), 400],
    ['an encoding behind a NUL', post('Transfer-Encoding: chunked\0\r\n', chunk(body)), 400],
    [
      'an encoding in HTTP/1.0',
      post('Transfer-Encoding: chunked\r\n', chunk(body)).replace('HTTP/1.1', 'HTTP/1.0'),
      400,
    ],
    ['a chunk size with a sign', post('Transfer-Encoding: chunked\r\n', `+1\r\na\r\n`), 400],
    ['a chunk size with a prefix', post('Transfer-Encoding: chunked\r\n', `0x1\r\na\r\n`), 400],
    [
      'a chunk size that wraps around 32 bits',
      post('Transfer-Encoding: chunked\r\n', `100000001\r\na\r\n`),
      400,
    ],
    [
      'a chunk size that wraps around 64 bits',
      post('Transfer-Encoding: chunked\r\n', `f${'0'.repeat(15)}1\r\na\r\n`),
      400,
    ],
    ['a negative chunk size', post('Transfer-Encoding: chunked\r\n', `-1\r\na\r\n`), 400],
    ['an empty chunk size', post('Transfer-Encoding: chunked\r\n', `\r\na\r\n`), 400],
    [
      'a chunk extension with a bare line feed',
      post('Transfer-Encoding: chunked\r\n', `1;a\nb\r\na\r\n`),
      400,
    ],
    ['a chunk extension without end', post('Transfer-Encoding: chunked\r\n', `1;${'a'.repeat(5000)}`), 400],
    ['data without its line end', post('Transfer-Encoding: chunked\r\n', `1\r\na0\r\n\r\n`), 400],
    ['trailers without end', post('Transfer-Encoding: chunked\r\n', `0\r\n${'a: b\r\n'.repeat(5000)}`), 400],
    [
      'a trailer that is not a field',
      post('Transfer-Encoding: chunked\r\n', `0\r\nDELETE / HTTP/1.1\r\n\r\n`),
      400,
    ],
    ['an authority as target', `CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['an asterisk as target', `OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['a target with a blank', `GET /a /b HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['another scheme', `GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['a lower-case protocol', `GET / http/1.1\r\nHost: a\r\n\r\n`, 400],
    ['a protocol with another digit', `GET / HTTP/1.10\r\nHost: a\r\n\r\n`, 400],
    [
      'two Authorization fields',
      `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
      400,
    ],
    ['a NUL in a field name', `GET / HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n`, 400],
  ] as const) {
    it(`an HTTP/1.1 request with ${what} is answered with ${code}, and the bytes after it are not parsed as a request`, async () => {
      const text = await exchange(server, request + smuggled);
      assert.deepEqual(codesOf(text), [code], text);
      assert.match(text, /\r\nConnection: close\r\n/);
      assert.doesNotMatch(text, /\.(ts|mjs):\d|node_modules|\/packages\//);
    });
  }

  for (const [what, request, codes] of [
    ['a body in chunks', post('Transfer-Encoding: Chunked\r\n', `${chunk(body)}0\r\n\r\n`), [201]],
    [
      'chunks with extensions and trailers',
      post('Transfer-Encoding: chunked\r\n', `${chunk(body).replace('\r\n', ';a=b\r\n')}0\r\nX: y\r\n\r\n`),
      [201],
    ],
    [
      'a request for an upgrade',
      `GET /version HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
      [200],
    ],
    ['an absolute target', `GET https://elsewhere/version HTTP/1.1\r\nHost: a\r\n\r\n`, [200]],
    [
      'an unread body',
      `GET /version HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      [200],
    ],
    ['a HEAD for something with a body', `HEAD /version HTTP/1.1\r\nHost: a\r\n\r\n`, [200]],
    ['an error', `GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n`, [404]],
    ['a leading empty line', `\r\nGET /version HTTP/1.1\r\nHost: a\r\n\r\n`, [200]],
    [
      'an expectation that was not waited for',
      post(`Expect: 100-continue\r\nContent-Length: ${size}\r\n`, body),
      [201],
    ],
  ] as const) {
    it(`an HTTP/1.1 exchange with ${what} ends at its declared length, and the next request is parsed correctly`, async () => {
      const text = await exchange(
        server,
        `${request}GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      assert.deepEqual(codesOf(text), [...codes, 200], text);
      assert.match(text, /\r\n\r\nok$/);
    });
  }

  it('an unread chunked request body ends the connection and is not parsed as requests', async () => {
    const text = await exchange(
      server,
      `GET /version HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(smuggled)}0\r\n\r\n${smuggled}`,
    );
    assert.deepEqual(codesOf(text), [200], text);
  });

  it('two thousand pipelined HTTP/1.1 requests are answered in order', async () => {
    const requests = Array.from(
      { length: 2000 },
      (_, i) =>
        `GET ${maps}/none-${i} HTTP/1.1\r\nHost: a\r\n${i === 1999 ? 'Connection: close\r\n' : ''}\r\n`,
    );
    const text = await exchange(server, requests.join(''));
    const names = [...text.matchAll(/"name":"none-(\d+)"/g)].map((found) => Number(found[1]));
    assert.deepEqual(
      names,
      Array.from({ length: 2000 }, (_, i) => i),
    );
  });

  it('a line break sent by a client appears in no response header', async () => {
    const evil = 'x%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a';
    for (const target of [
      `/${evil}`,
      `/api/v1/${evil}`,
      `${maps}?labelSelector=${evil}`,
      `${maps}?fieldValidation=${evil}`,
    ]) {
      const text = await exchange(
        server,
        `GET ${target} HTTP/1.1\r\nHost: a\r\nAudit-ID: mine;x="1"\r\nConnection: close\r\n\r\n`,
      );
      const [head = ''] = text.split('\r\n\r\n');
      assert.doesNotMatch(head, /set-cookie|mine/i);
      assert.equal(codesOf(text).length, 1);
    }
  });
});
