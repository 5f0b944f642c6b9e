import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { type LaunchedServer, launchServer, type RunningProcess, start } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const names = namesFor('orch');

interface Manager extends AsyncDisposable {
  readonly process: RunningProcess;
  readonly ops: string;
}

const retries = '--leader-elect-retry-period=500ms';
/** Short enough for a test, long enough for a busy machine. */
const quick = [retries, '--leader-elect-lease-duration=4s', '--leader-elect-renew-deadline=3s'];
/** A manager that is alone keeps its Lease on any machine. */
const steady = [retries, '--leader-elect-lease-duration=60s', '--leader-elect-renew-deadline=50s'];

async function manage(server: Cluster, ...argv: readonly string[]): Promise<Manager> {
  const process = start(join(root, 'bin', 'orch-controller-manager'), [
    `--client-config=${server.controllersConfig}`,
    '--ops-bind-address=127.0.0.1:0',
    '--use-service-account-credentials',
    ...argv,
  ]);
  const [, ops = ''] = await process.waitFor(/health and metrics on (http:\S+)/, 30_000);
  return { process, ops, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
}

const text = async (url: string): Promise<string> => (await fetch(url)).text();

const leads = async ({ ops }: Manager): Promise<boolean> =>
  /^leader_election_master_status\{name="orch-controller-manager"\} 1$/m.test(await text(`${ops}/metrics`));

const eventually = (what: string, isSo: () => Promise<boolean>, deadlineMs = 30_000): Promise<boolean> =>
  poll(what, deadlineMs, isSo);

interface Lease {
  readonly spec: { readonly holderIdentity: string; readonly leaseTransitions: number };
}

const leaseOf = async (server: LaunchedServer): Promise<Lease['spec']> => {
  const path = `/apis/${names.groups.coordination}/v1/namespaces/${names.namespaces.system}/leases`;
  return ((await server.client.get(`${path}/orch-controller-manager`)).json as Lease).spec;
};

async function worksFor(server: LaunchedServer, namespace: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  assert.equal((await server.client.post('/api/v1/namespaces', body)).status, 201);
  await eventually(
    `${namespace} has its default account`,
    async () =>
      (await server.client.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`)).status === 200,
  );
}

const work = mkdtempSync(join(tmpdir(), 'orch-managers-'));
after(() => rmSync(work, { recursive: true }));
let launched = 0;

interface Cluster extends LaunchedServer {
  /** A client configuration with the identity of controller managers. */
  readonly controllersConfig: string;
}

async function launch(...args: readonly string[]): Promise<Cluster> {
  const controllersConfig = join(work, `${launched++}.conf`);
  const own = ['--authorization-mode=RBAC', `--controller-manager-config=${controllersConfig}`];
  return { ...(await launchServer({ args: [...own, ...args] })), controllersConfig };
}

describe('two controller managers', { timeout: 180_000 }, () => {
  it('a manager that receives SIGTERM releases its Lease, and the other manager leads immediately', async () => {
    await using server = await launch();
    await using first = await manage(server, ...quick);
    await eventually('the first leads', () => leads(first));
    await using second = await manage(server, ...quick);
    await second.process.waitFor(/"msg":"standing by"/, 20_000);
    await worksFor(server, 'before');
    assert.equal(await leads(second), false);
    // A standby manager is healthy too.
    for (const { ops } of [first, second]) assert.equal((await fetch(`${ops}/livez`)).status, 200);
    await eventually('the first has read everything', async () => (await fetch(`${first.ops}/readyz`)).ok);

    const { leaseTransitions } = await leaseOf(server);
    const stopped = await first.process.stop('SIGTERM');
    assert.equal(stopped.code, 0, first.process.output());
    assert.match(first.process.output(), /"msg":"released the Lease"/);
    // The Lease was released, so the standby does not wait for its expiry.
    await eventually('the second leads', () => leads(second), 3_500);
    assert.equal((await leaseOf(server)).leaseTransitions, leaseTransitions + 1);
    await worksFor(server, 'after');
  });

  it('a standby manager leads after the Lease of a killed leader has expired, and not before', async () => {
    await using server = await launch();
    await using first = await manage(server, ...quick);
    await eventually('the first leads', () => leads(first));
    await using second = await manage(server, ...quick);
    await second.process.waitFor(/"msg":"standing by"/, 20_000);
    const renewed = performance.now();
    await first.process.stop('SIGKILL');
    await eventually('the second leads', () => leads(second));
    // The leader may have renewed shortly before it died.
    assert.ok(performance.now() - renewed >= 3_000, `${performance.now() - renewed} ms`);
    await worksFor(server, 'after');
  });

  it('a manager that has lost its Lease logs it and exits with status 1', async () => {
    await using server = await launch();
    await using first = await manage(server, ...quick);
    await eventually('the first leads', () => leads(first));
    first.process.child.kill('SIGSTOP');
    await using second = await manage(server, ...quick);
    await eventually('the second leads', () => leads(second));
    const ended = once(first.process.child, 'close', { signal: AbortSignal.timeout(30_000) });
    first.process.child.kill('SIGCONT');
    assert.deepEqual(await ended, [1, null]);
    assert.match(first.process.output(), /lost the lease orch-system\/orch-controller-manager/);
    assert.equal(await leads(second), true);
  });
});

describe('one controller manager', { timeout: 180_000 }, () => {
  it('an idle manager sends no requests except for its Lease and watches', async () => {
    await using server = await launch('--ops-bind-address=127.0.0.1:0');
    await using manager = await manage(server, ...steady);
    await eventually('everything is read', async () => {
      const ready = await fetch(`${manager.ops}/readyz`);
      return ready.ok && (await leads(manager));
    });
    const [, ops = ''] = await server.waitFor(/health and metrics on (http:\S+)/, 1_000);
    /** Requests by their subject; a watch counts when it ends. */
    const counts = async (): Promise<ReadonlyMap<string, number>> =>
      new Map(
        [...(await text(`${ops}/metrics`)).matchAll(/^apiserver_request_total\{([^}]*)\} (\d+)$/gm)].map(
          ([, labels = '', count]) => [labels, Number(count)],
        ),
      );
    const isLease = (labels: string): boolean => labels.includes('resource="leases"');
    const others = (all: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
      [...all].filter(([labels]) => !isLease(labels));
    const leases = (all: ReadonlyMap<string, number>): number =>
      [...all].filter(([labels]) => isLease(labels)).reduce((sum, [, count]) => sum + count, 0);
    await eventually('it is quiet', async () => {
      const first = others(await counts());
      await pause(1_500);
      return JSON.stringify(first) === JSON.stringify(others(await counts()));
    });
    const before = await counts();
    await eventually('it has renewed its Lease', async () => leases(await counts()) > leases(before) + 4);
    assert.deepEqual(others(await counts()), others(before));
  });

  it('--use-service-account-credentials=false makes all controllers use the identity of the manager', async () => {
    await using server = await launch('--v=3');
    await using _manager = await manage(
      server,
      ...steady,
      '--use-service-account-credentials=false',
      '--controllers=serviceaccount',
    );
    await worksFor(server, 'here');
    await server.waitFor(
      /"method":"POST","uri":"\/api\/v1\/namespaces\/here\/serviceaccounts[^\n]*"user":"system:orch-controller-manager","userAgent":"orch-controller-manager\/[^"]*\(leader=orch-system\/orch-controller-manager\/0\//,
      10_000,
    );
  });
});
