import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type ComposeCluster, programPath, type RunningProcess, run, start } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');

/** On Debian the module is a file next to the program; other builds contain it. */
const loadModule = `load_module ${join(root, '.tools')}/ngx_stream_module.so;`;

export interface NginxOptions {
  readonly cluster: ComposeCluster;
  /** Holds its configuration. */
  readonly folder: string;
  /** The port at the address of the service `balancer`, for which the certificates of replicas are. */
  readonly port: number;
}

/** Starts nginx with the configuration of deploy/balancer in front of the replicas. */
export async function startNginx({ cluster, folder, port }: NginxOptions): Promise<RunningProcess> {
  const text = cluster.placement
    .render('balancer', 'deploy/balancer/nginx.conf')
    .replace(/(listen .*):6443/, `$1:${port}`);
  mkdirSync(folder);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `${loadModule}\ndaemon off;\npid nginx.pid;\nerror_log stderr;\n${text}`);
  const args = ['-p', folder, '-c', file, '-e', 'stderr'];
  const program = programPath('nginx') ?? '';
  const checked = await run(program, [...args, '-t']);
  assert.equal(checked.code, 0, checked.stderr);
  const nginx = start(program, args);
  const deadline = AbortSignal.timeout(10_000);
  while (!(await accepts(cluster.placement.address('balancer'), port)))
    assert.ok(!deadline.aborted, nginx.output());
  return nginx;
}

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
