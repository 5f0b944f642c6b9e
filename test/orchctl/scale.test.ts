import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import type { CommandResult } from '@orch/orchctl/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';

const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: "example.com/a:1"}]}\n';

for (const naming of namings)
  describe(`orchctl scale while others write, --naming=${naming}`, () => {
    let cluster: CommandCluster;
    before(async () => {
      cluster = await commandCluster(naming);
      writeFileSync(join(cluster.folder, 'web.yaml'), deployment);
    });
    after(() => cluster[Symbol.asyncDispose]());

    const run = async (...argv: string[]): Promise<string> => {
      const { status, out, err } = await cluster.orchctl(argv);
      assert.equal(status, 0, err);
      return out;
    };
    const field = (path: string) => run('get', 'deployment', 'web', '-o', `jsonpath={${path}}`);

    /** Runs `scale`; a command line of `others` is carried out between each of its reads and the following write. */
    async function scaleAmong(others: readonly string[], ...argv: string[]): Promise<CommandResult> {
      const left = [...others];
      const end = new AbortController();
      const { promise: address, resolve } = Promise.withResolvers<string>();
      const proxy = cluster.orchctl(['proxy', '--port=0'], {
        signal: end.signal,
        onOutput: (text) => resolve(/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? ''),
      });
      const front = createServer(async (request, response) => {
        const { method = '', url = '', headers } = request;
        const other = method === 'PUT' ? left.shift() : undefined;
        if (other !== undefined) await run(...other.split(' '));
        const body = method === 'PUT' ? await buffer(request) : undefined;
        const answer = await fetch(`http://${await address}${url}`, {
          method,
          ...(body !== undefined && { body: new Uint8Array(body) }),
          headers: { accept: headers.accept ?? '*/*', 'content-type': headers['content-type'] ?? '' },
        });
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
      front.listen(0, '127.0.0.1');
      await once(front, 'listening');
      const { port } = front.address() as AddressInfo;
      try {
        return await cluster.orchctl([
          'scale',
          'deployment/web',
          ...argv,
          `--server=http://127.0.0.1:${port}`,
        ]);
      } finally {
        front.close();
        front.closeAllConnections();
        end.abort();
        await proxy;
      }
    }

    const reset = async (): Promise<string> => {
      await run('delete', 'deployment', 'web', '--ignore-not-found');
      await run('create', '-f', 'web.yaml');
      return field('.metadata.resourceVersion');
    };

    it('orchctl scale while others write is repeated with the new state, and keeps the other writes', async () => {
      await reset();
      const others = ['label deployment web a=1', 'label deployment web b=2'];
      const { status, out, err } = await scaleAmong(others, '--replicas=3');
      assert.deepEqual([status, out, err], [0, 'deployment.apps/web scaled\n', '']);
      assert.equal(await field('.spec.replicas'), '3');
      assert.equal(await field('.metadata.labels'), '{"a":"1","b":"2"}');
    });

    it('--current-replicas holds when the write is carried out', async () => {
      await reset();
      const argv = ['--current-replicas=1', '--replicas=3'];
      const unrelated = await scaleAmong(['label deployment web a=1'], ...argv);
      assert.equal(unrelated.status, 0, unrelated.err);
      await run('scale', 'deployment/web', '--replicas=1');
      const { status, err } = await scaleAmong(['scale deployment/web --replicas=5'], ...argv);
      assert.deepEqual([status, err], [1, 'error: Expected replicas to be 1, was 5\n']);
      assert.equal(await field('.spec.replicas'), '5');
    });

    it('--resource-version holds when the write is carried out', async () => {
      const read = await reset();
      const argv = [`--resource-version=${read}`, '--replicas=3'];
      const { status, err } = await scaleAmong(['label deployment web a=1'], ...argv);
      assert.equal(status, 1);
      assert.match(err, new RegExp(`^error: Expected resource version to be ${read}, was \\d+\n$`));
      assert.equal(await field('.spec.replicas'), '1');
    });
  });
