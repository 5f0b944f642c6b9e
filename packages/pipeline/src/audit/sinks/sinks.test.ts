import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { EventSizes, limitedSink, versionedSink } from '../event/event-limits.ts';
import type { AuditEvent } from '../event/types.ts';
import { BatchSink } from './batch-sink.ts';
import { lineOf, logSink } from './log-sink.ts';
import { RotatingFile } from './rotating-file.ts';
import { SharedFile } from './shared-file.ts';
import { webhookSink } from './webhook-sink.ts';

const eventOf = (auditID: string): AuditEvent => ({
  kind: 'Event',
  apiVersion: 'audit.orch.io/v1',
  level: 'Metadata',
  auditID,
  stage: 'ResponseComplete',
  requestURI: '/x\n"y"',
  verb: 'get',
  user: { username: 'alice' },
  requestReceivedTimestamp: '2024-01-01T00:00:00.000000Z',
  stageTimestamp: '2024-01-01T00:00:00.000000Z',
});

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'audit-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

describe('audit log sink', () => {
  it('every event is one line of JSON, whatever it contains', () => {
    using dir = folder();
    const file = new RotatingFile(
      { path: join(dir.path, 'audit.log'), maxBytes: 0, maxAgeMs: 0, maxBackups: 0 },
      testEnv(),
    );
    const sink = logSink(file, { format: 'json', isStrict: false });
    assert.ok(sink.accept(eventOf('a')) && sink.accept(eventOf('b')));
    const lines = readFileSync(join(dir.path, 'audit.log'), 'utf8').split('\n');
    assert.deepEqual(
      lines.map((line) => (line === '' ? '' : (JSON.parse(line) as AuditEvent).auditID)),
      ['a', 'b', ''],
    );
    assert.equal(statSync(join(dir.path, 'audit.log')).mode & 0o077, 0);
  });

  it('the legacy format is one line as well', () => {
    const line = lineOf(eventOf('a'), 'legacy');
    assert.equal(line.indexOf('\n'), line.length - 1);
    assert.match(line, /AUDIT: id="a" stage="ResponseComplete" .*user="alice"/);
  });

  it('the lines of several threads are all in one file, which any of them rotates', () => {
    using dir = folder();
    const env = testEnv();
    const memory = new SharedArrayBuffer(SharedFile.bytes);
    const options = { path: join(dir.path, 'audit.log'), maxBytes: 50, maxAgeMs: 0, maxBackups: 0 };
    let rotated = 0;
    const onRotated = (): void => void rotated++;
    const first = new RotatingFile({ ...options, shared: new SharedFile(memory) }, env);
    const other = new RotatingFile({ ...options, shared: new SharedFile(memory), onRotated }, env);
    const written = Array.from({ length: 20 }, (_, i) => `line ${String(i).padStart(2, '0')}\n`);
    for (const [i, line] of written.entries()) {
      env.clock.advance(1);
      assert.ok((i % 2 === 0 ? first : other).write(line));
    }
    const files = readdirSync(dir.path).sort(
      (a, b) => Number(a === 'audit.log') - Number(b === 'audit.log') || (a < b ? -1 : 1),
    );
    const texts = files.map((name) => readFileSync(join(dir.path, name), 'utf8'));
    assert.equal(texts.join(''), written.join(''));
    assert.deepEqual(
      texts.map(({ length }) => length),
      [48, 48, 48, 16],
    );
    assert.equal(rotated, 0, 'the first thread wrote the line that did not fit');
    assert.ok(first.write('\n'.repeat(34)) && other.write('x'));
    assert.equal(rotated, 1);
  });

  it('a thread that has ended while it had the file does not stop the others', () => {
    using dir = folder();
    const memory = new SharedArrayBuffer(SharedFile.bytes);
    const options = { path: join(dir.path, 'audit.log'), maxBytes: 0, maxAgeMs: 0, maxBackups: 0 };
    const file = new RotatingFile({ ...options, shared: new SharedFile(memory) }, testEnv());
    new Int32Array(memory)[0] = 1;
    assert.ok(file.write('a\n') && file.write('b\n'));
    assert.equal(readFileSync(options.path, 'utf8'), 'a\nb\n');
  });

  it('a full file is rotated, and files beyond age and number are deleted, and no others', () => {
    using dir = folder();
    const env = testEnv();
    const path = join(dir.path, 'audit.log');
    const file = new RotatingFile({ path, maxBytes: 10, maxAgeMs: 86_400_000, maxBackups: 2 }, env);
    const others = new RotatingFile(
      { path: join(dir.path, 'audit-2.log'), maxBytes: 10, maxAgeMs: 0, maxBackups: 0 },
      env,
    );
    others.write('mine\n');
    for (const line of ['one-one-\n', 'two-two-\n', 'three---\n', 'four----\n']) assert.ok(file.write(line));
    const aside = () =>
      readdirSync(dir.path).filter((name) => name.startsWith('audit-2024') || name.startsWith('audit-2025'));
    assert.equal(aside().length, 2);
    assert.equal(readFileSync(path, 'utf8'), 'four----\n');
    env.clock.advance(2 * 86_400_000);
    file.write('five----\n');
    assert.equal(aside().length, 1);
    assert.ok(readdirSync(dir.path).includes('audit-2.log'));
  });

  it('rotated files are compressed, also those of an earlier run, and count for the limits', async () => {
    using dir = folder();
    const path = join(dir.path, 'audit.log');
    const options = { path, maxBytes: 10, maxAgeMs: 86_400_000, maxBackups: 2 };
    const env = testEnv();
    const plain = new RotatingFile(options, env);
    for (const line of ['one-one-\n', 'two-two-\n']) plain.write(line);
    await plain.close();
    const [left = ''] = readdirSync(dir.path).filter((name) => name !== 'audit.log');
    writeFileSync(join(dir.path, `${left}.gz.part`), 'half');

    const file = new RotatingFile({ ...options, compress: true }, env);
    env.clock.advance(1000);
    file.write('three---\n');
    await file.packed();
    const aside = () => readdirSync(dir.path).filter((name) => name !== 'audit.log');
    assert.deepEqual(
      aside().map((name) => gunzipSync(readFileSync(join(dir.path, name))).toString()),
      ['one-one-\n', 'two-two-\n'],
    );
    assert.ok(aside().every((name) => name.endsWith('.log.gz')));
    assert.ok(aside().every((name) => (statSync(join(dir.path, name)).mode & 0o077) === 0));
    env.clock.advance(1000);
    file.write('four----\n');
    await file.packed();
    assert.equal(aside().length, 2);
    env.clock.advance(2 * 86_400_000);
    file.write('five----\n');
    await file.packed();
    assert.equal(aside().length, 1);
    await file.close();
  });

  it('an interrupted compression leaves the original file', async () => {
    using dir = folder();
    const path = join(dir.path, 'audit.log');
    const file = new RotatingFile(
      { path, maxBytes: 10, maxAgeMs: 0, maxBackups: 0, compress: true },
      testEnv(),
    );
    for (const line of ['one-one-\n', 'two-two-\n']) file.write(line);
    await file.close();
    const names = readdirSync(dir.path);
    assert.equal(names.length, 2);
    assert.ok(names.every((name) => name.endsWith('.log')));
  });

  it('an existing file is continued', () => {
    using dir = folder();
    const options = { path: join(dir.path, 'audit.log'), maxBytes: 0, maxAgeMs: 0, maxBackups: 0 };
    new RotatingFile(options, testEnv()).write('a\n');
    new RotatingFile(options, testEnv()).write('b\n');
    assert.equal(readFileSync(options.path, 'utf8'), 'a\nb\n');
  });

  it('a line that cannot be written is reported as lost', async () => {
    using dir = folder();
    const file = new RotatingFile(
      { path: join(dir.path, 'audit.log'), maxBytes: 0, maxAgeMs: 0, maxBackups: 0 },
      testEnv(),
    );
    await file.close();
    assert.equal(file.write('x\n'), false);
  });
});

