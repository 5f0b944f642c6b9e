import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { systemEnv } from '@orch/machinery/env';
import { runCommandLine } from '@orch/orchctl/testing';
import { internalKey } from '@orch/registry';
import { prefixRange } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd } from '@orch/storage/testing';
import {
  ApiClient,
  type LaunchedServer,
  launchServer,
  launchServerProcess,
  type ServerProcess,
  temporaryFolder,
} from '@orch/testkit';
import { expectCode } from '../api/fixture.ts';

const never = new AbortController().signal;
const maps = '/api/v1/namespaces/default/configmaps';

describe('requests that several replicas remember', { timeout: 120_000 }, () => {
  const certDir = temporaryFolder();
  const servers: LaunchedServer[] = [];
  /** The one that is killed. */
  let last: ServerProcess | undefined;
  let etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;

  before(async () => {
    etcd = await startEtcd();
    const { endpoints } = etcd;
    const options = { etcd: endpoints, certDir: certDir.path, args: ['--authorization-mode=RBAC'] };
    // The first one makes the certificates that the others share.
    servers.push(await launchServer(options));
    const others = await Promise.all([launchServer(options), launchServerProcess(options)]);
    [, last] = others;
    servers.push(...others);
  });
  after(async () => {
    await Promise.all(servers.map((one) => one[Symbol.asyncDispose]()));
    await etcd?.[Symbol.asyncDispose]();
    certDir[Symbol.dispose]();
  });

  const server = (index: number): LaunchedServer => {
    const found = servers[index];
    assert.ok(found);
    return found;
  };
  const trace = (asked: number, id: string, ...argv: string[]) =>
    runCommandLine(['trace', id, `--client-config=${server(asked).adminConfig}`, ...argv]);

  it('any replica finds a request that another one handled, and names all that were asked', async () => {
    for (const [handling, client] of [server(0), server(1), server(2)].entries()) {
      const id = `traced-${handling}`;
      const headers = { 'audit-id': id };
      const created = await client.client.post(maps, { metadata: { name: id } }, { headers });
      expectCode(201, created);
      const { out, status } = await trace((handling + 1) % 3, id);
      assert.equal(status, 0, out);
      assert.match(out, /^asked 3 replicas: /);
      assert.match(out, /POST \/api\/v1\/namespaces\/default\/configmaps$/m);
      assert.match(out, /^ {2}store +create +/m);
    }
  });

  it('a request that two replicas handled under one id is shown for both, in order', async () => {
    const headers = { 'audit-id': 'both' };
    expectCode(409, await server(1).client.post(maps, { metadata: { name: 'traced-0' } }, { headers }));
    expectCode(201, await server(2).client.post(maps, { metadata: { name: 'both' } }, { headers }));
    const { out } = await trace(0, 'both', '-o', 'json');
    const { requests, replicas } = JSON.parse(out);
    assert.deepEqual(
      requests.map(({ code }: { readonly code: number }) => code),
      [409, 201],
    );
    assert.equal(new Set(requests.map(({ replica }: { readonly replica: string }) => replica)).size, 2);
    assert.equal(replicas.length, 3);
  });

  it('a user is not shown the request of another one, whichever replica remembers it', async () => {
    const { out, status } = await trace(0, 'both', '--as=jane');
    assert.equal(status, 1);
    assert.match(out, /^asked 3 replicas: .*none remembers such a request of yours\n$/s);
    assert.doesNotMatch(out, /POST/);
  });

  it('a replica that was stopped is missing among those that answer', async () => {
    await last?.process.stop('SIGKILL');
    const { out } = await trace(1, 'both', '-o', 'json');
    const { requests, replicas } = JSON.parse(out);
    assert.equal(replicas.length, 2);
    assert.deepEqual(
      requests.map(({ code }: { readonly code: number }) => code),
      [409],
    );
  });

  it('questions of a user beyond the limits are refused, and those of others are answered meanwhile', async () => {
    const path = '/why/requests?id=both';
    using client = new ApiClient(server(0).config);
    const asJane = { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' } };
    const [first, second, jane] = await Promise.all([
      client.get(path),
      client.get(path),
      client.get(path, asJane),
    ]);
    assert.deepEqual([first.status, second.status].toSorted(), [200, 429]);
    expectCode(200, jane);
    expectCode(200, await client.get(path));
  });

  it('the only replica of a cluster writes no questions to the store', async () => {
    const storePrefix = '/alone';
    const endpoints = etcd?.endpoints ?? [];
    const args = [`--etcd-prefix=${storePrefix}`];
    await using alone = await launchServer({ etcd: endpoints, args });
    const questions = prefixRange(internalKey(`${storePrefix}/`, 'request-questions/'));
    const store = await openEtcdStore({ endpoints, env: systemEnv() });
    expectCode(
      201,
      await alone.client.post(maps, { metadata: { name: 'm' } }, { headers: { 'audit-id': 'm' } }),
    );
    const answer = await alone.client.get('/why/requests?id=m');
    expectCode(200, answer);
    const { replicas, requests } = answer.json as {
      readonly replicas: unknown[];
      readonly requests: unknown[];
    };
    assert.deepEqual([replicas.length, requests.length], [1, 1]);
    // Questions expire after ten seconds.
    const { items } = await store.list(questions, {}, never);
    await store.close();
    assert.deepEqual(items, []);
  });

  it('a user without permission for all requests is shown no hosts', async () => {
    const { out } = await trace(0, 'both', '--as=jane');
    assert.match(out, /^asked 2 replicas: [0-9a-f]{8}, [0-9a-f]{8}\n/);
    const full = await trace(0, 'both');
    assert.ok(full.out.startsWith(`asked 2 replicas: ${hostname()}-`), full.out);
  });
});
