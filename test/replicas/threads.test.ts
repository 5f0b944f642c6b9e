import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { runCommandLine } from '@orch/orchctl/testing';
import { startEtcd } from '@orch/storage/testing';
import {
  ApiClient,
  freePort,
  launchServerProcess,
  type ServerProcess,
  temporaryFolder,
  type WatchEvent,
} from '@orch/testkit';

const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** More connections than threads: the kernel divides them. */
const CONNECTIONS = 24;

const auditPolicy = `
apiVersion: audit.orch.io/v1
kind: Policy
rules:
- level: Metadata
  resources: [{ resources: [podtemplates] }]
- level: None
`;

for (const [threads, storage, destination] of [
  [4, 'etcd', 'a file'],
  [2, 'the embedded store', 'standard output'],
] as const)
  describe(`a server with ${threads} threads over ${storage}`, { timeout: 180_000 }, () => {
    let etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;
    let server: ServerProcess;
    let ops: string;
    let clients: ApiClient[];
    const folder = temporaryFolder();
    const auditLog = join(folder.path, 'audit.log');

    before(async () => {
      writeFileSync(join(folder.path, 'policy.yaml'), auditPolicy);
      if (storage === 'etcd') etcd = await startEtcd();
      const opsPort = await freePort();
      ops = `http://127.0.0.1:${opsPort}`;
      server = await launchServerProcess({
        ...(etcd === undefined ? {} : { etcd: etcd.endpoints }),
        args: [
          `--threads=${threads}`,
          `--ops-bind-address=127.0.0.1:${opsPort}`,
          `--audit-log-path=${destination === 'a file' ? auditLog : '-'}`,
          `--audit-policy-file=${join(folder.path, 'policy.yaml')}`,
        ],
      });
      clients = Array.from({ length: CONNECTIONS }, () => new ApiClient(server.config, { maxSockets: 1 }));
    });
    after(async () => {
      for (const client of clients) client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    });

    const client = (index: number): ApiClient => {
      const found = clients[index % CONNECTIONS];
      assert.ok(found);
      return found;
    };

    it('a read over any connection sees a write acknowledged over another one', async () => {
      for (let i = 0; i < 4 * CONNECTIONS; i += 1) {
        const created = await client(i).post(path, configMap(`seen-${i}`));
        assert.equal(created.status, 201, created.text);
        const [got, listed] = await Promise.all([
          client(i + 1).get(`${path}/seen-${i}`),
          client(i + 7).get(`${path}?fieldSelector=metadata.name%3Dseen-${i}`),
        ]);
        assert.equal(got.status, 200, got.text);
        assert.equal((listed.json as { items: unknown[] }).items.length, 1);
      }
    });

    it('watches over all connections receive the same events in the same order', async () => {
      const { resourceVersion } = (
        (await client(0).get(path)).json as { metadata: { resourceVersion: string } }
      ).metadata;
      const stop = new AbortController();
      const expected = 40;
      const seen = clients.map(async (one) => {
        const revisions: string[] = [];
        for await (const event of one.watch(
          `${path}?watch=1&resourceVersion=${resourceVersion}`,
          stop.signal,
        )) {
          revisions.push(revisionOf(event));
          if (revisions.length === expected) break;
        }
        return revisions;
      });
      using writer = new ApiClient(server.config, { maxSockets: 8 });
      await Promise.all(
        Array.from({ length: expected }, (_, i) => writer.post(path, configMap(`watched-${i}`))),
      );
      const [first, ...others] = await Promise.all(seen);
      assert.equal(first?.length, expected);
      for (const other of others) assert.deepEqual(other, first);
      stop.abort();
    });

    it('a definition is served over every connection as soon as a client sees that it is established', async () => {
      const definition = await client(0).post('/apis/apiextensions.orch.io/v1/customresourcedefinitions', {
        apiVersion: 'apiextensions.orch.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      });
      assert.equal(definition.status, 201, definition.text);
      const statuses = await Promise.all(
        clients.map(async (one) => (await one.get('/apis/example.com/v1/namespaces/default/widgets')).status),
      );
      assert.deepEqual([...new Set(statuses)], [200]);
    });

    // These do not depend on the store.
    if (storage === 'etcd') {
      it('a scrape over any connection covers the requests of all threads', async () => {
        const numbers = Array.from({ length: threads }, (_, at) => at + 1);
        const lists = /^apiserver_request_total\{(?=.*verb="LIST")(?=.*resource="podtemplates").*\} (\d+)$/m;
        for (const one of clients) await one.get('/api/v1/podtemplates');
        for (const one of clients) {
          const { text } = await one.get('/metrics');
          assert.equal(lists.exec(text)?.[1], String(CONNECTIONS));
          assert.match(text, /^process_cpu_seconds_total \d/m);
          assert.match(text, /^apiserver_storage_objects\{resource="podtemplates"\} 0$/m);
          const cpu = [...text.matchAll(/^process_thread_cpu_seconds_total\{thread="(\d)"\} \S+$/gm)];
          assert.deepEqual(cpu.map(([, thread]) => Number(thread)).sort(), numbers);
          const lastHour = await one.get('/why/health');
          assert.equal(lastHour.status, 200, lastHour.text);
        }
      });

      it('the objects of all threads are in memory once', async () => {
        const size = 100_000;
        const count = 40;
        for (let i = 0; i < count; i += 1) {
          const created = await client(i).post(path, configMap(`large-${i}`, { text: 'x'.repeat(size) }));
          assert.equal(created.status, 201, created.text);
        }
        const bytesOf = (kind: string, text: string): number =>
          Number(new RegExp(`watch_cache_bytes\\{kind="${kind}"\\} (\\S+)`).exec(text)?.[1]);
        await poll('the objects in all threads', 30_000, async () => {
          const { text } = await client(0).get('/metrics');
          if (bytesOf('objects', text) < threads * count * size) return undefined;
          assert.ok(bytesOf('slabs', text) < 1.5 * count * size, `${bytesOf('slabs', text)} bytes in slabs`);
          return true;
        });
      });

      it('a trace finds the requests that any thread has handled, as those of one replica', async () => {
        const traced = Array.from({ length: 8 }, (_, at) => `traced-${at}`);
        for (const [at, id] of traced.entries())
          await client(at).post(path, configMap(id), { headers: { 'audit-id': id } });
        for (const id of traced) {
          const argv = ['trace', id, `--client-config=${server.adminConfig}`];
          const { out, status } = await runCommandLine(argv);
          assert.equal(status, 0, out);
          assert.match(out, /POST \/api\/v1\/namespaces\/default\/configmaps$/m);
          assert.match(out, /^asked 1 replica: /);
        }
      });

      it('a changed verbosity and sample of the access log hold for all threads', async () => {
        for (const changing of [3, 2, 1, 0])
          for (const [flag, value] of [
            ['v', `${changing}`],
            ['access-log-sample', `0.${changing + 1}`],
          ] as const) {
            assert.equal((await client(changing).put(`/debug/flags/${flag}`, value)).status, 200);
            await poll(`${flag} of all threads`, 10_000, async () => {
              const values = await Promise.all(clients.map((one) => one.get(`/debug/flags/${flag}`)));
              return values.every(({ text }) => text.trim() === value) ? true : undefined;
            });
          }
      });

      it('a profile of every thread is taken over any connection, at the same time', async () => {
        const numbers = Array.from({ length: threads }, (_, at) => at + 1);
        for (const [kind, part] of [
          ['cpu', 'nodes'],
          ['heap', 'head'],
        ] as const) {
          const profiles = await Promise.all(
            numbers.map(async (thread) => {
              using one = new ApiClient(server.config, { maxSockets: 1 });
              return await one.get(`/debug/profile/${kind}?seconds=1&thread=${thread}`);
            }),
          );
          for (const { status, json, text } of profiles) {
            assert.equal(status, 200, text);
            assert.ok(part in (json as object));
          }
        }
        const beyond = await client(0).get(`/debug/profile/cpu?thread=${threads + 1}`);
        const text = `thread ${threads + 1} not found: the number of threads is ${threads}\n`;
        assert.deepEqual([beyond.status, beyond.text], [404, text]);
      });

      it('a table of the watch cache of every thread is shown over any connection, and on the ops port', async () => {
        const resource = '/api/v1/namespaces/default/secrets';
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'watched' } };
        assert.equal((await client(0).post(resource, secret)).status, 201);
        const stop = new AbortController();
        const watch = client(0).watch(`${resource}?watch=1&resourceVersion=0`, stop.signal);
        try {
          await watch.next();
          const numbers = Array.from({ length: threads }, (_, at) => at + 1);
          const watched = (tables: readonly string[]): number =>
            tables.filter((text) => /^secrets, .* 1$/m.test(text)).length;
          for (const one of clients.slice(1, 5)) {
            const tables = await Promise.all(
              numbers.map((thread) => one.get(`/debug/cache?thread=${thread}`)),
            );
            assert.equal(watched(tables.map(({ text }) => text)), 1);
          }
          const local = numbers.map(async (thread) =>
            (await fetch(`${ops}/debug/cache?thread=${thread}`)).text(),
          );
          assert.equal(watched(await Promise.all(local)), 1);
        } finally {
          stop.abort();
        }
      });

      it('a second server does not start on the port of a server with threads', async () => {
        const second = launchServerProcess({ args: ['--threads=2'], port: server.port });
        await assert.rejects(second, /EADDRINUSE/);
      });
    }

    it('a stop completes the requests of all threads and ends the process with status 0', async () => {
      // The next test looks for the events of these.
      await Promise.all(
        clients.flatMap((one, at) =>
          Array.from({ length: 3 }, (_, i) => one.get(`/api/v1/namespaces/audited-${at}-${i}/podtemplates`)),
        ),
      );
      const stop = new AbortController();
      const begun = clients.map(() => Promise.withResolvers<void>());
      const watches = clients.map(async (one, at) => {
        for await (const _ of one.watch(`${path}?watch=1&resourceVersion=0`, stop.signal))
          begun[at]?.resolve();
        return 'ended';
      });
      await Promise.all(begun.map(({ promise }) => promise));
      const ended = server.process.stop('SIGTERM');
      assert.deepEqual([...new Set(await Promise.all(watches))], ['ended']);
      assert.deepEqual(await ended, { code: 0, signal: null });
    });

    it(`the events of the requests of all threads are in ${destination} after a stop, those of each request in order`, () => {
      const text = destination === 'a file' ? readFileSync(auditLog, 'utf8') : server.process.output();
      const stages = new Map<string, string[]>();
      for (const line of text.split('\n').filter((one) => one.includes('/audited-'))) {
        const { auditID, stage } = JSON.parse(line) as { auditID: string; stage: string };
        stages.set(auditID, [...(stages.get(auditID) ?? []), stage]);
      }
      assert.equal(stages.size, CONNECTIONS * 3);
      for (const of of stages.values()) assert.deepEqual(of, ['RequestReceived', 'ResponseComplete']);
    });
  });

