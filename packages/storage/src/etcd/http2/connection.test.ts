import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Connection, type ConnectionEvents } from './connection.ts';
import type { StreamEnd, StreamEvents } from './stream.ts';

/** The part of a socket that a connection uses, without a peer. */
class DeadEnd extends EventEmitter {
  readonly written: Buffer[] = [];
  readonly writableLength = 0;
  destroyed = false;

  write(bytes: Buffer): boolean {
    this.written.push(Buffer.from(bytes));
    return true;
  }

  destroy(): void {
    this.destroyed = true;
  }
}

class Recorder implements StreamEvents {
  readonly ends: StreamEnd[] = [];
  bytes = 0;

  field(): void {}

  data(_chunk: Buffer, start: number, end: number): void {
    assert.equal(this.ends.length, 0, 'data after the end');
    this.bytes += end - start;
  }

  end(end: StreamEnd): void {
    this.ends.push(end);
  }
}

const silent: ConnectionEvents = { ready() {}, draining() {}, capacity() {}, closed() {} };
const options = { streamWindowBytes: 10_000, connectionWindowBytes: 200_000 };
const block = Buffer.from([0x83, 0x86, 0x84]);

function frame(type: number, flags: number, streamId: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
}

function opened(streams: number, events = silent) {
  const socket = new DeadEnd();
  const connection = new Connection(socket as unknown as Socket, options, events);
  feed(connection, frame(4, 0, 0, Buffer.alloc(0)));
  const recorders = Array.from({ length: streams }, () => new Recorder());
  for (const recorder of recorders) connection.start(block, Buffer.from('body'), true, recorder);
  return { socket, connection, recorders };
}

function feed(connection: Connection, bytes: Buffer): void {
  connection.receive(bytes, bytes.length);
}

describe('a connection', () => {
  it('a connection ends every stream exactly once, for any sequence of frames', () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(Buffer.from([0x88]), Buffer.alloc(4), Buffer.alloc(8), Buffer.from([0, 0, 0, 1])),
    );
    const anyFrame = fc
      .tuple(
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 12 }),
        payload,
      )
      .map(([type, flags, id, bytes]) => frame(type, flags, id, bytes));
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 20 }), (frames) => {
        const { connection, recorders, socket } = opened(4);
        for (const bytes of frames) feed(connection, bytes);
        connection.close();
        assert.ok(socket.destroyed);
        for (const recorder of recorders) assert.equal(recorder.ends.length, 1);
      }),
    );
  });

  const data = (id: number, size: number) => frame(0, 0, id, Buffer.alloc(size));
  for (const [title, frames] of [
    ['does not begin with SETTINGS', []],
    ['sends more than its window', [data(1, 16_000)]],
    ['refers to a stream that was never opened', [data(9, 1)]],
    ['opens a stream itself', [data(2, 1)]],
    ['pushes', [frame(5, 4, 1, Buffer.from([0, 0, 0, 2, 0x88]))]],
    ['interrupts a header block', [frame(1, 0, 1, Buffer.from([0x88])), frame(6, 0, 0, Buffer.alloc(8))]],
    ['continues a header block that was not started', [frame(9, 4, 1, Buffer.from([0x88]))]],
    ['sends empty CONTINUATION frames', [frame(1, 0, 1, Buffer.alloc(0)), frame(9, 0, 1, Buffer.alloc(0))]],
    ['increments a window beyond its limit', [frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))]],
    ['increments the window of the connection by 0', [frame(8, 0, 0, Buffer.alloc(4))]],
    ['sends an initial window beyond the limit', [frame(4, 0, 0, Buffer.from('0004ffffffff', 'hex'))]],
    ['announces a frame size below the minimum', [frame(4, 0, 0, Buffer.from('000500000001', 'hex'))]],
    ['sends truncated SETTINGS', [frame(4, 0, 0, Buffer.alloc(5))]],
    ['acknowledges SETTINGS with content', [frame(4, 1, 0, Buffer.alloc(6))]],
    ['sends a PING that is too short', [frame(6, 0, 0, Buffer.alloc(7))]],
  ] as const) {
    it(`a connection closes when the peer ${title}`, () => {
      let cause: Error | undefined;
      const events = {
        ...silent,
        closed: (error: Error | undefined) => {
          cause = error;
        },
      };
      if (frames.length === 0) {
        const socket = new DeadEnd();
        feed(new Connection(socket as unknown as Socket, options, events), frame(6, 0, 0, Buffer.alloc(8)));
        assert.ok(cause !== undefined && socket.destroyed);
        return;
      }
      const { connection, recorders, socket } = opened(1, events);
      for (const bytes of frames) feed(connection, bytes);
      assert.equal(cause?.name, 'Http2Error');
      assert.ok(connection.closed && socket.destroyed);
      assert.equal(recorders[0]?.ends[0]?.kind, 'lost');
      assert.equal(socket.written.at(-1)?.at(-17 + 3), 7, 'the peer receives the error code');
    });
  }

  it('a connection ignores frames for streams that have ended, and counts their content', () => {
    const { connection, recorders } = opened(2);
    feed(connection, frame(3, 0, 1, Buffer.from([0, 0, 0, 8])));
    for (let i = 0; i < 30; i++) feed(connection, data(1, 16_000));
    feed(connection, frame(1, 4, 1, Buffer.from([0x88])));
    feed(connection, frame(8, 0, 1, Buffer.from([0, 0, 0, 1])));
    assert.deepEqual([connection.closed, recorders[0]?.ends.length, recorders[0]?.bytes], [false, 1, 0]);
  });
});
