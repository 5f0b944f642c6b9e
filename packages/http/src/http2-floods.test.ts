import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { AcceptedSockets } from './testing/accepted-sockets.ts';
import {
  closed,
  END_HEADERS,
  END_STREAM,
  frame,
  http2Socket,
  preface,
  requestFields,
} from './testing/http2-frames.ts';
import { type TestServer, testServer } from './testing/test-server.ts';

/** Two bursts of reads of one connection between two turns of the event loop; libuv reads up to 32 times 64 KiB in one. */
const BURST_BYTES = 2 * 32 * 64 * 1024;
const FLOOD_BYTES = 8 * BURST_BYTES;

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const priority = (stream: number, dependsOn: number): Buffer =>
  frame('priority', stream, 0, Buffer.concat([u32(dependsOn), Buffer.from([15])]));
const openStream = frame('headers', 1, END_HEADERS, requestFields('/api/v1/nodes', 'POST'));

/** The same frame until the connection ends. */
function* repeated(piece: Buffer): Generator<Buffer> {
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(200_000 / piece.length) }, () => piece));
  for (;;) yield chunk;
}

/** Requests, each reset at once. Their heads are five bytes long: the fields are in the table of the first one. */
function resets(): Buffer[] {
  const first = frame(
    'headers',
    1,
    END_STREAM | END_HEADERS,
    requestFields('/api/v1/nodes/reset', 'GET', true),
  );
  const fields = Buffer.from([66, 65, 64, 63, 62].map((index) => 0x80 | index));
  const cancel = frame('rst', 0, 0, u32(constants.NGHTTP2_CANCEL));
  const pair = Buffer.concat([frame('headers', 0, END_STREAM | END_HEADERS, fields), cancel]);
  const chunks = [first];
  for (let stream = 3, bytes = 0; bytes < 2 * BURST_BYTES; bytes += chunks.at(-1)?.length ?? 0) {
    const chunk = Buffer.concat(Array.from({ length: 8000 }, () => pair));
    for (let at = 0; at < chunk.length; at += pair.length, stream += 2) {
      for (const id of [at + 5, at + pair.length - 8]) chunk.writeUInt32BE(stream, id);
    }
    chunks.push(chunk);
  }
  return chunks;
}

/** The chunks in turn, for several connections. */
function* taken(chunks: readonly Buffer[]): Generator<Buffer> {
  yield* chunks;
}

/** Sends until the server has closed the connection, or has read everything. Returns the bytes that the server read. */
async function attack(
  socket: TLSSocket,
  accepted: AcceptedSockets,
  pieces: Iterable<Buffer>,
): Promise<number> {
  const server = accepted.of(socket);
  let isOver = false;
  const over = Promise.race([closed(socket), once(server, 'close')]).then(() => (isOver = true));
  socket.write(preface);
  for (const piece of pieces) {
    if (isOver || server.bytesRead > FLOOD_BYTES) break;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), over]);
    else await new Promise(setImmediate);
  }
  const { bytesRead } = server;
  socket.destroy();
  return bytesRead;
}

async function isServed(server: TestServer): Promise<void> {
  const stream = server.http2().request({ ':path': '/api/v1/nodes/other', authorization: 'Bearer secret' });
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  assert.equal(headers[':status'], 200);
}

