import assert from 'node:assert/strict';
import type { EtcdCluster } from '@orch/storage/testing';
import type { LaunchedServer } from '@orch/testkit';
import { orch } from './orch-command.ts';

/** The output of `orch migrate`. */
export interface Report {
  readonly pauseMs: number;
  readonly lastRevision: number;
  readonly nextRevision: number;
  readonly followed: number;
}

/** Files of `--migration-target-file`. */
export const etcdTarget = ({ endpoints }: EtcdCluster): string =>
  JSON.stringify({ 'etcd-servers': endpoints });
export const embeddedTarget = (dir: string): string =>
  JSON.stringify({ 'storage-backend': 'embedded', 'data-dir': dir });

/** Moves the store of a server to the one in its file. */
export async function migrated(server: LaunchedServer, ...flags: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await orch(['migrate', `--client-config=${server.adminConfig}`, ...flags]);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Report;
}
