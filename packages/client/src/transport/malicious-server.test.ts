import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { createGzip } from 'node:zlib';
import { namesFor } from '@orch/machinery';
import { FakeClock, testEnv, until } from '@orch/machinery/testing';
import { createClient } from '../create-client.ts';
import { configMaps } from '../rest/testing/served.ts';
import {
  fetchText,
  get,
  http1Peer,
  http2Peer,
  post,
  settingsFor,
  soon,
  transportTo,
  Wallet,
} from './testing/peers.ts';
import { TransportError } from './transport.ts';

describe('malicious servers', () => {
  it('a small response that decompresses to a large one does not exhaust memory', async () => {
    let packed = 0;
    await using peer = await http2Peer((stream, headers) => {
      stream.respond({
        ':status': headers[':path']?.includes('bad') ? 500 : 200,
        'content-encoding': 'gzip',
      });
      const gzip = createGzip({ level: 9 });
      gzip.on('data', (chunk: Buffer) => {
        packed += chunk.length;
        stream.write(chunk);
      });
      stream.once('close', () => gzip.destroy());
      const zeros = Buffer.alloc(1024 * 1024);
      const more = (left: number): void => {
        if (left > 0 && !stream.destroyed) gzip.write(zeros, () => more(left - 1));
        else gzip.end(() => stream.end());
      };
      more(512);
    });
    await using transport = transportTo(settingsFor(peer.url));
    const env = testEnv();
    const options = {
      transport,
      names: namesFor('orch'),
      env,
      userAgent: 'test/1',
      maxResponseBytes: 1_000_000,
    };
    const c = createClient(options).resource(configMaps, 'ns');
    const before = process.memoryUsage.rss();
    await assert.rejects(c.get('a'), /longer than 1000000 bytes/);
    await assert.rejects(async () => {
      for await (const _ of c.watch());
    }, /longer than \d+ bytes/);
    await assert.rejects(c.get('bad'), { name: 'ApiError' });
    assert.ok(packed < 2_000_000, `${packed} bytes came`);
    assert.ok(process.memoryUsage.rss() - before < 256 * 1024 * 1024);
    // A connection is still usable after responses that were not read to their end.
    assert.equal(peer.connections, 1);
  });

  it('response heads have a maximum size', async () => {
    await using second = await http2Peer((stream) => {
      stream.respond({ ':status': 200, 'x-long': 'x'.repeat(200_000) });
      stream.end('ok');
    });
    await using first = await http1Peer((request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}`);
    });
    for (const { url } of [second, first]) {
      await using transport = transportTo(settingsFor(url));
      await assert.rejects(
        transport.send(post('/', 'x'), soon()),
        (error) => error instanceof TransportError,
      );
    }
  });

  it('data that is not HTTP fails the request', async () => {
    for (const text of [
      'SSH-2.0-x\r\n',
      'HTTP/1.1 two OK\r\n\r\n',
      '\0\0\0\0',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ]) {
      await using peer = await http1Peer((request) => void request.socket.end(text));
      await using transport = transportTo(settingsFor(peer.url));
      await assert.rejects(
        async () => fetchText(transport, post('/', 'x')),
        (error) => error instanceof TransportError && error.outcome === 'unknown',
      );
    }
  });

  it('responses on a kept connection are never assigned to another request', async () => {
    let count = 0;
    await using peer = await http1Peer((request, response) => {
      const path = String(request.url);
      count++;
      // Two responses to one request, in one chunk.
      if (path === '/two')
        request.socket.write(
          'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\noneHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo',
        );
      else response.end(path);
    });
    await using transport = transportTo(settingsFor(peer.url));
    assert.equal(await fetchText(transport, get('/first')), '/first');
    assert.equal(await fetchText(transport, get('/two')), 'one');
    assert.equal(await fetchText(transport, get('/next')), '/next');
    assert.equal(count, 3);
  });
});

describe('invalid header fields', () => {
  for (const [what, identity] of [
    ['a token with a line end', { authorization: 'Bearer secret\r\nx-forged: 1' }],
    ['a token that is not a string of a header', { authorization: 'Bearer secret\u0000' }],
    ['a token with a blank at its end', { authorization: 'Bearer secret ' }],
    ['a group with a line end', { 'impersonate-group': ['good', 'secret\n'] }],
    ['a field with a blank in its name', { 'impersonate-extra-a b': 'secret' }],
    ['a pseudo field', { ':path': '/secret' }],
    ['a field without a name', { '': 'secret' }],
  ] as const) {
    it(`a request with an invalid header field fails without its value: ${what}`, async () => {
      let requests = 0;
      await using second = await http2Peer((stream) => {
        requests++;
        stream.end();
      });
      await using first = await http1Peer((_, response) => {
        requests++;
        response.end();
      });
      for (const { url } of [second, first]) {
        const credentials = new Wallet({ headers: identity });
        await using transport = transportTo(settingsFor(url, { credentials }));
        await assert.rejects(transport.send(get('/'), soon()), (error: Error) => {
          assert.ok(error instanceof TransportError);
          assert.equal(error.outcome, 'notSent');
          assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /secret/);
          return true;
        });
      }
      assert.equal(requests, 0);
    });
  }
});

describe('invalid targets', () => {
  for (const target of ['', 'x', 'http://other.test/', '/a b', '/a\r\nx-forged: 1', '/ä', '/\u0000']) {
    it(`a target that is not a path is rejected: ${JSON.stringify(target)}`, async () => {
      await using peer = await http2Peer((stream) => stream.end('reached'));
      await using transport = transportTo(settingsFor(peer.url));
      await assert.rejects(transport.send(get(target), soon()), {
        name: 'TransportError',
        outcome: 'notSent',
      });
      assert.equal(peer.connections, 0);
    });
  }
});

describe('unresponsive proxies', () => {
  for (const scheme of ['http', 'https', 'socks5']) {
    it(`a proxy without a response fails at the deadline: ${scheme}`, async () => {
      const clock = new FakeClock();
      const sockets = new Set<{ destroy(): void }>();
      const silent = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {});
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.once('listening', resolve));
      const { port } = silent.address() as { port: number };
      const proxyUrl = `${scheme}://127.0.0.1:${port}`;
      await using transport = transportTo(settingsFor('https://api.test:1', { proxyUrl }), { clock });
      const failed = assert.rejects(transport.send(get('/'), soon()), {
        message: /no connection within 10000 ms/,
      });
      await until(() => sockets.size === 1);
      await clock.advanceAsync(10_000);
      await failed;
      silent.close();
      for (const socket of sockets) socket.destroy();
    });
  }
});
