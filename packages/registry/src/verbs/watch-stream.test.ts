import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { chunkPayload, frameChunk } from '@orch/request';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { WatchStream, type WatchStreamOptions } from './watch-stream.ts';

describe('the stream of a watch', () => {
  const item = (name: string) => ({
    type: 'ADDED' as const,
    rev: 1,
    object: undefined as never,
    encoded: () => Buffer.from(`${(name.length + 1).toString(16)}\r\n${name}\n\r\n`),
  });
  const options = (api: RegistryFixture): WatchStreamOptions => ({
    frames: {
      encoder: () => ({ id: '', encode: () => Buffer.alloc(0) }),
      bookmark: () => Buffer.alloc(0),
      error: (status) => frameChunk(Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)),
    },
    clock: api.env.clock,
    timeoutMs: 60_000,
    events: { inc() {} },
    sizes: { observe() {} },
  });

  it('a watch stream holds events until it is open and the client has read them, and only then resumes the cache', async () => {
    await using api = await RegistryFixture.open();
    const stream = new WatchStream(options(api));
    let resumed = 0;
    let closed = 0;
    stream.attach({ resume: () => void resumed++, close: () => void closed++, drain() {} });
    assert.equal(stream.deliver([item('a'), item('b')]), false);

    const written: string[] = [];
    let taking = false;
    let drained: () => void = () => {};
    const stop = new AbortController();
    const running = stream.run(
      {
        write: () => true,
        writeFramed(frames) {
          for (const frame of frames) written.push(chunkPayload(frame).toString().trim());
          return taking;
        },
        drained: () =>
          new Promise<void>((resolve) => {
            drained = resolve;
          }),
      },
      { signal: stop.signal, draining: new AbortController().signal },
    );
    assert.deepEqual([written, resumed], [['a', 'b'], 0]);
    taking = true;
    drained();
    await settle();
    assert.equal(resumed, 1);
    assert.equal(stream.deliver([item('c')]), true);
    assert.deepEqual(written, ['a', 'b', 'c']);
    taking = false;
    assert.equal(stream.deliver([item('d')]), false);
    stream.end('slow');
    assert.equal(closed, 0);
    drained();
    await running;
    assert.deepEqual([written, closed], [['a', 'b', 'c', 'd'], 1]);
  });

  it('a watch stream reports an expired history with an ERROR event', async () => {
    await using api = await RegistryFixture.open();
    const stream = new WatchStream(options(api));
    stream.attach({ resume() {}, close() {}, drain() {} });
    const written: string[] = [];
    const running = stream.run(
      {
        write: () => true,
        writeFramed(frames) {
          for (const frame of frames) written.push(chunkPayload(frame).toString());
          return true;
        },
        drained: async () => {},
      },
      { signal: new AbortController().signal, draining: new AbortController().signal },
    );
    stream.end('expired');
    await running;
    const event = JSON.parse(written[0] ?? '');
    assert.deepEqual(
      [event.type, event.object.kind, event.object.code, event.object.reason],
      ['ERROR', 'Status', 410, 'Expired'],
    );
  });

  it('a watch stream closes after the drain grace period when the client reads nothing', async () => {
    await using api = await RegistryFixture.open();
    const stream = new WatchStream(options(api));
    stream.attach({ resume() {}, close() {}, drain: () => stream.end('drained') });
    stream.deliver([item('a')]);
    const running = stream.run(
      { write: () => false, writeFramed: () => false, drained: () => new Promise<void>(() => {}) },
      { signal: new AbortController().signal, draining: new AbortController().signal },
    );
    await api.env.clock.advanceAsync(60_000);
    await api.env.clock.advanceAsync(5_000);
    await running;
  });
});
