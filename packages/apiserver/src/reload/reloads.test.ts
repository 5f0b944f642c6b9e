import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settle, testEnv } from '@orch/machinery/testing';
import { StartError } from '@orch/program';
import { tempDir } from '@orch/storage/testing';
import { fileMetrics } from './reload-metrics.ts';
import { ReloadedFiles } from './reloaded-files.ts';
import { Reloads } from './reloads.ts';

function filesAt(path: string, env: ReturnType<typeof testEnv>): ReloadedFiles<string> {
  return new ReloadedFiles<string>({
    title: 'the test file',
    files: [{ flag: 'test-file', path }],
    read([text = '']) {
      if (text === 'invalid') throw new StartError('the file is invalid');
      return text;
    },
    metrics: fileMetrics('test-file', env),
    env,
  });
}

describe('files of a server that are reloaded', () => {
  it('files of a server that are reloaded are reloaded also when they were added later, until they are removed; their check fails with any of those in use', async () => {
    await using work = await tempDir('orch-reloads-');
    const env = testEnv();
    const [first, later] = [join(work.path, 'first'), join(work.path, 'later')];
    writeFileSync(first, 'a');
    writeFileSync(later, 'b');
    const reloads = new Reloads();
    const early = reloads.add(filesAt(first, env));
    const [check] = reloads.checks;
    const isHealthy = async (): Promise<boolean | undefined> =>
      (await check?.run(new AbortController().signal))?.ok;
    const stop = new AbortController();
    const running = reloads.run(stop.signal);
    const added = reloads.add(filesAt(later, env));
    const pass = async (): Promise<void> => {
      env.clock.advance(1_500);
      await settle();
    };
    await settle();
    writeFileSync(first, 'a, changed');
    writeFileSync(later, 'b, changed');
    await pass();
    assert.deepEqual([early.current, added.current], ['a, changed', 'b, changed']);
    assert.equal(await isHealthy(), true);
    writeFileSync(first, 'invalid');
    await pass();
    assert.equal(reloads.checks.length, 1, 'files of the same flags, of two stores, have one check');
    assert.equal(await isHealthy(), false, 'files that are in use are invalid');
    reloads.remove(early);
    assert.equal(await isHealthy(), true);
    reloads.remove(added);
    writeFileSync(first, 'a, changed again');
    writeFileSync(later, 'b, changed again');
    await pass();
    assert.deepEqual([early.current, added.current], ['a, changed', 'b, changed']);
    stop.abort();
    await running;
  });
});
