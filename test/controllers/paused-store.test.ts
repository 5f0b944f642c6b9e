import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Fence, fenceInUserAgent } from '@orch/client';
import { poll } from '@orch/machinery/testing';
import { type EtcdCluster, startEtcd } from '@orch/storage/testing';
import { launchServerProcess, type ServerProcess, temporaryFolder } from '@orch/testkit';

const policy = `
apiVersion: audit.orch.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{ level: Metadata }]
`;

interface AuditEvent {
  readonly verb: string;
  readonly userAgent?: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
}

interface FencedWrite {
  readonly fence: Fence;
  /** When it arrived, and when it was answered. */
  readonly from: string;
  readonly to: string;
}

/** The writes of leaders that were carried out, from the audit logs of all servers. */
const fencedWrites = (logs: readonly string[]): readonly FencedWrite[] =>
  logs
    .flatMap((log) => readFileSync(log, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
    .filter(({ responseStatus }) => (responseStatus?.code ?? 500) < 300)
    .flatMap(({ userAgent = '', requestReceivedTimestamp: from, stageTimestamp: to }) => {
      const fence = fenceInUserAgent(userAgent);
      return fence === undefined ? [] : [{ fence, from, to }];
    });

const isAlive = ({ process }: ServerProcess): boolean => process.child.exitCode === null;

/** Pauses etcd for `pauseMs` or longer: until the process that leads has noticed that its leadership has ended. */
async function pause(etcd: EtcdCluster, leader: ServerProcess, pauseMs: number): Promise<void> {
  const [member] = etcd.members;
  const ended = [...leader.process.output().matchAll(/leadership has ended/g)].length;
  await member?.pause();
  const pausedAt = performance.now();
  await poll('the leader stands down', 60_000, async () => {
    if (!isAlive(leader)) throw new Error(`orch up has ended: ${leader.process.output().slice(-3000)}`);
    const now = [...leader.process.output().matchAll(/leadership has ended/g)].length;
    return now > ended && performance.now() - pausedAt >= pauseMs;
  });
  member?.resume();
}

/** Controllers work: a new namespace gets its default account, and disappears when it is deleted. */
async function controllersWork({ client }: ServerProcess, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}`;
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await poll('the server accepts writes', 60_000, async () => {
    const { status } = await client.post('/api/v1/namespaces', body);
    return status === 201 || status === 409;
  });
  await poll(`${namespace} has its default account`, 90_000, async () => {
    return (await client.get(`${path}/serviceaccounts/default`)).status === 200;
  });
  await client.delete(path);
  await poll(`${namespace} is gone`, 90_000, async () => (await client.get(path)).status === 404);
}

/** The tests wait most of the time, for leases that end. */
describe('orch up while etcd is paused', { concurrency: true, timeout: 400_000 }, () => {
  it('orch up survives pauses of etcd: its controllers stand down and lead again', async () => {
    await using etcd = await startEtcd();
    await using server = await launchServerProcess({ program: 'orch', etcd: etcd.endpoints });
    await server.process.waitFor(/"msg":"leading"/, 60_000);
    for (const [round, pauseMs] of [12_000, 20_000].entries()) {
      await pause(etcd, server, pauseMs);
      await controllersWork(server, `after-${round}`);
      assert.ok(isAlive(server), server.process.output().slice(-2000));
    }
    const output = server.process.output();
    assert.match(output, /"msg":"the controllers stop, and this process becomes a candidate again"/);
    assert.equal((await server.process.stop('SIGTERM')).code, 0, output.slice(-3000));
  });

  it('a former leader of two orch up processes writes nothing after a pause of etcd', async () => {
    await using etcd = await startEtcd();
    using folder = temporaryFolder();
    const policyFile = join(folder.path, 'policy.yaml');
    writeFileSync(policyFile, policy);
    const logs = ['a.log', 'b.log'].map((name) => join(folder.path, name));
    const launch = (log: string | undefined): Promise<ServerProcess> =>
      launchServerProcess({
        program: 'orch',
        etcd: etcd.endpoints,
        certDir: join(folder.path, 'certs'),
        args: [`--audit-policy-file=${policyFile}`, `--audit-log-path=${log}`],
      });
    await using first = await launch(logs[0]);
    await first.process.waitFor(/"msg":"leading"/, 60_000);
    await using second = await launch(logs[1]);
    await second.process.waitFor(/"msg":"standing by"/, 60_000);
    await controllersWork(second, 'before');
    await pause(etcd, first, 12_000);
    await controllersWork(first, 'after');
    assert.ok(isAlive(first) && isAlive(second));
    const writes = fencedWrites(logs);
    const terms = new Set(writes.map(({ fence }) => fence.transitions));
    assert.ok(terms.size > 1, 'a new term has begun');
    for (const [transitions, holders] of Map.groupBy(writes, ({ fence }) => fence.transitions))
      assert.equal(
        new Set(holders.map(({ fence }) => fence.holder)).size,
        1,
        `holders of term ${transitions}`,
      );
    for (const one of writes)
      for (const other of writes)
        if (one.fence.transitions < other.fence.transitions)
          assert.ok(
            one.from <= other.to,
            `a write of term ${one.fence.transitions} at ${one.from} came late`,
          );
  });
});
