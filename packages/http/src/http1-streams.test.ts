import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import tls from 'node:tls';
import { type BodySink, frameChunk } from '@orch/request';
import { servingTls } from './testing/serving-tls.ts';
import { head, reader, testServer } from './testing/test-server.ts';

describe('streams over HTTP/1.1', () => {
  const frames = ['one', 'two'].map((text) => frameChunk(Buffer.from(text)));

  it('frames are sent unchanged, and the stream ends cleanly when its writer returns', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink) {
          sink.writeFramed(frames);
          sink.write(Buffer.from('three'));
        },
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await received.until(/\r\n\r\n3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n$/);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await received.until(/0\r\n\r\nHTTP[\s\S]*0\r\n\r\n$/);
  });

  it('frames that are written together are one record of TLS', async () => {
    const go = Promise.withResolvers<void>();
    const received = Promise.withResolvers<void>();
    const events = Array.from({ length: 20 }, (_, i) => frameChunk(Buffer.from(`event ${i}`)));
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink) {
          sink.write(Buffer.from('ready'));
          await go.promise;
          sink.writeFramed(events);
          await received.promise;
        },
      }),
    });
    const tcp = net.connect(server.port, '127.0.0.1');
    let encrypted = 0;
    const wire = new Duplex({
      read: () => undefined,
      write: (chunk, _, done) => tcp.write(chunk, done),
      destroy: (error, done) => done(tcp.destroy(error ?? undefined) && error),
    });
    tcp.on('data', (chunk: Buffer) => {
      encrypted += chunk.length;
      wire.push(chunk);
    });
    const socket = tls.connect({ socket: wire, ca: servingTls.cert, ALPNProtocols: ['http/1.1'] });
    const reading = reader(socket);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await reading.until(/ready\r\n$/);
    const before = encrypted;
    go.resolve();
    await reading.until(/event 19\r\n$/);
    const plain = events.reduce((total, { length }) => total + length, 0);
    // Header, type and authentication tag of a record take 22 bytes.
    assert.equal(encrypted - before - plain, 22);
    received.resolve();
    socket.destroy();
    tcp.destroy();
  });

  it('HTTP/1.0 clients receive raw bytes without chunk framing', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        run: async (sink) => void sink.writeFramed(frames),
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.0'));
    await received.closed;
    assert.match(received.text(), /\r\n\r\nonetwo$/);
  });

  it('a slow client is reported to the stream, and a stalled client is disconnected', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<string>();
    let accepted = 0;
    await using server = await testServer({
      limits: { stallTimeoutMs: 50 },
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { signal }) {
          const frame = frameChunk(Buffer.alloc(64 * 1024));
          try {
            for (;;) {
              accepted++;
              if (!sink.writeFramed([frame])) await sink.drained(signal);
            }
          } catch (error) {
            resolve(String(error));
          }
        },
      }),
    });
    const socket = await server.connect();
    socket.pause();
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    assert.match(await gone, /the client closed the connection/);
    assert.ok(accepted < 500, `${accepted} frames were taken from an unread stream`);
  });

  it('a client is disconnected at once when a stream ignores back-pressure', async () => {
    await using server = await testServer({
      limits: { maxUnsentBytes: 1024 * 1024 },
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { signal }) {
          const frame = frameChunk(Buffer.alloc(64 * 1024));
          for (let count = 0; count < 1000 && !signal.aborted; count++) sink.writeFramed([frame]);
        },
      }),
    });
    const socket = await server.connect();
    socket.pause();
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await once(socket.resume(), 'close');
  });

  it('the reply of a stream that is the last one of its connection has Connection: close, and the connection ends with it', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        isLast: true,
        async run(sink: BodySink) {
          sink.write(Buffer.from('bye'));
        },
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    const ended = once(socket, 'end');
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await ended;
    assert.match(received.text(), /\r\nConnection: close\r\n[\s\S]*3\r\nbye\r\n0\r\n\r\n$/);
  });

  it('a drain requests a clean end of all streams', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { draining }) {
          await once(draining, 'abort');
          sink.write(Buffer.from('bye'));
        },
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await received.until(/200 OK/);
    await server.listener.drain(new AbortController().signal);
    await received.closed;
    assert.match(received.text(), /3\r\nbye\r\n0\r\n\r\n$/);
  });
});
