import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommandLine } from '@orch/orchctl/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { FaultyFront } from './faulty-front.ts';

/** More than one page of commands without a flag for the size of pages. */
const COUNT = 503;
const maps = '/api/v1/namespaces/default/configmaps';

describe('lists whose pages expire', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'expired-pages-'));
  const config = join(folder, 'front.conf');
  let server: LaunchedServer;
  let front: FaultyFront;
  before(async () => {
    server = await launchServer({ naming: 'kubernetes' });
    front = await FaultyFront.listen(server.config);
    front.expirePages();
    const entries = {
      clusters: [{ name: 'front', cluster: { server: front.url } }],
      contexts: [{ name: 'front', context: { cluster: 'front', namespace: 'default' } }],
    };
    const head = { apiVersion: 'v1', kind: 'Config', 'current-context': 'front' };
    writeFileSync(config, JSON.stringify({ ...head, ...entries }));
    for (let i = 0; i < COUNT; i += 1)
      assert.equal(
        (await server.client.post(maps, { metadata: { name: `map-${i}`, labels: { a: 'b' } } })).status,
        201,
      );
    const involvedObject = { kind: 'ConfigMap', name: 'map-0', namespace: 'default' };
    for (let i = 0; i < 3; i += 1)
      await server.client.post('/api/v1/namespaces/default/events', {
        ...{ metadata: { name: `event-${i}` }, involvedObject, reason: 'Tested', message: `number ${i}` },
      });
    await server.client.post('/api/v1/nodes', { metadata: { name: 'node' } });
    for (const name of ['one', 'two'])
      await server.client.post('/api/v1/namespaces/default/pods', {
        ...{ metadata: { name }, spec: { nodeName: 'node', containers: [{ name: 'c', image: 'i' }] } },
      });
  });
  after(async () => {
    await front[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command, which must meet an expired page and end well. */
  async function run(...argv: string[]): Promise<string> {
    const { expiredPages } = front;
    const result = await runCommandLine([...argv, `--kubeconfig=${config}`], { folder, homeFolder: folder });
    assert.equal(result.status, 0, result.err);
    assert.ok(front.expiredPages > expiredPages, 'a page has expired');
    return result.out;
  }
  const lines = (text: string, pattern: RegExp): number =>
    text.split('\n').filter((line) => pattern.test(line)).length;

  it('"get" and "describe" print every object once, read again', async () => {
    assert.equal(lines(await run('get', 'cm', '-o', 'name', '-l', 'a=b'), /^configmap\//), COUNT);
    assert.equal(lines(await run('describe', 'cm', '-l', 'a=b', '--chunk-size=200'), /^Name:/), COUNT);
  });

  it('"events" prints every event once', async () => {
    assert.equal(lines(await run('events', '--for', 'configmap/map-0', '--chunk-size=1'), /number \d/), 3);
  });

  it('"label --all", "annotate --all" and "delete --all" reach every object', async () => {
    assert.equal(lines(await run('label', 'cm', '--all', 'c=d'), /labeled/), COUNT);
    assert.equal(lines(await run('annotate', 'cm', '-l', 'a=b', 'c=d'), /annotated/), COUNT);
    assert.equal(lines(await run('delete', 'cm', '-l', 'a=b'), /deleted/), COUNT);
  });

  it('"drain" evicts every pod of its node', async () => {
    const out = await run('drain', 'node', '--force', '--chunk-size=1', '--dry-run=server');
    assert.match(out, /pod default\/one/);
    assert.match(out, /pod default\/two/);
  });
});