describe('batches of audit events', () => {
  const setUp = (options: Partial<ConstructorParameters<typeof BatchSink>[1]> = {}) => {
    const env = testEnv();
    const batches: string[][] = [];
    const gate: { hold: Promise<void> | undefined } = { hold: undefined };
    let lost = 0;
    const sink = new BatchSink(
      'webhook',
      { bufferSize: 4, maxBatchSize: 2, maxWaitMs: 1000, ...options },
      {
        clock: env.clock,
        async deliver(events) {
          batches.push(events.map((event) => event.auditID));
          await gate.hold;
        },
        lost: (count) => {
          lost += count;
        },
      },
    );
    return { env, batches, gate, sink, lost: () => lost };
  };

  it('a batch is delivered when it is full or its first event has waited long enough', async () => {
    const { env, batches, sink } = setUp();
    for (const id of ['a', 'b', 'c']) sink.accept(eventOf(id));
    await settle();
    assert.deepEqual(batches, [['a', 'b']]);
    await env.clock.advanceAsync(1000);
    assert.deepEqual(batches, [['a', 'b'], ['c']]);
  });

  it('while delivery fails, a bounded number of events is buffered in order', async () => {
    const { batches, gate, sink } = setUp();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    gate.hold = promise;
    const taken = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => sink.accept(eventOf(id)));
    assert.deepEqual(taken, [true, true, true, true, true, true, false, false]);
    release();
    await settle();
    assert.deepEqual(batches, [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]);
  });

  it('close delivers the buffered events within its time limit', async () => {
    const { batches, sink } = setUp();
    sink.accept(eventOf('a'));
    await sink.close(new AbortController().signal);
    assert.deepEqual(batches, [['a']]);
    assert.equal(sink.accept(eventOf('b')), false);
  });

  it('the number of batches per second is limited', async () => {
    const { env, batches, sink } = setUp({
      bufferSize: 100,
      maxBatchSize: 1,
      throttle: { perSecond: 1, burst: 2 },
    });
    for (const id of ['a', 'b', 'c', 'd']) sink.accept(eventOf(id));
    await settle();
    assert.equal(batches.length, 2);
    await env.clock.advanceAsync(1000);
    assert.equal(batches.length, 3);
    await env.clock.advanceAsync(1000);
    assert.equal(batches.length, 4);
  });
});

