import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { isTransportError } from '../transport/transport.ts';
import { opcode } from './frames.ts';
import { WebSocketConnection } from './web-socket.ts';

const LIMIT = 16 * 1024 * 1024;

/** A frame that a server sends. */
function frame(kind: number, payload: Uint8Array, isLast = true): Buffer {
  const size = payload.byteLength;
  const first = (isLast ? 0x80 : 0) | kind;
  if (size < 126) return Buffer.concat([Buffer.from([first, size]), payload]);
  const head = Buffer.alloc(size < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = size < 65_536 ? 126 : 127;
  if (size < 65_536) head.writeUInt16BE(size, 2);
  else head.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([head, payload]);
}

const binary = (payload: Uint8Array): Buffer => frame(opcode.binary, payload);
const close = frame(opcode.close, Buffer.from([0x03, 0xe8]));

interface Connected {
  readonly socket: WebSocketConnection;
  readonly sent: Buffer[];
}

/** A connection to a server that has sent some chunks; it ends after them. */
function connected(chunks: Iterable<Uint8Array>): Connected {
  const sent: Buffer[] = [];
  const all = chunks[Symbol.iterator]();
  const duplex = new Duplex({
    read() {
      const { done, value } = all.next();
      this.push(done === true ? null : value);
    },
    write(chunk: Buffer, _, done) {
      sent.push(chunk);
      done();
    },
  });
  return { socket: new WebSocketConnection(duplex, '', seededRandom(1)), sent };
}

async function messages({ socket }: Connected): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const message of socket.messages()) all.push(message);
  return all;
}

function* bytewise(all: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < all.length; at += 1) yield all.subarray(at, at + 1);
}

const filled = (size: number): Buffer => Buffer.alloc(size, 'x');

describe('the client end of a WebSocket', () => {
  for (const size of [0, 1, 125, 126, 65_535, 65_536, 200_000]) {
    it(`a message of ${size} bytes arrives whole, in one chunk and byte by byte`, async () => {
      const sent = Buffer.concat([binary(filled(size)), binary(Buffer.from('next')), close]);
      for (const chunks of [[sent], bytewise(sent)])
        assert.deepEqual(await messages(connected(chunks)), [filled(size), Buffer.from('next')]);
    });
  }

  it('a message in very many parts arrives whole, also with empty parts', async () => {
    const part = frame(opcode.continuation, Buffer.from('x'), false);
    const empty = frame(opcode.continuation, Buffer.alloc(0), false);
    const sent = [
      frame(opcode.binary, Buffer.from('x'), false),
      ...Array.from({ length: 300_000 }, () => part),
      ...Array.from({ length: 1_000 }, () => empty),
      frame(opcode.continuation, Buffer.alloc(0)),
      close,
    ];
    const [message] = await messages(connected([Buffer.concat(sent)]));
    assert.equal(message?.length, 300_001);
  });

  it('a ping between the parts of a message is answered', async () => {
    const sent = [
      frame(opcode.binary, Buffer.from('a'), false),
      frame(opcode.ping, Buffer.from('?')),
      frame(opcode.continuation, Buffer.from('b')),
      close,
    ];
    const test = connected(sent);
    assert.deepEqual(await messages(test), [Buffer.from('ab')]);
    assert.equal((test.sent[0]?.[0] ?? 0) & 0x0f, opcode.pong);
  });

  for (const [title, chunks] of [
    ['that ends without a close frame', [binary(filled(3))]],
    ['with a masked frame', [Buffer.from([0x82, 0x80, 0, 0, 0, 0])]],
    ['with a reserved bit', [Buffer.from([0xc2, 0])]],
    ['that announces a message beyond the limit', [binary(filled(LIMIT + 1)).subarray(0, 100)]],
    [
      'whose parts are larger than the limit together',
      [frame(opcode.binary, filled(LIMIT), false), frame(opcode.continuation, filled(1))],
    ],
  ] as const) {
    it(`a connection ${title} ends with a TransportError`, async () => {
      await assert.rejects(messages(connected(chunks)), isTransportError);
    });
  }
});
