import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemEnv } from '@orch/machinery/env';
import type { Io, TextOutput } from '../io.ts';
import { Progress } from './progress.ts';

/** The last state of a terminal after a string: lines of which later ones replace those with a carriage return. */
const shown = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.split('\r').at(-1) ?? '').replaceAll('\u001b[K', ''))
    .join('\n');

function session(outColumns: number | undefined, errColumns: number | undefined) {
  const texts = { terminal: '', out: '', err: '' };
  const output = (name: 'out' | 'err', columns: number | undefined): TextOutput => ({
    columns,
    write(text) {
      texts[name] += String(text);
      if (columns !== undefined) texts.terminal += String(text);
    },
    drained: () => Promise.resolve(),
  });
  const io: Io = {
    out: output('out', outColumns),
    err: output('err', errColumns),
    input: (async function* () {})(),
    isInputTerminal: false,
    environment: {},
    folder: '/',
    homeFolder: '/',
    env: systemEnv(),
  };
  return { io, texts };
}

describe('progress of a command', () => {
  it('the line is rewritten below the output, and gone at the end', () => {
    const { io, texts } = session(80, 80);
    {
      using progress = new Progress(io);
      progress.start(500, 'applied');
      assert.equal(shown(texts.terminal), '0/500 applied');
      progress.io.out.write('a applied\n');
      progress.advance();
      assert.equal(shown(texts.terminal), 'a applied\n1/500 applied');
      progress.io.err.write('b refused\n');
      progress.advance();
      assert.equal(shown(texts.terminal), 'a applied\nb refused\n2/500 applied');
    }
    assert.equal(shown(texts.terminal), 'a applied\nb refused\n');
  });

  it('standard output in a file has the results only', () => {
    const { io, texts } = session(undefined, 80);
    using progress = new Progress(io);
    progress.start(20, 'deleted');
    progress.io.out.write('a\n');
    progress.advance();
    assert.equal(texts.out, 'a\n');
    assert.equal(shown(texts.err), '1/20 deleted');
  });

  for (const [title, columns, total] of [
    ['a command without a terminal shows no progress', undefined, 500],
    ['a command with few objects shows no progress', 80, 9],
  ] as const)
    it(title, () => {
      const { io, texts } = session(columns, columns);
      using progress = new Progress(io);
      progress.start(total, 'deleted');
      progress.io.out.write('a\n');
      progress.advance();
      progress.end();
      assert.deepEqual([texts.out, texts.err], ['a\n', '']);
    });

  it('a second phase starts from 0', () => {
    const { io, texts } = session(80, 80);
    using progress = new Progress(io);
    progress.start(10, 'deleted');
    progress.advance();
    progress.start(12, 'gone');
    assert.equal(shown(texts.terminal), '0/12 gone');
  });
});
