import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { ChunksReply } from '@orch/request';
import { SLICE_BYTES } from './shared/slice-pool.ts';
import { head, reader, testServer } from './testing/test-server.ts';

const get = head('GET /api/v1/pods/a HTTP/1.1');

const chunked = (source: () => ChunksReply['chunks'], length?: number): ChunksReply => ({
  kind: 'chunks',
  status: 200,
  headers: {},
  chunks: source(),
  ...(length === undefined ? {} : { length }),
});

describe('bodies over HTTP/1.1', () => {
  it('bodies of unknown length are chunked, others have a Content-Length', async () => {
    let cleanedUp = 0;
    function* chunks(count: number) {
      try {
        for (let index = 0; index < count; index++) yield Buffer.from(`[${index}]`);
      } finally {
        cleanedUp++;
      }
    }
    await using server = await testServer({
      resources: ({ info }) => chunked(() => chunks(3), info.name === 'known' ? 9 : undefined),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/nodes/known HTTP/1.1'));
    await received.until(/Content-Length: 9\r\n\r\n\[0\]\[1\]\[2\]$/);
    socket.write(head('GET /api/v1/nodes/unknown HTTP/1.1'));
    await received.until(/Transfer-Encoding: chunked\r\n\r\n9\r\n\[0\]\[1\]\[2\]\r\n0\r\n\r\n$/);
    assert.equal(cleanedUp, 2);
  });

  it('a body that fails half-way closes the connection and is logged', async () => {
    await using server = await testServer({
      resources: () =>
        chunked(function* () {
          yield Buffer.alloc(100_000, 'x');
          throw new Error('half way');
        }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(get);
    await received.closed;
    assert.doesNotMatch(received.text(), /\r\n0\r\n\r\n$/);
    assert.match(JSON.stringify(server.logged), /a reply was interrupted.*half way/);
  });

  it('small chunks are coalesced and large ones are passed on, regardless of their sizes', async () => {
    const sizes = [1, 70_000, 300_000, 5, 0, 262_144, 100, 65_536, 200_000, 200_000, 7];
    const whole = Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, 97 + index)));
    await using server = await testServer({
      resources: () =>
        chunked(async function* () {
          let at = 0;
          for (const size of sizes) {
            yield whole.subarray(at, at + size);
            at += size;
          }
        }, whole.length),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods HTTP/1.1', 'Connection: close'));
    await received.closed;
    assert.equal(received.text().split('\r\n\r\n')[1], whole.toString('latin1'));
  });

  it('large replies are compressed only for clients that accept gzip', async () => {
    const large = Buffer.from(JSON.stringify(Array.from({ length: 40_000 }, (_, index) => `item ${index}`)));
    await using server = await testServer({
      resources: ({ info }) =>
        info.name === 'bytes'
          ? { kind: 'bytes', status: 200, headers: {}, body: large }
          : {
              kind: 'chunks',
              status: 200,
              headers: { Vary: 'Accept' },
              chunks: [large.subarray(0, 9), large.subarray(9)],
            },
    });
    for (const name of ['bytes', 'chunks']) {
      for (const [accept, isPacked] of [
        ['gzip', true],
        ['deflate, *;q=0.5', true],
        ['gzip;q=0, *', false],
        ['identity', false],
      ] as const) {
        const socket = await server.connect();
        const received = reader(socket);
        socket.write(head(`GET /api/v1/nodes/${name} HTTP/1.0`, `Accept-Encoding: ${accept}`));
        await received.closed;
        const [fields = '', ...rest] = received.text().split('\r\n\r\n');
        const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1');
        assert.equal(/Content-Encoding: gzip/.test(fields), isPacked, `${name} ${accept}`);
        const vary = name === 'chunks' ? 'Accept-Encoding, Accept' : 'Accept-Encoding';
        assert.equal(/Vary: (.*)\r\n/.exec(`${fields}\r\n`)?.[1], vary);
        assert.ok((isPacked ? gunzipSync(body) : body).equals(large));
      }
    }
  });

  it('short bodies of unknown length are sent with their length and not compressed', async () => {
    let ended = 0;
    await using server = await testServer({
      resources: ({ info }) =>
        chunked(function* () {
          try {
            yield Buffer.from('short ');
            if (info.name === 'failing') throw new Error('the source fails');
            yield Buffer.from('body');
          } finally {
            ended += 1;
          }
        }),
    });
    const get = async (name: string): Promise<string> => {
      const socket = await server.connect();
      const received = reader(socket);
      socket.write(head(`GET /api/v1/nodes/${name} HTTP/1.1`, 'Connection: close', 'Accept-Encoding: gzip'));
      await received.closed;
      return received.text();
    };
    const whole = await get('whole');
    assert.match(whole, /Content-Length: 10\r\n/);
    assert.doesNotMatch(whole, /Content-Encoding/);
    assert.ok(whole.endsWith('\r\n\r\nshort body'));
    // The client must be able to tell that the body is incomplete: it has no end.
    assert.doesNotMatch(await get('failing'), /\r\n0\r\n/);
    assert.match(await get('whole'), /short body$/);
    assert.equal(ended, 3);
  });

  it('a long body of unknown length ends its source when the client disconnects', async () => {
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    await using server = await testServer({
      resources: () =>
        chunked(function* () {
          try {
            for (;;) yield randomBytes(64 * 1024);
          } finally {
            close();
          }
        }),
    });
    const socket = await server.connect();
    socket.write(head('GET /api/v1/nodes/endless HTTP/1.1', 'Accept-Encoding: gzip'));
    await once(socket, 'data');
    socket.destroy();
    await closed;
  });

  it('concurrent bodies of unknown length arrive complete, however they are split', async () => {
    // Every byte depends on its position, so that a buffer that is reused too early is detected.
    const whole = Buffer.allocUnsafe(4 * SLICE_BYTES);
    for (let at = 0; at < whole.length; at += 4) whole.writeUInt32LE(at, at);
    const sizes = [1, 70_000, SLICE_BYTES - 1, 100, SLICE_BYTES, 17, SLICE_BYTES + 1, 65_536, 3];
    await using server = await testServer({
      resources: () =>
        chunked(function* () {
          let at = 0;
          for (const size of sizes) {
            yield whole.subarray(at, at + size);
            at += size;
          }
          yield whole.subarray(at);
        }),
    });
    const read = async (): Promise<Buffer> => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const options = { port: server.port, path: '/api/v1/pods', rejectUnauthorized: false };
      httpsGet({ ...options, headers: { authorization: 'Bearer secret' } }, resolve).on('error', reject);
      const answer = await promise;
      assert.equal(answer.headers['transfer-encoding'], 'chunked');
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece as Buffer);
      return Buffer.concat(pieces);
    };
    for (const body of await Promise.all(Array.from({ length: 12 }, read)))
      assert.ok(body.equals(whole), 'a body came changed');
  });
});
