import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startEtcd } from '@orch/storage/testing';
import {
  ApiClient,
  type LaunchedServer,
  launchServer,
  launchServerProcess,
  type ServerProcess,
  startBalancer,
  type WatchEvent,
} from '@orch/testkit';

const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Record<string, string>;
}
interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Item[];
}

for (const count of [3])
  describe(`${count} replicas on one etcd`, { timeout: 180_000 }, () => {
    let etcd: Awaited<ReturnType<typeof startEtcd>>;
    let replicas: LaunchedServer[];
    /** The one that is killed. */
    let last: ServerProcess;
    const certDir = mkdtempSync(join(tmpdir(), 'orch-certs-'));

    before(async () => {
      etcd = await startEtcd();
      const options = { etcd: etcd.endpoints, certDir };
      // The first one makes the certificates that the others share.
      const first = await launchServer(options);
      const others = await Promise.all([
        launchServerProcess(options),
        ...Array.from({ length: count - 2 }, () => launchServer(options)),
      ]);
      [last] = others;
      replicas = [first, ...others.toReversed()];
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

    it('a read without resourceVersion through any replica sees a write acknowledged by another replica', async () => {
      for (let i = 0; i < 60; i += 1) {
        const name = `seen-${i}`;
        const created = await replica(i).client.post(path, configMap(name));
        assert.equal(created.status, 201, created.text);
        const [got, listed] = await Promise.all([
          replica(i + 1).client.get(`${path}/${name}`),
          replica(i + 2).client.get(`${path}?fieldSelector=metadata.name%3D${name}`),
        ]);
        assert.equal(got.status, 200, got.text);
        assert.equal((listed.json as List).items.length, 1);
        const { metadata } = created.json as Item;
        assert.equal((got.json as Item).metadata.resourceVersion, metadata.resourceVersion);
      }
    });

    it('replicas accept the continue tokens of each other and serve all chunks from one snapshot', async () => {
      const all = (await replica(0).client.get(path)).json as List;
      const names: string[] = [];
      let token = '';
      let resourceVersion: string | undefined;
      for (let i = 0; ; i += 1) {
        const page = await replica(i).client.get(
          `${path}?limit=7${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`,
        );
        assert.equal(page.status, 200, page.text);
        const list = page.json as List;
        resourceVersion ??= list.metadata.resourceVersion;
        assert.equal(list.metadata.resourceVersion, resourceVersion);
        names.push(...list.items.map((item) => item.metadata.name));
        // A change between the chunks must not show in them.
        await replica(i + 1).client.post(path, configMap(`between-${i}`));
        token = list.metadata.continue ?? '';
        if (token === '') break;
      }
      assert.deepEqual(
        names,
        all.items.map((item) => item.metadata.name),
      );
    });

    it('a watch resumed at another replica loses and repeats no event', async () => {
      const start = (await replica(0).client.get(path)).json as List;
      const total = 120;
      const writing = (async () => {
        for (let i = 0; i < total; i += 1) {
          const answer = await replica(i).client.post(path, configMap(`resumed-${i}`));
          assert.equal(answer.status, 201, answer.text);
        }
      })();
      const seen: string[] = [];
      let from = start.metadata.resourceVersion;
      for (let hop = 0; seen.length < total; hop += 1) {
        const stop = new AbortController();
        let taken = 0;
        const events: AsyncGenerator<WatchEvent> = replica(hop).client.watch(
          `${path}?watch=1&resourceVersion=${from}`,
          stop.signal,
        );
        for await (const event of events) {
          assert.equal(event.type, 'ADDED');
          seen.push(event.object.metadata.name ?? '');
          from = event.object.metadata.resourceVersion;
          taken += 1;
          if (taken === 15 || seen.length === total) break;
        }
        stop.abort();
      }
      await writing;
      assert.deepEqual(
        seen,
        Array.from({ length: total }, (_, i) => `resumed-${i}`),
      );
    });

    it('reads over every connection of a load balancer see every acknowledged write', async () => {
      await using balancer = await startBalancer(replicas.map((r) => r.port));
      // A connection stays with its replica, and the balancer spreads connections over all of them.
      const clients = replicas.map(
        () => new ApiClient(replica(0).config, { server: balancer.url, maxSockets: 1 }),
      );
      for (let i = 0; i < 40; i += 1) {
        const name = `balanced-${i}`;
        const created = await clients[i % clients.length]?.post(path, configMap(name));
        assert.equal(created?.status, 201, created?.text);
        const answers = await Promise.all(clients.map((client) => client.get(`${path}/${name}`)));
        assert.deepEqual(
          answers.map((answer) => answer.status),
          clients.map(() => 200),
        );
      }
      for (const client of clients) client[Symbol.dispose]();
    });

    it('a replica killed under load behind a load balancer causes only the loss of its open connections', async () => {
      await using balancer = await startBalancer(replicas.map((r) => r.port));
      using client = new ApiClient(replica(0).config, { server: balancer.url, maxSockets: 12 });
      const acknowledged: string[] = [];
      const answers = new Map<number, number>();
      let broken = 0;
      const writer = async (id: number): Promise<void> => {
        for (let i = 0; i < 60; i += 1) {
          const name = `load-${id}-${i}`;
          try {
            const { status } = await client.post(path, configMap(name));
            answers.set(status, (answers.get(status) ?? 0) + 1);
            if (status === 201) acknowledged.push(name);
          } catch {
            broken += 1;
          }
          if (id === 0 && i === 20) void last.process.stop('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, id) => writer(id)));
      assert.deepEqual([...answers.keys()], [201], `answers: ${JSON.stringify([...answers])}`);
      // One connection of each writer at most was open to the killed replica, plus what was being balanced to it then.
      assert.ok(broken <= 24, `${broken} requests broke`);
      const list = (await replica(0).client.get(path)).json as List;
      const names = new Set(list.items.map((item) => item.metadata.name));
      assert.deepEqual(
        acknowledged.filter((name) => !names.has(name)),
        [],
      );
    });
  });
