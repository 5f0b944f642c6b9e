import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createFolder } from './create-folder.ts';

describe('the creation of folders', () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-folders-'));
  after(() => rmSync(work, { recursive: true, force: true }));

  it('a folder and those above it are created for their owner, and may exist already', () => {
    const path = join(work, 'a', 'b', 'c');
    for (let times = 0; times < 2; times++) createFolder(path);
    for (const made of [path, join(work, 'a')]) assert.equal(statSync(made).mode & 0o777, 0o700);
  });

  it('a folder below a file, a file, and a link to nothing are refused', () => {
    const file = join(work, 'file');
    writeFileSync(file, '');
    symlinkSync(join(work, 'nothing'), join(work, 'link'));
    assert.throws(() => createFolder(join(file, 'a')), { code: 'ENOTDIR' });
    assert.throws(() => createFolder(file), { code: 'EEXIST' });
    assert.throws(() => createFolder(join(work, 'link')), { code: 'EEXIST' });
    assert.throws(() => createFolder(join(work, 'link', 'a')), { code: 'EEXIST' });
  });

  it('a folder that the file system never creates is refused', { skip: !existsSync('/proc/self') }, () => {
    for (const path of ['/proc/orch', '/proc/orch/a'])
      assert.throws(() => createFolder(path), { code: 'ENOENT' });
  });
});
