import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  type ClientConfig,
  freePort,
  launchServer,
  programPath,
  readClientConfig,
  run,
  start,
  temporaryFolder,
} from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const missing = programPath('haproxy') === undefined && 'not found: haproxy';
const onLinux = process.platform !== 'linux' && 'other systems than Linux have one loopback address';

/** The commands of the documentation, which edit the configurations in a folder. */
function documentedCommands(): string {
  const page = readFileSync(join(root, 'docs', 'installation.md'), 'utf8');
  const [, commands = ''] = /<!-- proxy-protocol -->\n```sh\n(.*?)```/s.exec(page) ?? [];
  return commands;
}

interface Balancer {
  readonly folder: string;
  readonly port: number;
  readonly replica: number;
}

/** The shipped configuration with one replica on loopback, as a line of the documentation changes it. */
function writeConfig({ folder, port, replica }: Balancer, health: number, ops: number): void {
  const text = readFileSync(join(root, 'deploy', 'balancer', 'haproxy.cfg'), 'utf8')
    .replace(/^ {2}server replica-[23].*\n/gm, '')
    .replace('replica-1:6443', `127.0.0.1:${replica}`)
    .replace('check port 8080', `check port ${health}`)
    .replace('0.0.0.0:6443', `127.0.0.1:${port}`)
    .replace('0.0.0.0:8404', `127.0.0.1:${ops}`);
  writeFileSync(join(folder, 'haproxy.cfg'), text);
}

/** A request from an address of loopback: its status, or the code of its failure. */
const statusFrom = (config: ClientConfig, port: number, localAddress: string): Promise<number | string> =>
  new Promise((resolve) => {
    const { ca, cert, key } = config;
    const path = '/api/v1/namespaces/default';
    const options = { host: '127.0.0.1', port, path, localAddress, agent: false, ca, cert, key };
    const outgoing = request(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.end();
  });

describe('haproxy with the PROXY protocol', { skip: missing || onLinux }, () => {
  it('the audit log has the addresses of clients, and health checks pass', async () => {
    using folder = temporaryFolder();
    const commands = documentedCommands();
    const [port, replica, health, ops] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    writeConfig({ folder: folder.path, port, replica }, health, ops);
    const edited = await run('sh', ['-ec', commands.replace('10.1.0.11', '127.0.0.1')], { cwd: folder.path });
    assert.equal(edited.code, 0, edited.stderr);
    const audit = join(folder.path, 'audit.log');
    await using server = await launchServer({
      port: replica,
      args: [
        `--config=${join(folder.path, 'apiserver.yaml')}`,
        `--ops-bind-address=127.0.0.1:${health}`,
        `--audit-log-path=${audit}`,
      ],
    });
    await using balancer = start('haproxy', ['-db', '-f', 'haproxy.cfg'], { cwd: folder.path });
    const config = readClientConfig(server.adminConfig);
    const deadline = AbortSignal.timeout(30_000);
    let status: number | string = 0;
    // The balancer sends nothing before a check has passed.
    while (status !== 200) {
      assert.ok(!deadline.aborted, `${status} ${balancer.output()}`);
      status = await statusFrom(config, port, '127.0.0.5');
    }
    const addresses = readFileSync(audit, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"requestURI":"/api/v1/namespaces/default"'))
      .map((line) => (JSON.parse(line) as { readonly sourceIPs: readonly string[] }).sourceIPs);
    assert.deepEqual(addresses[0], ['127.0.0.5']);
    assert.equal(await statusFrom(config, replica, '127.0.0.1'), 'ECONNRESET');
    assert.equal(await statusFrom(config, replica, '127.0.0.5'), 200);
  });
});
