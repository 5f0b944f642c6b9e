import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ApiClient, launchServerProcess } from '@orch/testkit';

const maps = '/api/v1/namespaces/default/configmaps';

describe('one process on the embedded store', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-restart-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('the embedded store loses no acknowledged write when the process is killed under load, and continues with greater revisions', async () => {
    const options = { dataDir: join(folder, 'data'), certDir: join(folder, 'certs') };
    const acknowledged = new Map<string, string>();
    let highest = 0;
    for (let round = 0; round < 4; round += 1) {
      const server = await launchServerProcess(options);
      using client = new ApiClient(server.config, { maxSockets: 16 });
      const list = (await client.get(maps)).json as {
        metadata: { resourceVersion: string };
        items: { metadata: { name: string; resourceVersion: string } }[];
      };
      const found = new Map(list.items.map((item) => [item.metadata.name, item.metadata.resourceVersion]));
      for (const [name, version] of acknowledged)
        assert.equal(found.get(name), version, `${name} after restart ${round}`);
      assert.ok(Number(list.metadata.resourceVersion) >= highest, 'revisions never go back');
      let killed = false;
      const writer = async (id: number): Promise<void> => {
        for (let i = 0; !killed; i += 1) {
          const name = `r${round}-w${id}-${i}`;
          try {
            const answer = await client.post(maps, {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name },
              data: { x: 'y'.repeat(500) },
            });
            if (answer.status !== 201) continue;
            const { metadata } = answer.json as { metadata: { resourceVersion: string } };
            acknowledged.set(name, metadata.resourceVersion);
            highest = Math.max(highest, Number(metadata.resourceVersion));
            if (acknowledged.size >= (round + 1) * 150 && !killed) {
              killed = true;
              void server.process.stop('SIGKILL');
            }
          } catch {
            return;
          }
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, id) => writer(id)));
      await server[Symbol.asyncDispose]();
    }
    assert.ok(acknowledged.size >= 600);
  });

  it('SIGTERM drains the server: readiness fails first, watches end with a bookmark, requests in flight finish, the exit status is 0', async () => {
    await using server = await launchServerProcess({ args: ['--shutdown-delay-duration=1s'] });
    const list = (await server.client.get(maps)).json as { metadata: { resourceVersion: string } };
    const types: string[] = [];
    const watching = (async () => {
      const path = `${maps}?watch=1&allowWatchBookmarks=true&resourceVersion=${list.metadata.resourceVersion}`;
      for await (const event of server.client.watch(path, AbortSignal.timeout(30_000)))
        types.push(event.type);
    })();
    await server.client.post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'before' } });
    server.process.child.kill('SIGTERM');
    let ready = 200;
    while (ready === 200) ready = (await server.client.get('/readyz')).status;
    assert.equal(ready, 500);
    const during = await server.client.get(maps);
    assert.equal(during.status, 200, 'requests are served until the delay is over');
    await watching;
    assert.deepEqual(types, ['ADDED', 'BOOKMARK']);
    const { code } = await server.process.stop('SIGCONT');
    assert.equal(code, 0, server.process.output());
  });
});
