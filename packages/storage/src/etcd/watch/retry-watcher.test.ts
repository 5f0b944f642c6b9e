import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Clock } from '@orch/machinery';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { FakeClock, poll } from '@orch/machinery/testing';
import { WatchRecorder } from '../../conformance/index.ts';
import { prefixRange, StoreError } from '../../index.ts';
import { eventKey, eventRevision } from '../../store-values.ts';
import { GrpcServer, type ServerCall } from '../../testing/index.ts';
import { answersProgressInOrder } from '../client/member-version.ts';
import { openEtcdStore } from '../index.ts';
import { ProtoWriter } from '../proto/writer.ts';

const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const { signal } = new AbortController();
const range = prefixRange('/registry/');

interface Answer {
  readonly revision?: number;
  readonly watchId?: number;
  readonly created?: boolean;
  readonly canceled?: string;
  readonly fragment?: boolean;
  readonly events?: readonly (readonly [key: string, revision: number])[];
}

function message(write: (writer: ProtoWriter) => void): Buffer {
  const writer = new ProtoWriter();
  writer.reset();
  write(writer);
  return Buffer.from(writer.finish());
}

function header(writer: ProtoWriter, revision: number): void {
  const mark = writer.mark();
  writer.uint(3, revision);
  writer.uint(2, 77);
  writer.nested(1, mark);
}

/** A `WatchResponse`. */
function answer(what: Answer): Buffer {
  return message((writer) => {
    for (const [key, revision] of [...(what.events ?? [])].reverse()) {
      const event = writer.mark();
      const kv = writer.mark();
      writer.uint(3, revision);
      writer.string(1, key);
      writer.nested(2, kv);
      writer.nested(11, event);
    }
    if (what.fragment === true) writer.bool(7, true);
    if (what.canceled !== undefined) {
      writer.string(6, what.canceled);
      writer.bool(4, true);
    }
    if (what.created === true) writer.bool(3, true);
    if (what.watchId === -1) {
      writer.raw(Buffer.from('ffffffffffffffffff01', 'hex'));
      writer.varint(2 << 3);
    }
    header(writer, what.revision ?? 0);
  });
}

const createRequest = (bytes: Buffer) => bytes[0] === 0x0a;
const progressRequest = (bytes: Buffer) => bytes.equals(Buffer.from([0x1a, 0]));

/** An etcd of a version, whose watch streams the test controls. */
async function scripted(
  version: string,
  onWatch: (call: ServerCall, request: Buffer) => void,
  clock: Clock = systemClock,
) {
  const state = { revision: 10 };
  const server = await GrpcServer.listen(async (call) => {
    if (call.path.endsWith('/Watch')) {
      for (let request = await call.next(); request !== undefined; request = await call.next())
        onWatch(call, request);
      return;
    }
    const status = call.path.endsWith('/Status');
    call.send(
      message((writer) => {
        if (status) writer.string(2, version);
        header(writer, state.revision);
      }),
    );
    call.end();
  });
  const store = await openEtcdStore({ endpoints: [server.endpoint], env: { ...env, clock } });
  const close = async () => {
    await store.close();
    await server[Symbol.asyncDispose]();
  };
  return { store, state, [Symbol.asyncDispose]: close };
}

describe('a watch of a member that answers progress requests in order', () => {
  it('requests progress when the store is ahead of it, one request at a time', async () => {
    let asked = 0;
    let watching: Buffer | undefined;
    await using etcd = await scripted('3.5.9', (call, request) => {
      if (createRequest(request)) {
        watching = request;
        call.send(answer({ created: true, revision: 10 }));
      } else if (progressRequest(request)) {
        asked++;
        call.send(answer({ watchId: -1, revision: etcd.state.revision }));
      }
    });
    await using watch = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await poll('the watch is created', 2000, () => watching);
    assert.ok(watching?.includes('/registry/'), 'only the range is watched');
    etcd.state.revision = 15;
    await etcd.store.currentRevision(signal);
    await watch.until(() => watch.batches.some((batch) => batch.rev === 15));
    assert.deepEqual([watch.events, asked], [[], 1]);
  });
});

