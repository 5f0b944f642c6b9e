import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { echo, head, reader, testServer } from './testing/test-server.ts';

describe('malformed HTTP/1.1 requests', () => {
  for (const [what, text, status] of [
    ['no request line', 'nonsense\r\nHost: h\r\n\r\n', 400],
    ['a lower protocol version', 'GET / HTTP/0.9\r\nHost: h\r\n\r\n', 505],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['two blanks', 'GET  / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['a target that is not a path', 'GET api HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['a fragment', 'GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['raw bytes in the target', 'GET /\u00e4 HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n', 400],
    ['a control character', 'GET / HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n', 400],
    ['a lone line feed in a value', 'GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n', 400],
    ['lone line feeds only', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['a field without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n', 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    [
      'another transfer encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
      501,
    ],
    ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['another expectation', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n', 417],
    ['too many fields', `GET / HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(300)}\r\n`, 431],
    ['too long a head', `GET / HTTP/1.1\r\nHost: a\r\na: ${'b'.repeat(70_000)}\r\n\r\n`, 431],
    ['a head without end', `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(20_000)}`, 431],
  ] as const) {
    it(`${what} is answered with ${status} and a Status, the connection is closed, and the answer is counted`, async () => {
      await using server = await testServer();
      const socket = await server.connect();
      const received = reader(socket);
      socket.write(text, 'latin1');
      await received.closed;
      assert.match(
        received.text(),
        new RegExp(`^HTTP/1\\.1 ${status} [^\\r]+\\r\\n[\\s\\S]*"code":${status}\\}\\n$`),
      );
      const count = new RegExp(`^apiserver_http_refusals_total\\{.*code="${status}".*\\} 1$`, 'm');
      assert.match(server.metrics.text(), count);
    });
  }

  for (const [what, body] of [
    ['a size that is not a number', 'xyz\r\n'],
    ['a size without end', '1'.repeat(300)],
    ['data longer than announced', '1\r\nab\r\n'],
    ['a lone line feed', '1\na\r\n0\r\n\r\n'],
    ['a malformed trailer', '0\r\nno colon\r\n\r\n'],
  ] as const) {
    it(`chunks with ${what} are answered with 400`, async () => {
      await using server = await testServer({ resources: echo });
      const socket = await server.connect();
      const received = reader(socket);
      socket.write(head('POST /api/v1/pods HTTP/1.1', 'Transfer-Encoding: chunked') + body);
      await received.closed;
      assert.match(
        received.text(),
        /^HTTP\/1\.1 400 [\s\S]*chunked encoding[\s\S]*Connection: close|^HTTP\/1\.1 400 [\s\S]*Connection: close[\s\S]*chunked encoding/,
      );
    });
  }
});
