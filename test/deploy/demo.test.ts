import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findKubectls, programPath, run, start, temporaryFolder } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const programs = ['etcd', 'etcdctl', 'haproxy', 'prometheus', 'wget'];

/** Why the services cannot run as processes here. */
function obstacle(): string | false {
  if (process.platform !== 'linux') return 'other systems than Linux have one loopback address';
  const missing = programs.filter((name) => programPath(name) === undefined);
  return missing.length > 0 && `not found: ${missing.join(', ')}`;
}

describe('make demo: the services of docker-compose.yml as processes', { skip: obstacle() }, () => {
  it('all services become healthy, kubectl works, an alert fires while a replica is down, and a signal stops all', async () => {
    using folder = temporaryFolder();
    // Tests that run at the same time have other addresses.
    const network = `127.${randomInt(21, 250)}.${randomInt(1, 250)}`;
    const args = ['scripts/demo/demo.ts', `--folder=${folder.path}`, `--network=${network}`];
    await using demo = start(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: root,
    });
    // A process that is killed leaves its children behind: it stops them first, also when an assertion fails.
    await using _stopped = { [Symbol.asyncDispose]: async () => void (await demo.stop('SIGTERM')) };
    const [, config = ''] = await demo.waitFor(/--kubeconfig=(\S+) get namespaces/, 60_000);

    const services = [
      'etcd',
      'replica-1',
      'replica-2',
      'replica-3',
      'balancer',
      'manager-1',
      'manager-2',
      'prometheus',
    ];
    for (const name of services) assert.match(demo.output(), new RegExp(`${name} +is healthy`));
    const [kubectl] = await findKubectls(root);
    if (kubectl !== undefined) {
      const namespaces = await run(kubectl.path, [
        `--kubeconfig=${config}`,
        'get',
        'namespaces',
        '-o',
        'name',
      ]);
      assert.match(namespaces.stdout, /namespace\/kube-system\n/, namespaces.stderr);
    }

    await demo.waitFor(/the alert OrchServerDown fires.*\(docs\/runbook\/OrchServerDown\.md\)/, 60_000);
    await demo.waitFor(/requests through the balancer are answered/, 60_000);
    await demo.waitFor(/the alert has ended/, 60_000);

    assert.deepEqual(await demo.stop('SIGINT'), { code: 0, signal: null });
    assert.match(demo.output(), /all processes are stopped\n$/);
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    assert.ok(!running.includes(folder.path), 'no process uses the folder');
  });
});
