import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger } from '@orch/machinery';
import { type BodySink, frameChunk, localRequest, type Reply, type StreamSignals } from '@orch/request';
import { type Disposal, localBody } from './local-body.ts';

function fixture(method = 'GET') {
  let over = 0;
  const draining = new AbortController();
  const request = localRequest({ method, target: '/' });
  const disposal: Disposal = {
    request,
    draining: draining.signal,
    log: silentLogger,
    over: () => void over++,
  };
  return {
    request,
    draining,
    disposal,
    over: () => over,
    bodyOf: (reply: Reply) => localBody(reply, disposal),
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

describe('the body of a local answer', () => {
  for (const [title, method, make, expected] of [
    ['bytes as they are', 'GET', () => bytes('whole'), 'whole'],
    ['nothing of empty bytes', 'GET', () => bytes(''), ''],
    ['nothing after HEAD', 'HEAD', () => bytes('whole'), ''],
    ['chunks in order', 'GET', () => chunks('a', 'bc', '', 'd').reply, 'abcd'],
    ['no chunks after HEAD', 'HEAD', () => chunks('a').reply, ''],
  ] as const) {
    it(`gives ${title}`, async () => {
      const f = fixture(method);
      assert.equal(await text(f.bodyOf(make())), expected);
      assert.equal(f.over(), 1);
    });
  }

  it('tells a chunked reply how it ended: whole, left early, or never begun', async () => {
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
    assert.equal(f.over(), 1);

    const unread = chunks('ab');
    const g = fixture();
    g.bodyOf(unread.reply);
    g.request.cancel(new Error('gone'));
    assert.deepEqual(unread.end.sent, [0, false]);
    assert.equal(g.over(), 1);
  });

  it('breaks off when the request is cancelled between two chunks', async () => {
    const { reply, end } = chunks('a', 'b');
    const f = fixture();
    const pieces = f.bodyOf(reply)[Symbol.asyncIterator]();
    await pieces.next();
    f.request.cancel(new Error('gone'));
    await assert.rejects(async () => pieces.next(), /broke off: gone/);
    assert.deepEqual(end.sent, [1, false]);
  });

  it('gives what a stream writes, framed or not, and its end', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async (sink) => {
        sink.write(Buffer.from('one '));
        await Promise.resolve();
        sink.writeFramed([frameChunk(Buffer.from('two ')), frameChunk(Buffer.from('three'))]);
      }),
    );
    assert.equal(await text(body), 'one two three');
    assert.equal(f.over(), 1);
  });

  it('holds a stream back until its reader has caught up', async () => {
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
    assert.equal(f.over(), 1);
  });

  it('cuts a stream off that writes on and on without a reader', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async (sink, { signal }) => {
        const piece = Buffer.alloc(1024 * 1024);
        for (let count = 0; count < 100 && !signal.aborted; count++) sink.write(piece);
        assert.ok(signal.aborted);
      }),
    );
    await assert.rejects(text(body), /broke off: the reader is too far behind/);
  });

  it('ends a stream whose reader leaves, gives it up, or is gone', async () => {
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
      if (leave !== 'break') await assert.rejects(text(body), /broke off/);
    }
  });

  it('breaks off with a stream that fails', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async () => {
        throw new Error('the disk is gone');
      }),
    );
    await assert.rejects(text(body), /broke off: the disk is gone/);
    assert.equal(f.over(), 1);
  });

  it('asks a stream for a clean end when the server stops', async () => {
    const f = fixture();
    const body = f.bodyOf(
      stream(async (sink, { draining }) => {
        await new Promise((resolve) => draining.addEventListener('abort', resolve));
        sink.write(Buffer.from('goodbye'));
      }),
    );
    f.draining.abort();
    assert.equal(await text(body), 'goodbye');
  });
});