describe('a watch of a member that answers progress requests out of order', () => {
  it('watches all keys instead of requesting progress, and filters by its range', async () => {
    let asked = false;
    await using etcd = await scripted('3.4.23', (call, request) => {
      if (progressRequest(request)) asked = true;
      if (!createRequest(request)) return;
      assert.ok(!request.includes('/registry/'), 'all keys are watched');
      call.send(answer({ created: true, revision: 10 }));
      const events = [['/elsewhere', 11] as const, ['/registry/a', 12] as const, ['/zzz', 13] as const];
      call.send(answer({ revision: 13, events }));
    });
    await using watch = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await watch.until(() => watch.batches.at(-1)?.rev === 13);
    assert.deepEqual(watch.events.map(eventKey), ['/registry/a']);
    assert.equal(asked, false);
  });

  it('a watch of a member that answers progress requests out of order ignores a progress answer that overtakes a fragment', async () => {
    const gate = Promise.withResolvers<void>();
    await using etcd = await scripted('3.4.23', (call, request) => {
      if (!createRequest(request)) return;
      call.send(answer({ created: true, revision: 10 }));
      call.send(
        answer({
          revision: 12,
          fragment: true,
          events: [
            ['/registry/a', 11],
            ['/registry/b', 12],
          ],
        }),
      );
      call.send(answer({ revision: 20 }));
      void gate.promise.then(() => call.send(answer({ revision: 12, events: [['/registry/c', 12]] })));
    });
    await using watch = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await watch.until(() => watch.batches.length > 0);
    assert.deepEqual(
      watch.batches.map((batch) => batch.rev),
      [11],
    );
    gate.resolve();
    await watch.until(() => watch.events.length === 3);
    assert.deepEqual(
      watch.batches.map((batch) => [batch.rev, batch.events.length]),
      [
        [11, 1],
        [12, 2],
      ],
    );
  });
});