describe('audit events that are too large', () => {
  const names = namesFor('orch');
  const large = (id: string): AuditEvent => ({
    ...eventOf(id),
    level: 'RequestResponse',
    requestObject: { data: 'x'.repeat(2000) },
    responseObject: { data: 'y'.repeat(2000) },
    annotations: { a: 'b' },
  });
  const limited = (maxEventBytes: number) => {
    const events: AuditEvent[] = [];
    const sink = limitedSink(
      {
        plugin: 'log',
        isStrict: true,
        accept: (event) => events.push(event) > 0,
        close: async () => {},
      },
      { maxEventBytes, sizes: new EventSizes() },
      names,
    );
    return { events, sink };
  };

  it('large events are recorded without objects and with an annotation', () => {
    const { events, sink } = limited(1000);
    assert.ok(sink.accept(eventOf('a')) && sink.accept(large('b')));
    assert.deepEqual(events[0], eventOf('a'));
    assert.deepEqual(events[1], {
      ...eventOf('b'),
      level: 'RequestResponse',
      annotations: { a: 'b', 'audit.orch.io/truncated': 'true' },
    });
  });

  it('events that are too large without objects are dropped', () => {
    const { events, sink } = limited(100);
    assert.equal(sink.accept(eventOf('a')), false);
    assert.deepEqual(events, []);
    assert.equal(sink.isStrict, true);
  });

  it('batches of limited size contain a large event alone', async () => {
    const env = testEnv();
    const batches: string[][] = [];
    const sizes = new EventSizes();
    const most = sizes.of(eventOf('a')) * 2;
    const sink = new BatchSink(
      'log',
      {
        bufferSize: 100,
        maxBatchSize: 10,
        maxWaitMs: 1000,
        maxBatchBytes: { most, sizeOf: (event) => sizes.of(event) },
      },
      {
        clock: env.clock,
        deliver: async (events) => void batches.push(events.map((event) => event.auditID)),
        lost: () => assert.fail('nothing is lost'),
      },
    );
    for (const id of ['a', 'b', 'c']) sink.accept(eventOf(id));
    sink.accept(large('d'));
    sink.accept(eventOf('e'));
    await sink.close(new AbortController().signal);
    assert.deepEqual(batches, [['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('events are converted to the version of the sink', () => {
    const { events, sink } = limited(10_000);
    versionedSink(sink, 'audit.k8s.io/v1').accept(eventOf('a'));
    assert.equal(events[0]?.apiVersion, 'audit.k8s.io/v1');
  });
});

describe('audit webhook sink', () => {
  const setUp = (answers: (number | Error)[]) => {
    const env = testEnv();
    const bodies: { kind: string; items: AuditEvent[] }[] = [];
    let lost = 0;
    const sink = webhookSink(
      {
        bufferSize: 10,
        maxBatchSize: 1,
        maxWaitMs: 1000,
        initialBackoffMs: 100,
        apiVersion: namesFor('orch').apiVersion('audit', 'v1'),
        async post(body) {
          bodies.push(JSON.parse(body.toString()));
          const answer = answers.shift() ?? 200;
          if (answer instanceof Error) throw answer;
          return { status: answer };
        },
      },
      env,
      (count) => {
        lost += count;
      },
    );
    return { env, bodies, sink, lost: () => lost };
  };

  it('a list of events is sent, and again after a pause on failure', async () => {
    const { env, bodies, sink, lost } = setUp([new Error('reset'), 503, 200]);
    sink.accept(eventOf('a'));
    await env.clock.advanceAsync(1000);
    assert.deepEqual(
      bodies.map(({ kind, items }) => [kind, items[0]?.auditID]),
      Array(3).fill(['EventList', 'a']),
    );
    assert.equal(lost(), 0);
  });

  it('refused batches are not repeated, and undeliverable ones are counted and skipped', async () => {
    const { env, bodies, sink, lost } = setUp([400, 500, 500, 500, 500, 500, 200]);
    for (const id of ['a', 'b', 'c']) sink.accept(eventOf(id));
    await env.clock.advanceAsync(5000);
    assert.deepEqual(
      bodies.map(({ items }) => items[0]?.auditID),
      ['a', 'b', 'b', 'b', 'b', 'b', 'c'],
    );
    assert.equal(lost(), 2);
  });
});
