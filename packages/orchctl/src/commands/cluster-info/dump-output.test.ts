import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { CommandError } from '../../command-error.ts';
import { folderOutput } from './dump-output.ts';

let temporary = '';
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'orchctl-dump-'));
});
afterEach(() => rmSync(temporary, { recursive: true }));

it('each part of a dump is a file that only the user can read', async () => {
  const folder = join(temporary, 'state');
  const output = folderOutput(folder);
  await output.part(['default', 'web', 'logs.txt'], (out) => {
    out.write('one\n');
    out.write(Buffer.from('two\n'));
  });
  const file = join(folder, 'default', 'web', 'logs.txt');
  assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n');
  assert.deepEqual([statSync(file).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700]);
});

for (const name of ['..', '.', '', '../outside', 'a/b', 'a\\b', 'a\0b'])
  it(`a dump refuses the name ${JSON.stringify(name)} of a server, and writes nothing`, async () => {
    const folder = join(temporary, 'state');
    const part = folderOutput(folder).part(['default', name, 'logs.txt'], (out) => out.write('x'));
    await assert.rejects(part, CommandError);
    assert.ok(!existsSync(folder) && !existsSync(join(temporary, 'outside')));
  });
