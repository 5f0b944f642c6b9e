import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  fetchText,
  get,
  http1Peer,
  http1TlsPeer,
  http2Peer,
  post,
  settingsFor,
  soon,
  textOf,
  transportTo,
  Wallet,
} from './testing/peers.ts';
import { TransportError } from './transport.ts';

describe('network transport', () => {
  it('all requests use one HTTP/2 connection', async () => {
    await using peer = await http2Peer((stream, headers) =>
      stream.end(`${headers[':method']} ${headers[':path']}`),
    );
    await using transport = transportTo(settingsFor(peer.url));
    const texts = await Promise.all(
      Array.from({ length: 50 }, (_, i) => fetchText(transport, get(`/a%20b?n=${i}`))),
    );
    assert.deepEqual(
      texts,
      Array.from({ length: 50 }, (_, i) => `GET /a%20b?n=${i}`),
    );
    assert.equal(peer.connections, 1);
  });

  it('HTTP/1.1 is used when the server supports nothing else, with kept connections', async () => {
    await using peer = await http1TlsPeer((request, response) =>
      response.end(`${request.httpVersion} ${request.url}`),
    );
    await using transport = transportTo(settingsFor(peer.url));
    for (let i = 0; i < 5; i++) assert.equal(await fetchText(transport, get(`/${i}`)), `1.1 /${i}`);
    assert.equal(peer.connections, 1);
    await Promise.all(Array.from({ length: 4 }, () => fetchText(transport, get('/'))));
    assert.ok(peer.connections <= 4);
  });

  it('HTTP/1.1 without TLS is used for http servers', async () => {
    await using peer = await http1Peer((request, response) => response.end(request.headers.host));
    await using transport = transportTo(settingsFor(peer.url));
    assert.equal(await fetchText(transport, get('/')), `127.0.0.1:${peer.port}`);
  });

  for (const [name, open] of [
    ['HTTP/2', http2Echo],
    ['HTTP/1.1', http1Echo],
  ] as const) {
    it(`path, headers and body are sent unchanged over ${name}`, async () => {
      await using peer = await open();
      const credentials = new Wallet({
        headers: { authorization: 'Bearer t', 'impersonate-group': ['a', 'b'] },
      });
      await using transport = transportTo(settingsFor(`${peer.url}/base/`, { credentials }));
      const request = { ...post('/x', 'béta'), headers: { authorization: 'forged', 'x-own': '1' } };
      const echoed = JSON.parse(await fetchText(transport, request));
      assert.deepEqual(echoed, {
        method: 'POST',
        path: '/base/x',
        authorization: 'Bearer t',
        groups: 'a, b',
        own: '1',
        length: '5',
        encoding: 'gzip',
        authority: `127.0.0.1:${peer.port}`,
        body: 'béta',
      });
    });
  }

  it('the callback before a write runs when the connection is open, and can prevent the write', async () => {
    const paths: unknown[] = [];
    await using peer = await http2Peer((stream, headers) => {
      paths.push(headers[':path']);
      stream.end('');
    });
    await using transport = transportTo(settingsFor(peer.url));
    const connections: number[] = [];
    const refused = new Error('too late by now');
    const beforeWriting = (): void => {
      connections.push(peer.connections);
      throw refused;
    };
    await assert.rejects(fetchText(transport, { ...post('/late', 'x'), beforeWriting }), refused);
    await fetchText(transport, post('/other', 'x'));
    assert.deepEqual([paths, connections], [['/other'], [1]]);
  });

  it('gzip responses are decompressed, and corrupted or truncated ones are rejected', async () => {
    const packed = gzipSync('x'.repeat(300_000));
    const bodies: Readonly<Record<string, Buffer>> = {
      '/whole': packed,
      '/garbled': Buffer.concat([packed.subarray(0, 200), Buffer.alloc(200, 7)]),
      '/cut': packed.subarray(0, -9),
    };
    await using peer = await http2Peer((stream, headers) => {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' });
      stream.end(bodies[headers[':path'] ?? '']);
    });
    await using transport = transportTo(settingsFor(peer.url));
    assert.equal((await fetchText(transport, get('/whole'))).length, 300_000);
    for (const path of ['/garbled', '/cut']) {
      await assert.rejects(fetchText(transport, get(path)), (error) => {
        assert.ok(error instanceof TransportError);
        assert.match(error.message, /cannot be decoded/);
        return true;
      });
    }
    assert.equal((await fetchText(transport, get('/whole'))).length, 300_000, 'the connection lives on');
  });

  it('compression can be disabled', async () => {
    await using peer = await http2Peer((stream, headers) => stream.end(String(headers['accept-encoding'])));
    await using transport = transportTo(settingsFor(peer.url, { disableCompression: true }));
    assert.equal(await fetchText(transport, get('/')), 'undefined');
  });

  it('a request with a 401 response is retried once if there is another identity', async () => {
    const tokens: unknown[] = [];
    await using peer = await http2Peer((stream, headers) => {
      tokens.push(headers.authorization);
      stream.respond({ ':status': headers.authorization === 'Bearer good' ? 200 : 401 });
      stream.end('body');
    });
    const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    for (const [identities, status, seen] of [
      [['bad', 'good'], 200, ['Bearer bad', 'Bearer good']],
      [['bad', 'worse', 'good'], 401, ['Bearer bad', 'Bearer worse']],
      [['bad'], 401, ['Bearer bad']],
    ] as const) {
      tokens.length = 0;
      const [first, ...rest] = identities.map(as);
      await using transport = transportTo(settingsFor(peer.url, { credentials: new Wallet(first, ...rest) }));
      const response = await transport.send(post('/', 'x'), soon());
      assert.equal(response.status, status);
      assert.equal(await textOf(response), 'body', 'a 401 that stays has its body');
      assert.deepEqual(tokens, seen);
    }
  });

  it('another connection is opened when the streams of the first one are in use', async () => {
    const held: { end(text: string): void }[] = [];
    await using peer = await http2Peer((stream) => void held.push(stream), {
      settings: { maxConcurrentStreams: 2 },
    });
    await using transport = transportTo(settingsFor(peer.url));
    const answers: Promise<string>[] = [];
    for (let i = 0; i < 5; i++) {
      answers.push(fetchText(transport, get(`/${i}`)));
      while (held.length <= i) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(peer.connections, 3);
    for (const stream of held) stream.end('done');
    assert.deepEqual(
      await Promise.all(answers),
      Array.from({ length: 5 }, () => 'done'),
    );
  });

  it('settings without a valid server are rejected', () => {
    for (const [server, problem] of [
      ['localhost:6443', /http or https/],
      ['/only/path', /not an absolute URL/],
      ['ftp://host', /http or https/],
      ['https://user:secret@host', /must not contain a user/],
    ] as const) {
      assert.throws(
        () => transportTo(settingsFor(server)),
        (error: Error) => {
          assert.match(error.message, problem);
          assert.doesNotMatch(error.message, /secret/);
          return error instanceof TypeError;
        },
      );
    }
  });

  it('a closed transport sends nothing, and a reset transport sends new requests', async () => {
    let streams = 0;
    await using peer = await http2Peer((stream, headers) => {
      streams++;
      if (headers[':path'] !== '/hang') stream.end('ok');
    });
    const credentials = new Wallet();
    await using transport = transportTo(settingsFor(peer.url, { credentials }));
    const hanging = transport.send(get('/hang'), soon());
    while (streams === 0) await new Promise((resolve) => setImmediate(resolve));
    transport.reset('because');
    await assert.rejects(hanging, { name: 'TransportError', outcome: 'unknown', message: /because/ });
    assert.equal(await fetchText(transport, get('/')), 'ok');
    assert.deepEqual([streams, peer.connections], [2, 2]);
    assert.equal(credentials.listeners.size, 1);
    await transport.close();
    assert.equal(credentials.listeners.size, 0);
    await assert.rejects(transport.send(get('/'), soon()), { outcome: 'notSent', message: /closed/ });
  });
});

type Echoed = Readonly<Record<string, unknown>>;

interface Target {
  readonly path: unknown;
  readonly method: unknown;
  readonly authority: unknown;
}

const echoOf = (target: Target, from: Echoed, body: string): string =>
  JSON.stringify({
    ...target,
    authorization: from['authorization'],
    groups: from['impersonate-group'],
    own: from['x-own'],
    length: from['content-length'],
    encoding: from['accept-encoding'],
    body,
  });

function http2Echo() {
  return http2Peer((stream, headers) => {
    let body = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      body += chunk;
    });
    const target = { path: headers[':path'], method: headers[':method'], authority: headers[':authority'] };
    stream.on('end', () => stream.end(echoOf(target, headers, body)));
  });
}

function http1Echo() {
  return http1TlsPeer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    const { url: path, method, headers } = request;
    const target = { path, method, authority: headers.host };
    request.on('end', () => response.end(echoOf(target, headers, body)));
  });
}
