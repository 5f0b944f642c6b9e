import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { SmallDisk } from './small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-small-disk-'));
const disk = SmallDisk.mount(folder);
after(() => {
  disk?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('the disk of a member of etcd in a soak run', {
  skip: disk === undefined ? 'a file system of its own cannot be mounted here' : false,
}, () => {
  it('the disk of a member of etcd in a soak run has no space while it is full, and has it again', () => {
    const write = (): void => writeFileSync(join(folder, 'file'), Buffer.alloc(4096, 1));
    disk?.fill();
    assert.throws(write, { code: 'ENOSPC' });
    disk?.free();
    write();
  });
});
