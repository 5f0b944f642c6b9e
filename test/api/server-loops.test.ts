import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '@orch/machinery/testing';
import { type ApiClient, launchServer } from '@orch/testkit';
import { expectCode } from './fixture.ts';

const root = join(import.meta.dirname, '..', '..');
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The names of queues in the list of docs/metrics.md. */
const documented = [
  ...readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(/^- `([a-z_]+)`: /gm),
].map(([, name = '']) => name);

/** The values of a family by the name of the queue. */
async function queues(client: ApiClient, family: string): Promise<ReadonlyMap<string, number>> {
  const { text } = expectCode(200, await client.get('/metrics'));
  const lines = text.matchAll(new RegExp(`^${family}\\{name="([^"]+)"\\} (\\S+)$`, 'gm'));
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

const size = {
  metadata: { name: 'sizes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'sizes', kind: 'Size' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('control loops of a server', { timeout: 60_000 }, () => {
  it('the metrics of a server have the queue of every loop, by the names of the page about metrics', async () => {
    await using server = await launchServer({
      naming: 'kubernetes',
      release: 'latest',
      args: ['--history-retention=1h'],
    });
    for (const family of [
      'workqueue_depth',
      'workqueue_adds_total',
      'workqueue_retries_total',
      'workqueue_unfinished_work_seconds',
      'workqueue_longest_running_processor_seconds',
    ]) {
      const names = async (): Promise<readonly string[]> =>
        [...(await queues(server.client, family)).keys()].sort();
      await eventually(names, (found) => isDeepStrictEqual(found, documented.toSorted()));
    }
  });

  it('a definition that is created and deleted passes through the queues of its loops', async () => {
    await using server = await launchServer({ naming: 'kubernetes' });
    const { client } = server;
    const done = (): Promise<ReadonlyMap<string, number>> =>
      queues(client, 'workqueue_work_duration_seconds_count');
    const before = (await done()).get('custom_resource_definitions') ?? 0;
    expectCode(201, await client.post(definitions, size));
    const has =
      (name: string, count: number) =>
      (counts: ReadonlyMap<string, number>): boolean =>
        (counts.get(name) ?? 0) > count;
    await eventually(done, has('custom_resource_definitions', before));
    const waited = await queues(client, 'workqueue_queue_duration_seconds_count');
    assert.ok(has('custom_resource_definitions', before)(waited));
    expectCode(200, await client.delete(`${definitions}/sizes.example.com`));
    await eventually(done, has('custom_resource_cleanup', 0));
  });
});
