import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type BodySink, frameChunk } from '@orch/request';
import { servingTls } from './testing/serving-tls.ts';
import { testServer } from './testing/test-server.ts';

const secret = { authorization: 'Bearer secret' };

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function answerOf(stream: ClientHttp2Stream): Promise<Received> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  if (!stream.closed) await once(stream, 'close');
  return { headers, body: Buffer.concat(chunks).toString() };
}

const sendRequest = (
  session: ClientHttp2Session,
  path: string,
  fields: Record<string, string> = {},
  body?: string | Buffer,
) => {
  const stream = session.request({ ':path': path, ...secret, ...fields }, { endStream: body === undefined });
  stream.on('error', () => undefined);
  if (body !== undefined) stream.end(body);
  return answerOf(stream);
};

describe('HTTP/2 connections', () => {
  it('blanks around the value of a field mean nothing, as over HTTP/1.1', async () => {
    await using server = await testServer({
      resources: async ({ request }) => ({
        kind: 'bytes',
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify(request.headers['x-test'])),
      }),
    });
    const session = server.http2();
    for (const authorization of ['Bearer secret ', 'Bearer secret\t', ' Bearer secret'])
      for (const value of ['a b', ' a b', 'a b \t']) {
        const answer = await sendRequest(session, '/api/v1/nodes/a', { authorization, 'x-test': value });
        assert.deepEqual([answer.headers[':status'], answer.body], [200, '"a b"'], `${authorization}|`);
      }
  });

  it('concurrent requests are answered on one connection', async () => {
    await using server = await testServer({
      resources: async ({ info, request }) => ({
        kind: 'bytes',
        status: info.name === 'b' ? 201 : 200,
        headers: { 'Content-Type': 'text/x' },
        body: Buffer.concat([Buffer.from(info.name), await request.body(100)]),
      }),
    });
    const session = server.http2();
    const [a, b] = await Promise.all([
      sendRequest(session, '/api/v1/nodes/a'),
      sendRequest(session, '/api/v1/nodes/b', { ':method': 'PUT' }, 'ody'),
    ]);
    assert.deepEqual([a.headers[':status'], a.body], [200, 'a']);
    assert.deepEqual([b.headers[':status'], b.body], [201, 'body']);
    assert.equal(a.headers['cache-control'], 'no-cache, private');
    assert.equal(a.headers['content-type'], 'text/x');
    assert.equal(a.headers['content-length'], '1');
    assert.match(String(a.headers['audit-id']), /^[0-9a-f-]{36}$/);
  });

  it('the request id of a client is used when it is short and safe', async () => {
    await using server = await testServer();
    for (const [requestId, expected] of [
      ['my-id.1', /^my-id\.1$/],
      ['a;b', /^[0-9a-f-]{36}$/],
      ['x'.repeat(65), /^[0-9a-f-]{36}$/],
    ] as const) {
      const { headers } = await sendRequest(server.http2(), '/api/v1/nodes/a', { 'audit-id': requestId });
      assert.match(String(headers['audit-id']), expected);
    }
  });

  it('GOAWAY is sent with the configured probability, and open requests are answered', async () => {
    await using server = await testServer({ limits: { goawayChance: 1 } });
    const session = server.http2();
    const gone = once(session, 'goaway');
    const { headers } = await sendRequest(session, '/api/v1/nodes/a');
    assert.equal(headers[':status'], 200);
    const [code] = await gone;
    assert.equal(code, constants.NGHTTP2_NO_ERROR);
  });

  it('streams that arrive after a GOAWAY are refused as not processed, and the server continues', async () => {
    await using server = await testServer({ limits: { goawayChance: 1 } });
    const session = server.http2();
    await once(session, 'connect');
    const codes = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const stream = session.request({ ':path': '/api/v1/nodes/a', authorization: 'Bearer secret' });
        stream.on('error', () => undefined);
        stream.resume();
        await once(stream, 'close').catch(() => undefined);
        return stream.rstCode;
      }),
    );
    const { NGHTTP2_NO_ERROR: answered, NGHTTP2_REFUSED_STREAM: refused } = constants;
    assert.deepEqual([...new Set(codes)].sort(), [answered, refused].sort());
    const { headers } = await sendRequest(server.http2(), '/api/v1/nodes/a');
    assert.equal(headers[':status'], 200);
  });

  it('a stream that is open at a random GOAWAY continues, and another connection is accepted', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await using server = await testServer({
      limits: { goawayChance: 1 },
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink) {
          sink.write(Buffer.from('first,'));
          await isReleased;
          sink.write(Buffer.from('last'));
        },
      }),
    });
    const session = server.http2();
    const gone = once(session, 'goaway');
    const watch = sendRequest(session, '/api/v1/nodes?watch=1');
    await gone;
    const other = sendRequest(server.http2(), '/api/v1/nodes?watch=1');
    release();
    assert.equal((await watch).body, 'first,last');
    assert.equal((await other).body, 'first,last');
  });

  it('a reply to HEAD has a length and no body', async () => {
    await using server = await testServer();
    const { headers, body } = await sendRequest(server.http2(), '/api/v1/nodes/a', { ':method': 'HEAD' });
    assert.deepEqual([headers['content-length'], body], ['8', '']);
  });

  it('a request without credentials is answered with 401', async () => {
    await using server = await testServer();
    const { headers, body } = await sendRequest(server.http2(), '/api/v1/nodes/a', {
      authorization: 'Bearer other',
    });
    assert.deepEqual([headers[':status'], JSON.parse(body).reason], [401, 'Unauthorized']);
  });

  for (const [what, fields] of [
    ['announced by its length', { 'content-length': '200000' }],
    ['of unknown length', {}],
  ] as const) {
    it(`a body beyond the limit ${what} is refused with 413, and the connection is kept`, async () => {
      await using server = await testServer({
        resources: async ({ request }) => ({
          kind: 'bytes',
          status: 200,
          headers: {},
          body: await request.body(1000),
        }),
      });
      const session = server.http2();
      const answer = await sendRequest(
        session,
        '/api/v1/nodes',
        { ':method': 'POST', ...fields },
        Buffer.alloc(200_000),
      );
      assert.deepEqual(
        [answer.headers[':status'], JSON.parse(answer.body).reason],
        [413, 'RequestEntityTooLarge'],
      );
      assert.equal((await sendRequest(session, '/api/v1/nodes', { ':method': 'POST' }, 'ok')).body, 'ok');
    });
  }

  it('large bodies obey the flow control of a slow client', async () => {
    const slice = Buffer.alloc(50_000, 'x');
    await using server = await testServer({
      resources: () => ({
        kind: 'chunks',
        status: 200,
        headers: {},
        chunks: Array.from({ length: 100 }, () => slice),
      }),
    });
    const stream = server.http2().request({ ':path': '/api/v1/nodes', ...secret });
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(size, 5_000_000);
  });

  it('streams have no HTTP/1.1 framing, and abort when the client disconnects', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { signal }) {
          sink.writeFramed(['one', 'two'].map((text) => frameChunk(Buffer.from(text))));
          await once(signal, 'abort');
          resolve();
        },
      }),
    });
    const stream = server.http2().request({ ':path': '/api/v1/nodes?watch=1', ...secret });
    let text = '';
    for await (const chunk of stream) {
      text += chunk;
      if (text === 'onetwo') stream.close(constants.NGHTTP2_CANCEL);
    }
    await left;
  });

  it('a session ends when its client ends its side of the socket, with or without streams', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(_sink: BodySink, { signal }) {
          await once(signal, 'abort');
          resolve();
        },
      }),
    });
    const socket = connectTls({
      socket: connectTcp({ port: server.port, allowHalfOpen: true }),
      ca: servingTls.cert,
      servername: 'localhost',
      ALPNProtocols: ['h2'],
    });
    await once(socket, 'secureConnect');
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { createConnection: () => socket });
    session.on('error', () => undefined);
    const stream = session.request({ ':path': '/api/v1/nodes?watch=1', ...secret });
    stream.on('error', () => undefined);
    await once(stream, 'response');
    socket.end();
    await left;
    await server.listener.drain(new AbortController().signal);
    session.destroy();
  });

  for (const code of [constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_CANCEL]) {
    it(`a stream that its client resets with code ${code} is aborted`, async () => {
      const { promise: left, resolve } = Promise.withResolvers<void>();
      await using server = await testServer({
        resources: () => ({
          kind: 'stream',
          status: 200,
          headers: {},
          async run(_sink: BodySink, { signal }) {
            await once(signal, 'abort');
            resolve();
          },
        }),
      });
      const stream = server.http2().request({ ':path': '/api/v1/nodes?watch=1', ...secret });
      stream.on('error', () => undefined);
      await once(stream, 'response');
      stream.close(code);
      await left;
    });
  }

  it('a stream whose client reads nothing is closed', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<unknown>();
    await using server = await testServer({
      limits: { stallTimeoutMs: 50 },
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { signal }) {
          const frame = frameChunk(Buffer.alloc(64 * 1024));
          try {
            for (;;) if (!sink.writeFramed([frame])) await sink.drained(signal);
          } catch (error) {
            resolve(error);
          }
        },
      }),
    });
    const stream = server.http2().request({ ':path': '/api/v1/nodes?watch=1', ...secret });
    stream.on('error', () => undefined);
    stream.pause();
    assert.match(String(await gone), /the client closed the connection/);
  });

  it('a connection that opens streams only to reset them is closed', async () => {
    await using server = await testServer({
      limits: { streamResetBurst: 20, streamResetsPerSecond: 1 },
      resources: () => new Promise(() => undefined),
    });
    const session = server.http2();
    const [code] = await new Promise<[number]>((resolve) => {
      session.on('goaway', (...args: [number]) => resolve(args));
      for (let count = 0; count < 60; count++) {
        const stream = session.request({ ':path': '/api/v1/nodes', ...secret });
        stream.on('error', () => undefined);
        stream.on('ready', () => stream.close(constants.NGHTTP2_CANCEL));
      }
    });
    assert.equal(code, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });

  it('a drain sends GOAWAY and lets open requests finish', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: async () => {
        arrived.resolve();
        await promise;
        return { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('late') };
      },
    });
    const session = server.http2();
    const goaway = once(session, 'goaway');
    const answer = sendRequest(session, '/api/v1/nodes');
    await arrived.promise;
    const drained = server.listener.drain(new AbortController().signal);
    await goaway;
    resolve();
    assert.equal((await answer).body, 'late');
    await drained;
  });

  it('a malformed path does not affect the connection', async () => {
    await using server = await testServer();
    const session = server.http2();
    for (const path of ['/a/../b', '/%2f', '/a%00', `/${'a'.repeat(9000)}`]) {
      assert.equal((await sendRequest(session, path)).headers[':status'], 400, path.slice(0, 10));
    }
    assert.equal((await sendRequest(session, '/api/v1/nodes/a')).headers[':status'], 200);
  });
});