describe('watches of a member that answers progress requests out of order', () => {
  type Stream = { readonly call: ServerCall; readonly start: number };

  /** An etcd whose watch streams are listed, in the order of their creation. */
  async function withStreams() {
    const streams: Stream[] = [];
    const etcd = await scripted('3.4.23', (call, request) => {
      if (!createRequest(request)) return;
      streams.push({ call, start: startRevision(request) });
      call.send(answer({ created: true, revision: 10 }));
    });
    const send = (index: number, ...events: [key: string, revision: number][]): void => {
      const revision = events.at(-1)?.[1] ?? 0;
      streams[index]?.call.send(answer({ revision, events }));
    };
    const opened = (count: number) =>
      poll(`${count} streams are open`, 5000, () => streams.length >= count || undefined);
    return { etcd, streams, send, opened };
  }
  const revisions = ({ events }: WatchRecorder): readonly number[] => events.map(eventRevision);

  for (const [name, order] of [
    ['first', [0, 1]],
    ['last', [1, 0]],
  ] as const)
    it(`watches at the same revision share the stream of the one that received it ${name}, and miss no event`, async () => {
      const { etcd, streams, send, opened } = await withStreams();
      await using _ = etcd;
      await using a = new WatchRecorder(etcd.store, range, { after: 10, signal });
      await opened(1);
      await using b = new WatchRecorder(etcd.store, prefixRange('/other/'), { after: 10, signal });
      await opened(2);
      for (const index of order) send(index, ['/registry/a', 11], ['/other/a', 12]);
      await Promise.all([a.received(1), b.received(1)]);
      const ended = (index: number): boolean => streams[index]?.call.stream.closed === true;
      await poll('one stream is closed', 5000, () => ended(0) || ended(1) || undefined);
      const left = ended(0) ? 1 : 0;
      send(left, ['/other/b', 13], ['/registry/b', 14]);
      send(left, ['/elsewhere', 15]);
      await Promise.all([a, b].map((watch) => watch.until(() => watch.batches.at(-1)?.rev === 15)));
      assert.deepEqual(
        [revisions(a), revisions(b)],
        [
          [11, 14],
          [12, 13],
        ],
      );
      // Both are resumed when the shared stream is lost.
      streams[left]?.call.stream.close();
      await opened(4);
      assert.deepEqual(
        streams.slice(2).map(({ start }) => start),
        [16, 16],
      );
      for (const index of [2, 3]) send(index, ['/registry/c', 16], ['/other/c', 17]);
      await Promise.all([a.received(3), b.received(3)]);
      assert.deepEqual(
        [revisions(a), revisions(b)],
        [
          [11, 14, 16],
          [12, 13, 17],
        ],
      );
    });

  it('a watch that has received a part of a revision does not share a stream', async () => {
    const { etcd, streams, send, opened } = await withStreams();
    await using _ = etcd;
    await using a = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await opened(1);
    await using b = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await opened(2);
    const part = answer({
      revision: 12,
      fragment: true,
      events: [
        ['/registry/a', 11],
        ['/registry/b', 12],
      ],
    });
    streams[0]?.call.send(part);
    send(1, ['/registry/a', 11]);
    await Promise.all([a.received(1), b.received(1)]);
    send(0, ['/registry/c', 12]);
    send(1, ['/registry/b', 12], ['/registry/c', 12]);
    await Promise.all([a.received(3), b.received(3)]);
    assert.deepEqual(
      [revisions(a), revisions(b)],
      [
        [11, 12, 12],
        [11, 12, 12],
      ],
    );
  });

  it('a watch that does not keep up with a shared stream continues on another one, and misses no event', async () => {
    const { etcd, send, opened, streams } = await withStreams();
    await using _ = etcd;
    await using a = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await opened(1);
    const stop = new AbortController();
    const slow = etcd.store.watch(range, 10, stop.signal)[Symbol.asyncIterator]();
    const first = slow.next();
    await opened(2);
    for (const index of [0, 1]) send(index, ['/registry/a', 11]);
    await Promise.all([a.received(1), first]);
    await poll('the streams are one', 5000, () => streams[1]?.call.stream.closed || undefined);
    const key = `/registry/${'x'.repeat(1024 * 1024)}`;
    const last = 18;
    for (let revision = 12; revision <= last; revision += 1) send(0, [key, revision]);
    await a.received(last - 10);
    // What the slow watch has not received from the shared stream comes over another one.
    const others = opened(3).then(() => {
      for (let revision = streams[2]?.start ?? 0; revision <= last; revision += 1) send(2, [key, revision]);
    });
    const received: number[] = [];
    while (received.at(-1) !== last)
      received.push(...((await slow.next()).value?.events ?? []).map(eventRevision));
    await others;
    stop.abort();
    assert.deepEqual(received, [12, 13, 14, 15, 16, 17, 18]);
    assert.ok((streams[2]?.start ?? 0) > 12, 'events that waited are not requested again');
  });

  it('a watch continues when another one whose stream it shares is closed', async () => {
    const { etcd, send, opened, streams } = await withStreams();
    await using _ = etcd;
    const stop = new AbortController();
    await using a = new WatchRecorder(etcd.store, range, { after: 10, signal: stop.signal });
    await opened(1);
    await using b = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await opened(2);
    for (const index of [0, 1]) send(index, ['/registry/a', 11]);
    await Promise.all([a.received(1), b.received(1)]);
    await poll('the streams are one', 5000, () => streams[1]?.call.stream.closed || undefined);
    stop.abort();
    await opened(3);
    assert.equal(streams[2]?.start, 12);
    send(2, ['/registry/b', 12]);
    assert.deepEqual((await b.received(2)).map(eventRevision), [11, 12]);
  });
});

describe('a watch that uses only events', () => {
  const started = async (clock: FakeClock) => {
    const streams: ServerCall[] = [];
    const etcd = await scripted(
      '3.4.23',
      (call, request) => {
        if (!createRequest(request)) return;
        streams.push(call);
        call.send(answer({ created: true, revision: 10 }));
      },
      clock,
    );
    const watch = new WatchRecorder(etcd.store, { ...range, eventsOnly: true }, { after: 10, signal });
    const stream = await poll('the watch is created', 5000, () => streams[0]);
    return { etcd, watch, stream };
  };

  it('a watch that uses only events receives its own at once, and the revisions of others with them', async () => {
    const { etcd, watch, stream } = await started(new FakeClock());
    await using _ = etcd;
    await using __ = watch;
    stream.send(answer({ revision: 11, events: [['/other/a', 11]] }));
    stream.send(answer({ revision: 12, events: [['/registry/a', 12]] }));
    stream.send(answer({ revision: 13, events: [['/other/b', 13]] }));
    stream.send(answer({ revision: 14, events: [['/registry/b', 14]] }));
    await watch.received(2);
    assert.deepEqual(watch.events.map(eventRevision), [12, 14]);
    assert.ok(
      watch.batches.every(({ events }) => events.length > 0),
      'no batch is only a revision',
    );
  });

  it('a watch that uses only events receives the revision of others after a second', async () => {
    const clock = new FakeClock();
    const { etcd, watch, stream } = await started(clock);
    await using _ = etcd;
    await using __ = watch;
    stream.send(answer({ revision: 11, events: [['/other/a', 11]] }));
    await poll('the revision is received', 5000, () => {
      clock.advance(100);
      return watch.batches.at(-1)?.rev === 11;
    });
    assert.deepEqual(watch.events, []);
  });
});

