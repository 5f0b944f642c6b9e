import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, launchServerProcess } from '@orch/testkit';
import { TwoReplicas } from './two-replicas.ts';
import { DEFINITIONS, definition, establish, GROUP, WIDGETS, widget } from './widgets.ts';

describe('custom resources of running servers', { timeout: 180_000 }, () => {
  it('custom objects are served by the first request after a kill and a restart', async () => {
    await using work = await tempDir('orch-custom-');
    const [dataDir, certDir] = [join(work.path, 'data'), join(work.path, 'certs')];
    {
      await using server = await launchServerProcess({ dataDir, certDir });
      assert.equal((await establish(server.client)).status, 201);
      assert.equal((await server.client.send('POST', WIDGETS, { body: widget('kept') })).status, 201);
      await server.process.stop('SIGKILL');
    }
    await using server = await launchServer({ dataDir, certDir });
    const { status, json } = await server.client.send('GET', `${WIDGETS}/kept`);
    assert.deepEqual([status, (json as { spec: unknown }).spec], [200, { size: 1 }]);
  });

  it('two replicas on etcd serve each definition from the first request after it was established', async () => {
    await using replicas = await TwoReplicas.open();
    const { first, second } = replicas;
    for (let index = 0; index < 20; index++) {
      const order: readonly [LaunchedServer, LaunchedServer] =
        index % 2 === 0 ? [first, second] : [second, first];
      const [here, there] = order;
      assert.equal((await establish(here.client, definition(index))).status, 201);
      const path = `/apis/g${index}.example.com/v1/namespaces/default/widgets${index}`;
      const body = {
        apiVersion: `g${index}.example.com/v1`,
        kind: `Widget${index}`,
        metadata: { name: 'a' },
      };
      const created = await there.client.send('POST', path, { body });
      assert.equal(created.status, 201, created.text);
      assert.equal((await here.client.send('GET', `${path}/a`)).status, 200);
    }
  });

  it('two replicas serve no more requests for a definition after its deletion has ended', async () => {
    await using replicas = await TwoReplicas.open();
    const { first, second } = replicas;
    const created = await establish(first.client);
    const { resourceVersion } = (created.json as { metadata: { resourceVersion: string } }).metadata;
    for (let i = 0; i < 50; i++) {
      assert.equal((await second.client.send('POST', WIDGETS, { body: widget(`w${i}`) })).status, 201);
    }
    const stop = new AbortController();
    const query = `watch=true&resourceVersion=${resourceVersion}`;
    const ended = (async () => {
      for await (const { type } of second.client.watch(`${DEFINITIONS}?${query}`, stop.signal)) {
        if (type === 'DELETED') break;
      }
    })();
    const deleted = await first.client.send('DELETE', `${DEFINITIONS}/widgets.${GROUP}`);
    assert.equal(deleted.status, 200, deleted.text);
    await ended;
    stop.abort();
    for (const { client } of [first, second]) {
      assert.equal((await client.send('GET', WIDGETS)).status, 404);
      assert.equal((await client.send('POST', WIDGETS, { body: widget('late') })).status, 404);
    }
    const again = await establish(second.client);
    assert.equal(again.status, 201, again.text);
    const { json } = await first.client.send('GET', WIDGETS);
    assert.deepEqual((json as { items: unknown }).items, [], 'no object of the deleted definition is left');
  });
});