const revisionOf = (event: WatchEvent): string =>
  (event.object as { metadata: { resourceVersion: string } }).metadata.resourceVersion;

describe('the embedded store of a server with threads', { timeout: 180_000 }, () => {
  it('a server with threads that was killed has every acknowledged write when it starts again', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'orch-killed-'));
    const options = { dataDir: join(dir, 'data'), certDir: join(dir, 'certs'), args: ['--threads=2'] };
    const acknowledged: string[] = [];
    {
      await using server = await launchServerProcess(options);
      const killed = new AbortController();
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        using client = new ApiClient(server.config, { maxSockets: 1 });
        for (let i = 0; !killed.signal.aborted; i += 1) {
          const name = `kept-${writer}-${i}`;
          const created = await client.post(path, configMap(name)).catch(() => undefined);
          if (created?.status === 201) acknowledged.push(name);
        }
      });
      await poll('writes of all connections', 60_000, async () => acknowledged.length > 200 || undefined);
      await server.process.stop('SIGKILL');
      killed.abort();
      await Promise.all(writers);
    }
    await using server = await launchServerProcess(options);
    const { items } = (await server.client.get(path)).json as { items: { metadata: { name: string } }[] };
    const kept = new Set(items.map(({ metadata }) => metadata.name));
    assert.deepEqual(
      acknowledged.filter((name) => !kept.has(name)),
      [],
    );
    rmSync(dir, { recursive: true });
  });
});
