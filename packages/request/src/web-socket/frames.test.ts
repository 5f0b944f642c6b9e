import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ClientFrames, closeFrame, frameHead, opcode } from './frames.ts';

const MASK = Buffer.from([1, 2, 3, 4]);

/** A frame of a client; `first` replaces its first byte. */
function masked(kind: number, payload: Buffer, first = 0x80 | kind): Buffer {
  const head = frameHead(kind, payload.length);
  head[0] = first;
  head[1] = 0x80 | (head[1] ?? 0);
  return Buffer.concat([head, MASK, Buffer.from(payload.map((byte, i) => byte ^ (MASK[i & 3] ?? 0)))]);
}

/** The frames that a reader reports for chunks. */
function reportOf(chunks: readonly Buffer[]): readonly string[] {
  const report: string[] = [];
  const frames = new ClientFrames({
    ping: (payload) => report.push(`ping ${payload}`),
    close: (code) => report.push(`close ${code}`),
  });
  for (const chunk of chunks) frames.take(chunk);
  return report;
}

const inPieces = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

const MEGABYTE = 1024 * 1024;

describe('frames of a WebSocket client', () => {
  const conversation = Buffer.concat([
    masked(opcode.text, Buffer.from('skipped')),
    masked(opcode.ping, Buffer.from('one')),
    masked(opcode.binary, Buffer.alloc(70_000, 7)),
    masked(opcode.pong, Buffer.alloc(0)),
    masked(opcode.ping, Buffer.alloc(0)),
    masked(opcode.close, Buffer.from([3, 232])),
    masked(opcode.ping, Buffer.from('late')),
  ]);

  it('pings and the close are reported in any division into chunks, and messages are skipped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80_000 }), (size) => {
        assert.deepEqual(reportOf(inPieces(conversation, size)), ['ping one', 'ping ', 'close 1000']);
      }),
      { numRuns: 30 },
    );
  });

  for (const [title, bytes] of [
    ['an unmasked frame', Buffer.concat([frameHead(opcode.ping, 0), Buffer.alloc(4)])],
    ['a frame with reserved bits', masked(opcode.text, Buffer.from('x'), 0xc1)],
    ['a frame of an unknown kind', masked(5, Buffer.from('x'))],
    ['a control frame in parts', masked(opcode.ping, Buffer.from('x'), opcode.ping)],
    ['a control frame of more than 125 bytes', masked(opcode.ping, Buffer.alloc(126))],
  ] as const)
    it(`${title} closes the connection with 1002`, () => {
      assert.deepEqual(reportOf([bytes, masked(opcode.ping, Buffer.from('late'))]), ['close 1002']);
    });

  it('a message that announces exabytes is skipped without a buffer', () => {
    const head = Buffer.from([0x82, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, ...MASK]);
    const before = process.memoryUsage().arrayBuffers;
    const chunk = Buffer.alloc(MEGABYTE);
    assert.deepEqual(reportOf([head, ...Array.from({ length: 64 }, () => chunk)]), []);
    assert.ok(process.memoryUsage().arrayBuffers - before < 8 * MEGABYTE);
  });

  it('heads of frames announce every length in the shortest form', () => {
    for (const [size, bytes] of [
      [0, '8100'],
      [125, '817d'],
      [126, '817e007e'],
      [65_535, '817effff'],
      [65_536, '817f0000000000010000'],
    ] as const)
      assert.equal(frameHead(opcode.text, size).toString('hex'), bytes);
    assert.equal(closeFrame(1000).toString('hex'), '880203e8');
  });
});
