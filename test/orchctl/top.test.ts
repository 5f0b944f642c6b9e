import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { builtPrograms } from './programs.ts';
import { inTerminal, noTerminal, plain } from './terminal-session.ts';

const noPty = await noTerminal();
const interval = '--interval=150ms';

describe('orchctl top', { timeout: 60_000 }, () => {
  let cluster: CommandCluster;
  before(async () => {
    // A process of this server alone: it shows when it started.
    cluster = await commandCluster('orch', { args: ['--authorization-mode=RBAC'], env: {} });
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('orchctl top prints one snapshot without a terminal, and names the replica that answered', async () => {
    const { status, out, err } = await cluster.orchctl(['top', interval]);
    assert.deepEqual([status, err], [0, '']);
    assert.match(out, /^Replica: +\S+, up \d+s, over 0\.\ds$/m);
    assert.match(out, /^GET +\d+\.\d\/s +≤\d+ms/m);
    assert.match(out, /^Freshness: +a consistent read took \d+ms$/m);
    assert.match(out, /^workload-low +0 +245 +0 +0\.0\/s$/m);
    assert.match(out, new RegExp(`^Replicas: \\S+:${new URL(cluster.server.url).port}$`, 'm'));
    assert.equal(out.includes('\u001b'), false);
  });

  it('the requests of the interval are in the snapshot as JSON', async () => {
    const { signal, abort } = abortable();
    const load = (async () => {
      while (!signal.aborted) await cluster.server.client.get('/api/v1/namespaces/none');
    })();
    const { status, out } = await cluster.orchctl(['top', '-o', 'json', interval]);
    abort();
    await load;
    assert.equal(status, 0);
    const { requests, upSeconds, missing } = JSON.parse(out);
    assert.ok(requests.clientErrorsPerSecond > 0, out);
    assert.ok(requests.byVerb.find(({ verb }: { verb: string }) => verb === 'GET').p99Seconds > 0, out);
    assert.ok(upSeconds < 600, out);
    assert.deepEqual(missing, []);
  });

  it('orchctl top names the missing permission, and how to grant it', async () => {
    const { status, out, err } = await cluster.orchctl(['top', interval, '--as=jane']);
    assert.deepEqual([status, out], [1, '']);
    assert.match(err, /^error: the server refuses its metrics \(.*"jane".*\/metrics/);
    const [, hint = ''] = /run "orchctl (.*)"$/m.exec(err) ?? [];
    const grant = hint.replace('NAME', 'jane-monitors').replace('USER', 'jane').split(' ');
    assert.equal((await cluster.orchctl(grant)).status, 0);
    const granted = await eventually(
      () => cluster.orchctl(['top', interval, '--as=jane']),
      (result) => result.status === 0,
    );
    assert.match(granted.out, /^Not shown: replicas: .*Forbidden.*"jane".*endpoints/m);
    assert.match(granted.out, /^Not shown: freshness of the watch cache: .*"jane".*namespaces/m);
    assert.equal(granted.out.includes('consistent read'), false);
  });

  for (const program of builtPrograms) {
    for (const [title, key] of [
      ['q', 'q'],
      ['Ctrl-C', '\u0003'],
    ] as const)
      it(`${program.name} renews the view on a terminal until ${title}, and restores the terminal`, {
        skip: noPty || program.skip,
      }, async () => {
        const argv = ['top', interval, `--client-config=${cluster.server.adminConfig}`];
        const session = await inTerminal(program, argv, {
          columns: 60,
          rows: 40,
          keys: [['workload-low', key]],
        });
        assert.deepEqual([session.status, session.isRestored], [0, true], session.out);
        assert.ok(session.out.startsWith('\u001b[?1049h\u001b[?25l'), session.out);
        assert.ok(session.out.endsWith('\u001b[?25h\u001b[?1049l'), session.out);
        const screen = session.out.split('\u001b[H').at(-1) ?? '';
        for (const line of plain(screen).split(/\r*\n/)) assert.ok([...line].length <= 60, line);
      });

    it(`${program.name} prints a failure after it has restored the terminal`, {
      skip: noPty || program.skip,
    }, async () => {
      const argv = ['top', `--client-config=${cluster.server.adminConfig}`, '--as=without-roles'];
      const { status, isRestored, out } = await inTerminal(program, argv, { columns: 80 });
      assert.deepEqual([status, isRestored], [1, true], out);
      assert.match(out, /\?1049lerror: the server refuses its metrics/);
    });
  }
});

function abortable(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