describe('floods of HTTP/2 frames', { timeout: 60_000 }, () => {
  // The deadline after the last byte of the server does not help here: the tests count bytes.
  const limits = { lingerTimeoutMs: 600_000 };

  it('connections that reset too many streams are not read any further, and another user is served meanwhile', async () => {
    let handled = 0;
    await using server = await testServer({
      limits,
      resources: ({ info }) => {
        if (info.name === 'reset') handled++;
        return { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('{}') };
      },
    });
    using accepted = new AcceptedSockets(server.port);
    const flood = resets();
    const sockets = await Promise.all(
      Array.from({ length: 8 }, () => http2Socket(server.port, { allowHalfOpen: true })),
    );
    const ends = sockets.map((socket) => accepted.of(socket));
    const attacks = sockets.map((socket) => attack(socket, accepted, taken(flood)));
    await isServed(server);
    const beforeAnswer = Math.max(...ends.map(({ bytesRead }) => bytesRead));
    assert.ok(beforeAnswer <= BURST_BYTES, `${beforeAnswer} bytes were read before the answer`);
    const mostRead = Math.max(...(await Promise.all(attacks)));
    assert.ok(mostRead <= BURST_BYTES, `${mostRead} bytes were read`);
    // The budget is five hundred: most of these streams are reset before their turn.
    assert.ok(handled <= 8 * 100, `${handled} requests that were reset at once reached the handler`);
  });

  for (const [what, pieces] of [
    ['makes a stream depend on itself', repeated(priority(3, 3))],
    ['sends priorities of streams that do not exist', repeated(priority(3, 1))],
    ['sends empty SETTINGS', repeated(frame('settings', 0))],
    ['sends PING', repeated(frame('ping', 0, 0, Buffer.alloc(8)))],
    ['acknowledges PINGs that were not sent', repeated(frame('ping', 0, 1, Buffer.alloc(8)))],
    ['adds nothing to the window', repeated(frame('windowUpdate', 0, 0, u32(0)))],
    ['sends PING of seven bytes', repeated(frame('ping', 0, 0, Buffer.alloc(7)))],
    ['sends PRIORITY of four bytes', repeated(frame('priority', 3, 0, u32(1)))],
    ['resets streams that do not exist', repeated(frame('rst', 5, 0, u32(8)))],
  ] as const) {
    it(`a client that ${what} is disconnected without being read any further, and counted`, async () => {
      await using server = await testServer({ limits });
      using accepted = new AcceptedSockets(server.port);
      const bytesRead = await attack(
        await http2Socket(server.port, { allowHalfOpen: true }),
        accepted,
        pieces,
      );
      assert.ok(bytesRead <= BURST_BYTES, `${bytesRead} bytes were read`);
      await isServed(server);
    });
  }

  for (const [what, pieces] of [
    ['sends GOAWAY', [frame('goaway', 0, 0, Buffer.alloc(8))]],
    ['adds one byte to the window of the connection', [frame('windowUpdate', 0, 0, u32(1))]],
    ['adds one byte to the window of a stream', [openStream, frame('windowUpdate', 1, 0, u32(1))]],
    ['sends DATA without bytes', [openStream, frame('data', 1)]],
    ['sends DATA with padding only', [openStream, frame('data', 1, 8, Buffer.alloc(200, 199))]],
    [
      'repeats its SETTINGS',
      [
        frame(
          'settings',
          0,
          0,
          Buffer.concat(Array.from({ length: 30 }, () => Buffer.from([0, 4, 0, 0, 9, 9]))),
        ),
      ],
    ],
  ] as const) {
    it(`a client that ${what} again and again is disconnected`, async () => {
      await using server = await testServer({
        limits: {
          ...limits,
          inspectionIntervalMs: 20,
          overheadBurstBytes: 100_000,
          overheadBytesPerSecond: 1000,
        },
        resources: async ({ request }) => {
          await request.body(1000);
          throw new Error('unreachable');
        },
      });
      using accepted = new AcceptedSockets(server.port);
      const socket = await http2Socket(server.port, { allowHalfOpen: true });
      const end = once(accepted.of(socket), 'close');
      const last = pieces.at(-1) ?? Buffer.alloc(0);
      socket.write(Buffer.concat([preface, ...pieces.slice(0, -1)]));
      await Promise.race([end, writeAll(socket, repeated(last))]);
      await end;
    });
  }
});

/** Writes as fast as the other end reads. */
async function writeAll(socket: TLSSocket, pieces: Iterable<Buffer>): Promise<void> {
  const end = closed(socket);
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), end]);
    else await new Promise(setImmediate);
  }
}
