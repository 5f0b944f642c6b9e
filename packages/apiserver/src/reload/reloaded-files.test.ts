import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { StartError } from '@orch/program';
import { fileMetrics } from './reload-metrics.ts';
import { ReloadedFiles } from './reloaded-files.ts';

/** Runs `work` while a clock that it moves lets the files be checked. */
async function running(
  loaded: Pick<ReloadedFiles<unknown>, 'run'>,
  { env }: Pick<ReturnType<typeof open>, 'env'>,
  work: (pass: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const run = loaded.run(stop.signal);
  await work(() => env.clock.advanceAsync(1_000));
  stop.abort();
  await run;
}

/** A number in a file `a` and one in a file `b`. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), 'orch-reload-'));
  const env = testEnv();
  const pathOf = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(pathOf(name), text);
  write('a', '1');
  write('b', '2');
  const load = () =>
    new ReloadedFiles<readonly number[]>({
      title: 'the pair',
      files: ['a', 'b'].map((flag) => ({ flag, path: pathOf(flag) })),
      read: (texts) => texts.map(numberOf),
      metrics: fileMetrics('a', env),
      env,
    });
  const reloads = (status: string): number => {
    const line = new RegExp(`^apiserver_file_reloads_total\\{flag="a",status="${status}"\\} (\\d+)$`, 'm');
    return Number(line.exec(env.metrics.text())?.[1] ?? 0);
  };
  const remove = (): void => rmSync(folder, { recursive: true });
  return { env, write, pathOf, load, reloads, [Symbol.dispose]: remove };
}

function numberOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new StartError(`${JSON.stringify(text)} is not a number`);
  return Number(text);
}

describe('files that are reloaded', () => {
  it('an invalid or missing file is an error of the start', () => {
    using files = open();
    files.write('b', 'x');
    assert.throws(files.load, { name: 'StartError', message: '"x" is not a number' });
    rmSync(files.pathOf('b'));
    assert.throws(files.load, { name: 'StartError', message: /^--b: / });
  });

  it('changed files are used; while they are invalid, the previous content is', async () => {
    using files = open();
    const { env } = files;
    const loaded = files.load();
    const stop = new AbortController();
    const running = loaded.run(stop.signal);
    const steps = [
      { write: '3', current: [1, 3], failures: 0, successes: 1, ok: true },
      { write: 'x', current: [1, 3], failures: 1, successes: 1, ok: false },
      { write: '3', current: [1, 3], failures: 1, successes: 1, ok: true },
      { write: '4', current: [1, 4], failures: 1, successes: 2, ok: true },
    ];
    for (const { write, current, failures, successes, ok } of steps) {
      files.write('next', write);
      renameSync(files.pathOf('next'), files.pathOf('b'));
      await env.clock.advanceAsync(1_000);
      assert.deepEqual(loaded.current, current);
      assert.deepEqual(
        [files.reloads('failure'), files.reloads('success')],
        [failures, successes],
        `after ${write}`,
      );
      assert.equal((await loaded.check.run(stop.signal)).ok, ok);
    }
    assert.deepEqual(
      env.entries.map(({ level, msg }) => `${level} ${msg}`),
      [
        'info the pair was reloaded',
        'error the pair cannot be used; keeping the previous one',
        'info the pair was reloaded',
      ],
    );
    stop.abort();
    await running;
  });

  it('files that a file names are watched too, those that it names no longer are not', async () => {
    using files = open();
    const { env, write, pathOf } = files;
    write('a', 'b');
    write('c', '3');
    const loaded = new ReloadedFiles<number>({
      name: 'numbers',
      title: 'the number',
      files: [{ flag: 'a', path: pathOf('a') }],
      read: ([name = ''], _previous, include) => numberOf(include(pathOf(name))),
      metrics: fileMetrics('a', env),
      env,
    });
    assert.equal(loaded.check.name, 'numbers');
    const { signal } = new AbortController();
    const steps = [
      { file: 'b', text: '20', current: 20, successes: 1, ok: true },
      { file: 'b', text: 'x', current: 20, successes: 1, ok: false },
      { file: 'b', text: '20', current: 20, successes: 1, ok: true },
      { file: 'a', text: 'none', current: 20, successes: 1, ok: false },
      { file: 'none', text: '30', current: 30, successes: 2, ok: true },
      { file: 'a', text: 'c', current: 3, successes: 3, ok: true },
      { file: 'none', text: 'x', current: 3, successes: 3, ok: true },
      { file: 'b', text: 'x', current: 3, successes: 3, ok: true },
      { file: 'c', text: '33', current: 33, successes: 4, ok: true },
    ];
    await running(loaded, files, async (pass) => {
      for (const { file, text, current, successes, ok } of steps) {
        write(file, text);
        await pass();
        const state = { current: loaded.current, successes: files.reloads('success') };
        assert.deepEqual(state, { current, successes }, `${file}: ${text}`);
        assert.equal((await loaded.check.run(signal)).ok, ok, `${file}: ${text}`);
      }
    });
    assert.equal(env.entries.at(-1)?.['file'], `${pathOf('a')}, ${pathOf('c')}`);
  });

  it('a change between the start and the first check is noticed', async () => {
    using files = open();
    const loaded = files.load();
    files.write('a', '10');
    const stop = new AbortController();
    const running = loaded.run(stop.signal);
    await files.env.clock.advanceAsync(1_000);
    assert.deepEqual(loaded.current, [10, 2]);
    stop.abort();
    await running;
  });
});
