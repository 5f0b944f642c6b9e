import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runKubectl } from './run-kubectl.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A program that loses its output in the first `losses` runs, and counts its runs in a file. */
function program(folder: string, losses: number) {
  const [path, count] = [join(folder, 'kubectl'), join(folder, 'count')];
  writeFileSync(count, '');
  const lines = [
    '#!/bin/sh',
    `printf x >>'${count}'`,
    `if [ "$(wc -c <'${count}')" -le ${losses} ]`,
    `then echo 'E1129 websocket.go:297] Unknown stream id 1, discarding message' >&2`,
    `else echo "$@"; fi`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o755);
  return { path, runs: () => readFileSync(count, 'utf8').length };
}

describe('runs of kubectl', () => {
  it('a run in which kubectl loses output is repeated', async () => {
    using folder = temporaryFolder();
    const kubectl = program(folder.path, 2);
    assert.deepEqual(await runKubectl(kubectl.path, ['exec', 'one']), {
      code: 0,
      stdout: 'exec one\n',
      stderr: '',
    });
    assert.equal(kubectl.runs(), 3);
  });

  it('kubectl that always loses output is run five times', async () => {
    using folder = temporaryFolder();
    const kubectl = program(folder.path, 100);
    assert.match((await runKubectl(kubectl.path, ['exec'])).stderr, /discarding message/);
    assert.equal(kubectl.runs(), 5);
  });

  it('a run that fails otherwise is not repeated', async () => {
    using folder = temporaryFolder();
    const kubectl = program(folder.path, 0);
    writeFileSync(kubectl.path, `#!/bin/sh\nprintf x >>'${join(folder.path, 'count')}'\nexit 7\n`);
    assert.equal((await runKubectl(kubectl.path, [])).code, 7);
    assert.equal(kubectl.runs(), 1);
  });
});
