import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogFields } from '../log.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { lineWriter, type RawWrite } from './line-writer.ts';
import { createLogger, silentLogger } from './logger.ts';

function logged(fields: LogFields): Record<string, unknown> {
  const lines: string[] = [];
  createLogger({ write: (line) => void lines.push(line), clock: new FakeClock(0) }).info('m', fields);
  assert.equal(lines.length, 1);
  const [line = ''] = lines;
  assert.match(line, /^[^\n]*\n$/);
  return JSON.parse(line) as Record<string, unknown>;
}

describe('logger of a process', () => {
  it('the logger writes one JSON line per entry: time, level, message, then the fields', () => {
    const lines: string[] = [];
    const log = createLogger({
      write: (line) => void lines.push(line),
      clock: new FakeClock(1234),
      verbosity: 2,
    });
    log.with({ component: 'x' }).warn('a "quoted"\nline', { n: 1, gone: undefined });
    log.debug(2, 'fine');
    log.debug(3, 'too fine');
    assert.deepEqual(lines, [
      '{"ts":"1970-01-01T00:00:01.234Z","level":"warn","msg":"a \\"quoted\\"\\nline","component":"x","n":1}\n',
      '{"ts":"1970-01-01T00:00:01.234Z","level":"debug","v":2,"msg":"fine"}\n',
    ]);
    assert.deepEqual([log.enabled(2), log.enabled(3)], [true, false]);
  });

  it('a changed verbosity takes effect with the next entry, also of loggers that exist already', () => {
    const lines: string[] = [];
    const verbosity = { level: 0 };
    const log = createLogger({ write: (line) => void lines.push(line), clock: new FakeClock(0), verbosity });
    const bound = log.with({ component: 'x' });
    bound.debug(3, 'before');
    verbosity.level = 3;
    bound.debug(3, 'after');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg),
      ['after'],
    );
    assert.deepEqual([log.enabled(3), bound.enabled(4)], [true, false]);
  });

  it('the logger writes errors with their causes, codes and stacks', () => {
    const cause = Object.assign(new RangeError('inner'), { code: 'EINNER' });
    const { error } = logged({ error: new Error('outer', { cause }) }) as { error: Record<string, unknown> };
    assert.equal(error['name'], 'Error');
    assert.equal(error['message'], 'outer');
    assert.match(String(error['stack']), /logger\.test/);
    const inner = error['cause'] as Record<string, unknown>;
    assert.deepEqual([inner['name'], inner['message'], inner['code']], ['RangeError', 'inner', 'EINNER']);
  });

  it('the logger survives cycles, getters that throw, and values without a JSON form', () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle['self'] = cycle;
    const selfCaused = new Error('round');
    selfCaused.cause = selfCaused;
    const trap = {
      get x(): never {
        throw new Error('no');
      },
    };
    const entry = logged({
      cycle,
      selfCaused,
      trap,
      big: 10n,
      fn: () => 1,
      nan: Number.NaN,
      map: new Map([['k', 1]]),
      set: new Set([1]),
      bytes: Buffer.from('secret'),
      when: new Date(0),
      never: new Date(Number.NaN),
      nested: { undef: undefined },
    });
    assert.deepEqual(entry['cycle'], { a: 1, self: '[circular]' });
    assert.equal((entry['selfCaused'] as Record<string, unknown>)['cause'], '[circular]');
    assert.equal(entry['trap'], '[not loggable: no]');
    assert.deepEqual([entry['big'], entry['nan'], entry['map'], entry['set']], ['10', 'NaN', { k: 1 }, [1]]);
    assert.deepEqual(
      [entry['bytes'], entry['when'], entry['never']],
      ['[6 bytes]', '1970-01-01T00:00:00.000Z', 'invalid date'],
    );
    assert.deepEqual(entry['nested'], { undef: null });
  });

  it('bounds what one log field adds, and keeps its own fields apart from those of the caller', () => {
    const deep: Record<string, unknown> = {};
    let at = deep;
    for (let i = 0; i < 50; i++) {
      const next = {};
      at['n'] = next;
      at = next;
    }
    const entry = logged({
      ts: 1,
      text: 'x'.repeat(100_000),
      list: new Array(1000).fill(0),
      deep,
      __proto__: 1,
    });
    assert.equal(entry['ts_'], 1);
    assert.ok(JSON.stringify(entry).length < 12_000);
    assert.match(JSON.stringify(entry['deep']), /too deep/);
    assert.equal((entry['list'] as unknown[]).at(-1), '[900 more]');
  });

  it('the logger has a silent form', () => {
    silentLogger.with({ a: 1 }).error('nothing');
    assert.equal(silentLogger.enabled(0), false);
  });
});

/** A descriptor whose writes finish when the test calls `finish`. */
function fakeDescriptor(): {
  write: RawWrite;
  chunks: string[];
  finish(error?: Error | null, written?: number): void;
} {
  const pending: { chunk: Buffer; done: (error: Error | null, written: number) => void }[] = [];
  const chunks: string[] = [];
  return {
    chunks,
    write(chunk, done) {
      chunks.push(chunk.toString());
      pending.push({ chunk, done });
    },
    finish(error = null, written) {
      const next = pending.shift();
      next?.done(error, written ?? next.chunk.length);
    },
  };
}

describe('writer of log lines', () => {
  it('the writer of log lines has one write under way at a time, which takes all lines that came meanwhile', async () => {
    const descriptor = fakeDescriptor();
    const writer = lineWriter(descriptor.write);
    writer.write('a\n');
    await Promise.resolve();
    writer.write('b\n');
    writer.write('c\n');
    assert.deepEqual(descriptor.chunks, ['a\n']);
    const flushed = writer.flush();
    descriptor.finish();
    assert.deepEqual(descriptor.chunks, ['a\n', 'b\nc\n']);
    descriptor.finish();
    await flushed;
    await writer.flush();
  });

  it('the writer of log lines drops lines beyond its bound, and reports their number once there is room', async () => {
    const descriptor = fakeDescriptor();
    const writer = lineWriter(descriptor.write, 10);
    writer.write('12345678\n');
    await Promise.resolve();
    writer.write('abcdefgh\n');
    writer.write('lost one\n');
    writer.write('lost two\n');
    assert.equal(writer.dropped, 2);
    descriptor.finish();
    assert.match(descriptor.chunks[1] ?? '', /^abcdefgh\n\{.*"log lines dropped","count":2\}\n$/);
    descriptor.finish();
    writer.write('again\n');
    await Promise.resolve();
    assert.equal(descriptor.chunks[2], 'again\n');
  });

  it('the writer of log lines continues a write that was cut short, and goes on after one that failed', async () => {
    const descriptor = fakeDescriptor();
    const writer = lineWriter(descriptor.write);
    writer.write('abc\n');
    await Promise.resolve();
    descriptor.finish(null, 1);
    assert.equal(descriptor.chunks[1], 'bc\n');
    descriptor.finish(new Error('EPIPE'));
    await writer.flush();
    writer.write('d\n');
    await Promise.resolve();
    assert.equal(descriptor.chunks[2], 'd\n');
  });
});
