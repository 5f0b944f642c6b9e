import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger } from '@orch/machinery/env';
import { type BodySink, frameChunk, localRequest, type Reply, type StreamSignals } from '@orch/request';
import { type Disposal, loopbackBody } from './loopback-body.ts';

function fixture(method = 'GET') {
  let ended = 0;
  const draining = new AbortController();
  const request = localRequest({ method, target: '/' });
  const disposal: Disposal = {
    request,
    draining: draining.signal,
    log: silentLogger,
    onEnd: () => void ended++,
  };
  return {
    request,
    draining,
    disposal,
    endedCount: () => ended,
    bodyOf: (reply: Reply) => loopbackBody(reply, disposal),
  };
}

const text = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  let all = '';
  for await (const piece of body) all += Buffer.from(piece).toString();
  return all;
};

const bytes = (body: string): Reply => ({ kind: 'bytes', status: 200, headers: {}, body: Buffer.from(body) });

interface ChunksEnd {
  sent?: [bytes: number, complete: boolean];
  isReturned: boolean;
}

function chunks(...parts: readonly string[]): { readonly reply: Reply; readonly end: ChunksEnd } {
  const end: ChunksEnd = { isReturned: false };
  function* source(): Generator<Buffer> {
    try {
      for (const part of parts) yield Buffer.from(part);
    } finally {
      end.isReturned = true;
    }
  }
  const onSent = (count: number, complete: boolean): void => {
    assert.equal(end.sent, undefined);
    end.sent = [count, complete];
  };
  return { reply: { kind: 'chunks', status: 200, headers: {}, chunks: source(), onSent }, end };
}

const stream = (run: (sink: BodySink, signals: StreamSignals) => Promise<void>): Reply => ({
  kind: 'stream',
  status: 200,
  headers: {},
  run,
});

describe('the body of a loopback response', () => {
  for (const [title, method, make, expected] of [
    ['the unchanged bytes of a bytes reply', 'GET', () => bytes('whole'), 'whole'],
    ['nothing of an empty bytes reply', 'GET', () => bytes(''), ''],
    ['nothing of a bytes reply to HEAD', 'HEAD', () => bytes('whole'), ''],
    ['chunks in their order', 'GET', () => chunks('a', 'bc', '', 'd').reply, 'abcd'],
    ['no chunks of a reply to HEAD', 'HEAD', () => chunks('a').reply, ''],
  ] as const) {
    it(`the body of a loopback response yields ${title}`, async () => {
      const f = fixture(method);
      assert.equal(await text(f.bodyOf(make())), expected);
      assert.equal(f.endedCount(), 1);
    });
  }

  it('the body of a loopback response reports to a chunked reply whether it was read completely, partly or not at all', async () => {
    const whole = chunks('ab', 'c');
    await text(fixture().bodyOf(whole.reply));
    assert.deepEqual(whole.end, { sent: [3, true], isReturned: true });

    const early = chunks('ab', 'c');
    const f = fixture();
    for await (const piece of f.bodyOf(early.reply)) {
      assert.equal(piece.length, 2);
      break;
    }
    assert.deepEqual(early.end, { sent: [2, false], isReturned: true });
    assert.equal(f.endedCount(), 1);

    const unread = chunks('ab');
    const g = fixture();
    g.bodyOf(unread.reply);
    g.request.cancel(new Error('gone'));
    assert.deepEqual(unread.end.sent, [0, false]);
    assert.equal(g.endedCount(), 1);
  });

  it('the body of a loopback response throws when the request is cancelled between two chunks', async () => {
    const { reply, end } = chunks('a', 'b');
    const f = fixture();
    const pieces = f.bodyOf(reply)[Symbol.asyncIterator]();
    await pieces.next();
    f.request.cancel(new Error('gone'));
    await assert.rejects(async () => pieces.next(), /incomplete: gone/);
    assert.deepEqual(end.sent, [1, false]);
  });

  it('the body of a loopback response yields what a stream writes, framed or not, and ends with it', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async (sink) => {
        sink.write(Buffer.from('one '));
        await Promise.resolve();
        sink.writeFramed([frameChunk(Buffer.from('two ')), frameChunk(Buffer.from('three'))]);
      }),
    );
    assert.equal(await text(body), 'one two three');
    assert.equal(f.endedCount(), 1);
  });

  it('the body suspends a stream until its reader has caught up', async () => {
    const f = fixture();
    let written = 0;
    const piece = Buffer.alloc(16 * 1024);
    const body = f.bodyOf(
      stream(async (sink, { signal }) => {
        while (written < 100) {
          written++;
          if (!sink.write(piece)) await sink.drained(signal);
        }
      }),
    );
    assert.equal(written, 4);
    let read = 0;
    for await (const part of body) read += part.length;
    assert.equal(read, 100 * piece.length);
    assert.equal(f.endedCount(), 1);
  });

  it('the body cancels a stream that writes 16 MiB without a reader', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async (sink, { signal }) => {
        const piece = Buffer.alloc(1024 * 1024);
        for (let count = 0; count < 100 && !signal.aborted; count++) sink.write(piece);
        assert.ok(signal.aborted);
      }),
    );
    await assert.rejects(text(body), /incomplete: the reader is too far behind/);
  });

  it('the body of a loopback response ends a stream whose reader leaves, abandons the body or cancels the request', async () => {
    for (const leave of ['break', 'abandon', 'cancel'] as const) {
      const f = fixture();
      const ended = Promise.withResolvers<void>();
      const body = f.bodyOf(
        stream(async (sink, { signal }) => {
          sink.write(Buffer.from('x'));
          signal.addEventListener('abort', () => ended.resolve());
          await ended.promise;
        }),
      );
      if (leave === 'abandon') body.abandon();
      else if (leave === 'cancel') f.request.cancel(new Error('gone'));
      else for await (const _ of body) break;
      await ended.promise;
      if (leave !== 'break') await assert.rejects(text(body), /incomplete/);
    }
  });

  it('the body of a loopback response throws when a stream fails', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async () => {
        throw new Error('the disk is gone');
      }),
    );
    await assert.rejects(text(body), /incomplete: the disk is gone/);
    assert.equal(f.endedCount(), 1);
  });

  it('a loopback stream is told to complete when the server stops', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async (sink, { draining }) => {
        await new Promise((resolve) => draining.addEventListener('abort', resolve));
        sink.write(Buffer.from('last'));
      }),
    );
    f.draining.abort();
    assert.equal(await text(body), 'last');
  });
});