describe('a watch', () => {
  it('a watch is resumed after the last delivered event, whatever revision the server reports', async () => {
    const starts: number[] = [];
    await using etcd = await scripted('3.4.23', (call, request) => {
      if (!createRequest(request)) return;
      starts.push(startRevision(request));
      call.send(answer({ created: true, revision: 500 }));
      if (starts.length === 1) call.send(answer({ revision: 500, events: [['/registry/a', 11]] }));
      if (starts.length < 4) call.stream.close();
      else
        call.send(
          answer({
            revision: 600,
            events: [
              ['/registry/a', 11],
              ['/registry/b', 12],
            ],
          }),
        );
    });
    await using watch = new WatchRecorder(etcd.store, range, { after: 10, signal });
    assert.deepEqual((await watch.received(2)).map(eventRevision), [11, 12]);
    assert.equal(starts[0], 11);
    assert.ok(
      starts.slice(1).every((start) => start === 11 || start === 12),
      `${starts}`,
    );
    assert.equal(starts.at(-1), starts.includes(12) ? 12 : 11);
  });

  it('a watch fails with `compacted` when the server reports it', async () => {
    await using etcd = await scripted('3.4.23', (call, request) => {
      if (!createRequest(request)) return;
      call.send(
        message((writer) => {
          writer.uint(5, 42);
          writer.bool(4, true);
          header(writer, 50);
        }),
      );
    });
    await using watch = new WatchRecorder(etcd.store, range, { after: 10, signal });
    await watch.done;
    assert.ok(
      watch.failure instanceof StoreError && watch.failure.compactRevision === 42,
      `${watch.failure}`,
    );
  });

  it('a watch is retried when the server refuses it for a temporary reason', async () => {
    let refused = 0;
    await using etcd = await scripted('3.4.23', (call, request) => {
      if (!createRequest(request)) return;
      if (refused++ < 2) return call.send(answer({ created: true, canceled: 'not now' }));
      call.send(answer({ created: true, revision: 10 }));
      call.send(answer({ revision: 11, events: [['/registry/a', 11]] }));
    });
    await using watch = new WatchRecorder(etcd.store, range, { after: 10, signal });
    assert.equal((await watch.received(1)).length, 1);
    assert.equal(refused, 3);
  });

  it('the retry watcher survives malformed responses', async () => {
    let garbage = 0;
    await using etcd = await scripted('3.4.23', (call, request) => {
      if (!createRequest(request)) return;
      if (garbage++ < 2) return call.send(Buffer.from('ffff', 'hex'));
      call.send(answer({ created: true, revision: 10 }));
      call.send(answer({ revision: 11, events: [['/registry/a', 11]] }));
    });
    await using watch = new WatchRecorder(etcd.store, range, { after: 10, signal });
    assert.equal((await watch.received(1)).length, 1);
  });
});

describe('the order of progress answers by etcd version', () => {
  for (const [version, inOrder] of [
    ['3.4.23', false],
    ['3.4.25', true],
    ['3.5.7', false],
    ['3.5.8', true],
    ['3.6.0-rc.1', true],
    ['4.0.0', true],
    ['3.3.99', false],
    ['', false],
  ] as const) {
    it(`etcd version ${version || 'unknown'} answers progress requests in order: ${inOrder}`, () =>
      assert.equal(answersProgressInOrder(version), inOrder));
  }
});

/** Field 3 of the nested create request. */
function startRevision(request: Buffer): number {
  for (let at = 2; at < request.length; ) {
    const tag = request[at] ?? 0;
    if (tag === 0x18) return request[at + 1] ?? 0;
    at += (tag & 7) === 2 ? 2 + (request[at + 1] ?? 0) : 2;
  }
  return 0;
}
