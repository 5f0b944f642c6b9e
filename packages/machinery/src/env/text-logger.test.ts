import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Logger } from '../log.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { createTextLogger, type TextLoggerOptions } from './text-logger.ts';

function written(use: (log: Logger) => void, options: Partial<TextLoggerOptions> = {}): readonly string[] {
  const lines: string[] = [];
  use(
    createTextLogger({ write: (line) => void lines.push(line), clock: new FakeClock(3_723_004), ...options }),
  );
  return lines;
}

describe('logger for people', () => {
  it('an entry is one line with its time, level, message and fields', () => {
    const lines = written((log) => {
      const bound = log.with({ controller: 'podgc' });
      bound.info('works', { keys: 3, gone: undefined });
      bound.warn('a "quoted"\nline', { names: ['a', 'b'], text: 'two words' });
      log.error('stopped');
    });
    assert.deepEqual(lines, [
      '01:02:03 info: works (controller=podgc, keys=3)\n',
      '01:02:03 warning: a "quoted"; line (controller=podgc, names=["a","b"], text="two words")\n',
      '01:02:03 error: stopped\n',
    ]);
  });

  it('an error is written with its messages once each, without stacks', () => {
    const cause = new RangeError('inner');
    const lines = written((log) => {
      log.warn('failed', { error: new Error('outer', { cause }) });
      log.warn('failed', { error: new Error('outer: inner', { cause }) });
    });
    assert.deepEqual(lines, [
      '01:02:03 warning: failed (error="outer: inner")\n',
      '01:02:03 warning: failed (error="outer: inner")\n',
    ]);
  });

  it('an error that causes itself ends', () => {
    const error = new Error('round');
    error.cause = error;
    assert.deepEqual(
      written((log) => log.error('failed', { error })),
      ['01:02:03 error: failed (error="round")\n'],
    );
  });

  it('text of others does not change a terminal', () => {
    const [line = ''] = written((log) => log.warn('agent \u001b[2J', { agent: 'x\u009b2J\u202e' }));
    assert.equal(line, '01:02:03 warning: agent ^[[2J (agent="x\\u009b2J\\u202e")\n');
  });

  it('entries of a level are written from a verbosity on, which may change', () => {
    const verbosity = { level: 0 };
    const lines = written(
      (log) => {
        log.info('hidden');
        log.debug(1, 'hidden');
        verbosity.level = 1;
        log.info('shown');
        log.debug(1, 'shown, too');
        assert.deepEqual([log.enabled(1), log.enabled(2)], [true, false]);
      },
      { verbosity, infoFrom: 1 },
    );
    assert.deepEqual(lines, ['01:02:03 info: shown\n', '01:02:03 debug: shown, too\n']);
  });
});
