import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findKubectls, run, temporaryFolder } from '@orch/testkit';
import { fileSystemObstacle } from '../image/obstacle.ts';
import { Machine, Network, place } from './machine.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs/installation-systemd.md'), 'utf8');

/** The commands of the page for one or both machines, in their order. */
const blocks = [...page.matchAll(/<!-- (\w+) -->\n+```sh\n([\s\S]*?)```/g)].map(
  ([, place = '', text = '']) => ({
    place,
    lines: text.trim().split('\n'),
  }),
);
const kubectls = await findKubectls(root);

describe('the page about two machines', {
  skip: fileSystemObstacle('etcd', 'haproxy', 'systemd-analyze'),
}, () => {
  const folder = temporaryFolder();
  const open: AsyncDisposable[] = [];
  let first: Machine;
  let second: Machine;

  /** Carries out the lines of one machine. Programs that the page expects to be installed are taken from this machine. */
  async function follow(machine: Machine, lines: readonly string[]): Promise<string> {
    let output = '';
    for (const line of lines) {
      if (line.startsWith('systemctl ')) await machine.systemctl(line);
      else output += (await machine.run(line)).stdout;
    }
    return output;
  }

  before(async () => {
    const network = await Network.open(['10.1.0.11', '10.1.0.12']);
    first = new Machine(join(folder.path, 'first'), network);
    second = new Machine(join(folder.path, 'second'), network);
    open.push(first, second, network);
    // The users and files that the packages etcd-server, haproxy and kubectl add outside of /usr.
    await first.run('useradd --system etcd && useradd --system haproxy && chown etcd: /var/lib/etcd');
    const [kubectl] = kubectls;
    if (kubectl !== undefined)
      cpSync(kubectl.path, first.files.path('/usr/local/bin/kubectl'), { dereference: true });
  });
  after(async () => {
    for (const each of open) await each[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** Waits until a shell command succeeds on a machine; the output of its units explains why it does not. */
  async function until(machine: Machine, command: string): Promise<void> {
    try {
      await machine.run(`timeout 40 sh -c 'until ${command}; do sleep 0.2; done'`);
    } catch (cause) {
      throw new Error(machine.output(), { cause });
    }
  }

  const ready = (machine: Machine, address: string): Promise<void> =>
    until(machine, `wget -q -O /dev/null http://${address}:8080/readyz`);

  it('the commands of the page install a cluster whose API servers are ready on both machines', async () => {
    const archive = join(folder.path, 'orch.tar');
    const [, tar = ''] = blocks.find((block) => block.place === 'build')?.lines ?? [];
    const packed = await run('sh', ['-ec', tar.replace('orch.tar', archive)], { cwd: root });
    assert.equal(packed.code, 0, packed.stderr);
    for (const machine of [first, second]) place(machine, archive, '/root/orch.tar');

    for (const { place: where, lines } of blocks) {
      if (where === 'both') await Promise.all([first, second].map((machine) => follow(machine, lines)));
      else if (where === 'second') {
        place(second, first.files.path('/root/pki.tar.gz'), '/root/pki.tar.gz');
        await follow(second, lines);
      } else if (where === 'first' && !lines.some((line) => line.startsWith('kubectl ')))
        await follow(first, lines);
    }
    await ready(first, '10.1.0.11');
    await ready(second, '10.1.0.12');
  });

  it('kubectl of an administrator works through the balancer', {
    skip: kubectls.length === 0 ? 'no kubectl' : false,
  }, async () => {
    const lines = blocks.flatMap((block) => block.lines).filter((line) => line.startsWith('kubectl '));
    assert.match(await follow(first, lines), /kube-system +Active/);
  });

  it('the balancer names clients to the API servers, which refuse its machine without that', async () => {
    const ask = (port: number): string =>
      `wget -q -O - -T 10 -t 1 --no-check-certificate https://10.1.0.11:${port}/livez`;
    assert.equal((await first.run(ask(6443))).stdout, 'ok');
    await first.run(`! ${ask(6444)}`);
  });

  it('the managers of both machines elect one leader, with which namespaces get their account', {
    skip: kubectls.length === 0 ? 'no kubectl' : false,
  }, async () => {
    const kubectl = 'kubectl --kubeconfig=/etc/orch/pki/admin.conf';
    await until(first, `${kubectl} get serviceaccount default`);
    await until(second, 'wget -q -O /dev/null http://10.1.0.12:8081/livez');
  });

  it('the second machine has neither keys of other authorities nor credentials of administrators', async () => {
    const { stdout } = await second.run('ls /etc/orch/pki');
    const keys = stdout.split('\n').filter((name) => name.endsWith('.key'));
    assert.deepEqual(keys, [
      'apiserver.key',
      'client-ca.key',
      'controller-manager.key',
      'etcd-client.key',
      'front-proxy-client.key',
      'service-account.key',
    ]);
    assert.ok(!stdout.includes('admin'));
  });

  it('the API survives the loss of the API server of the first machine', {
    skip: kubectls.length === 0 ? 'no kubectl' : false,
  }, async () => {
    await first.unit('orch.service').stop('SIGKILL');
    const { stdout } = await first.run('kubectl --kubeconfig=/etc/orch/pki/admin.conf get --raw /readyz');
    assert.equal(stdout, 'ok');
    await first.systemctl('systemctl restart orch.service');
    await ready(first, '10.1.0.11');
  });

  it('systemd accepts the units, and rates their exposure as low', async () => {
    const units = ['orch.service', 'orch-controller-manager.service', 'orch-init.service', 'orch-init.timer'];
    const paths = units.map((unit) => `/etc/systemd/system/${unit}`);
    const verified = await first.run(`systemd-analyze verify --man=no ${paths.join(' ')}`);
    assert.doesNotMatch(verified.stdout + verified.stderr, /systemd\/system\/orch/);
    // The rating is from 0 to 100; a service without restrictions has 96.
    const rate = `systemd-analyze security --offline=true --threshold=20`;
    for (const unit of units.filter((each) => each.endsWith('.service'))) await first.run(`${rate} ${unit}`);
  });
});
