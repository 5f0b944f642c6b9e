import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startEtcd } from '@orch/storage/testing';
import {
  type LaunchedServer,
  type LaunchOptions,
  launchServer,
  launchServerProcess,
  type ServerProcess,
} from '@orch/testkit';

const path = '/api/v1/namespaces/default/services';

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly clusterIP: string;
    readonly ports: readonly { readonly nodePort: number }[];
  };
}
interface Endpoints {
  readonly metadata: { readonly resourceVersion: string };
  readonly subsets?: readonly {
    readonly addresses: readonly { readonly ip: string }[];
    readonly ports: readonly { readonly port: number }[];
  }[];
}

const nodePort = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
});

describe('services of replicas on one etcd', { timeout: 180_000 }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let replicas: LaunchedServer[];
  /** The one that is killed. */
  let last: ServerProcess;
  const certDir = mkdtempSync(join(tmpdir(), 'orch-certs-'));

  before(async () => {
    etcd = await startEtcd();
    const optionsOf = (index: number): LaunchOptions => ({
      etcd: etcd.endpoints,
      certDir,
      args: [
        '--service-cluster-ip-range=10.96.0.0/24',
        '--service-node-port-range=30000-30199',
        // Unreachable addresses, one each, as on three machines; no client connects to them.
        `--advertise-address=10.1.0.${index + 1}`,
      ],
    });
    const first = await launchServer(optionsOf(0));
    const others = await Promise.all([launchServer(optionsOf(1)), launchServerProcess(optionsOf(2))]);
    [, last] = others;
    replicas = [first, ...others];
  });
  after(async () => {
    await Promise.all(replicas.map((r) => r[Symbol.asyncDispose]()));
    await etcd[Symbol.asyncDispose]();
    rmSync(certDir, { recursive: true, force: true });
  });

  const replica = (index: number): LaunchedServer => {
    const found = replicas[index % replicas.length];
    assert.ok(found);
    return found;
  };

  it('services of several replicas never share a cluster IP or node port, up to the last value of the range', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => replica(i).client.post(path, nodePort(`s${i}`))),
    );
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201).map(({ text }) => text),
      [],
    );
    const services = answers.map(({ json }) => json as Service);
    assert.equal(new Set(services.map(({ spec }) => spec.clusterIP)).size, 200);
    assert.equal(new Set(services.map(({ spec }) => spec.ports[0]?.nodePort)).size, 200);
    const full = await replica(1).client.post(path, nodePort('late'));
    assert.equal(full.status, 500);
    assert.match(full.text, /30000-30199 is full/);
    await Promise.all(
      services.map(({ metadata }, i) => replica(i + 1).client.delete(`${path}/${metadata.name}`)),
    );
    const again = await Promise.all(
      Array.from({ length: 60 }, (_, i) => replica(i).client.post(path, nodePort(`t${i}`))),
    );
    assert.deepEqual([...new Set(again.map(({ status }) => status))], [201]);
  });

  it('when several replicas request the same cluster IP and node port, exactly one service receives them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const spec = { clusterIP: '10.96.0.9', ports: [{ port: 80, nodePort: 30_010 }] };
      const held = await replica(0).client.get(`${path}?limit=500`);
      const holders = (held.json as { items: Service[] }).items.filter(
        (one) => one.spec.clusterIP === '10.96.0.9' || one.spec.ports[0]?.nodePort === 30_010,
      );
      for (const { metadata } of holders) await replica(1).client.delete(`${path}/${metadata.name}`);
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, i) => replica(i).client.post(path, nodePort(`r${round}-${i}`, spec))),
      );
      const statuses = answers.map(({ status }) => status).sort();
      // Two may block each other: one has the address, the other the port.
      assert.ok(statuses.filter((status) => status === 201).length <= 1, statuses.join());
      assert.deepEqual(
        [...new Set(statuses)].filter((status) => status !== 201),
        [422],
      );
      const alone = await replica(2).client.post(path, nodePort(`r${round}-last`, spec));
      assert.equal(alone.status, statuses[0] === 201 ? 422 : 201, alone.text);
    }
  });

  it('the default service has the endpoints of all replicas, without a stopped replica immediately and without a crashed one soon', async () => {
    const { client } = replica(0);
    const endpoints = '/api/v1/namespaces/default/endpoints';
    const ipsOf = ({ subsets = [] }: Pick<Endpoints, 'subsets'>): readonly string[] =>
      subsets.flatMap(({ addresses }) => addresses.map(({ ip }) => ip)).sort();
    const now = async (): Promise<Endpoints> => (await client.get(`${endpoints}/orch`)).json as Endpoints;
    assert.deepEqual(ipsOf(await now()), ['10.1.0.1', '10.1.0.2', '10.1.0.3']);
    await replica(1).stop();
    assert.deepEqual(ipsOf(await now()), ['10.1.0.1', '10.1.0.3']);
    await last.process.stop('SIGKILL');
    const { metadata, ...left } = await now();
    assert.deepEqual(ipsOf(left), ['10.1.0.1', '10.1.0.3']);
    // The lease is trusted for 15 seconds, and checked every 10.
    const stop = AbortSignal.timeout(60_000);
    const changes = `${endpoints}?watch=1&fieldSelector=metadata.name%3Dorch&resourceVersion=${metadata.resourceVersion}`;
    for await (const { object } of client.watch(changes, stop)) {
      if (ipsOf(object as Pick<Endpoints, 'subsets'>).join() === '10.1.0.1') break;
    }
    assert.deepEqual(ipsOf(await now()), ['10.1.0.1']);
  });
});
