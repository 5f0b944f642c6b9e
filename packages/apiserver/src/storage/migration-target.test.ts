import assert from 'node:assert/strict';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { migrationTarget } from './migration-target.ts';

const flagsOf = (path: string, threads: number) =>
  flagValues(
    apiServerFlags,
    splitCommandLine(apiServerFlags, [`--migration-target-file=${path}`, `--threads=${threads}`]).given,
  );

it('an embedded store is the target of a migration only for a server with one thread', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'orch-target-'));
  const path = join(folder.path, 'target.yaml');
  writeFileSync(path, 'storage-backend: embedded\ndata-dir: /data\n');
  assert.equal(migrationTarget({ flags: flagsOf(path, 1) })?.storage, 'embedded');
  assert.throws(() => migrationTarget({ flags: flagsOf(path, 2) }), {
    name: 'StartError',
    message:
      /names an embedded store, which this server with 2 threads cannot use: start it with --threads=1$/,
  });
  writeFileSync(path, 'etcd-servers: [http://a:1]\n');
  assert.equal(migrationTarget({ flags: flagsOf(path, 2) })?.storage, 'etcd');
});
