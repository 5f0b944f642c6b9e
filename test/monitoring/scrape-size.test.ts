import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freePort, type LaunchedServer, launchServer } from '@orch/testkit';

/** A week of a busy server: every verb of every resource, and apply of what users declare in manifests. */
const MAX_BYTES = 5_000_000;

interface ListedResource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The paths of the served group versions, with their resources. */
async function resources(
  client: LaunchedServer['client'],
): Promise<readonly { readonly path: string; readonly resource: ListedResource }[]> {
  const groups = (await client.get('/apis')).json as {
    readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
  };
  const paths = [
    '/api/v1',
    ...groups.groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`),
  ];
  const lists = await Promise.all(
    paths.map(async (path) => {
      const list = (await client.get(path)).json as { readonly resources: readonly ListedResource[] };
      return list.resources.map((resource) => ({ path, resource }));
    }),
  );
  return lists.flat();
}

const requestsOf: Readonly<
  Record<string, (collection: string) => readonly [method: string, path: string, body?: object]>
> = {
  get: (collection) => ['GET', `${collection}/x`],
  list: (collection) => ['GET', collection],
  create: (collection) => ['POST', collection, {}],
  update: (collection) => ['PUT', `${collection}/x`, {}],
  patch: (collection) => ['PATCH', `${collection}/x`, {}],
  delete: (collection) => ['DELETE', `${collection}/x`],
};

describe('size of a scrape', { timeout: 300_000 }, () => {
  it('a server that has had requests of every verb for every resource exposes at most 5 MB', async (t) => {
    const port = await freePort();
    await using server = await launchServer({
      program: 'orch',
      args: [`--ops-bind-address=127.0.0.1:${port}`],
    });
    const { client } = server;
    let sent = 0;
    for (const { path, resource } of await resources(client)) {
      const [name = '', subresource = ''] = resource.name.split('/');
      const within = resource.namespaced ? `${path}/namespaces/default/${name}` : `${path}/${name}`;
      for (const verb of resource.verbs) {
        const [method, target, body] = requestsOf[verb]?.(within) ?? [];
        if (method === undefined || target === undefined) continue;
        const of = subresource === '' ? target : `${target}/${subresource}`;
        const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
        await client.send(method, of, { ...(body === undefined ? {} : { body }), contentType });
        if (verb === 'list' && resource.namespaced) await client.get(`${path}/${name}`);
        if (verb === 'patch' && resource.namespaced && subresource === '')
          await client.send('PATCH', `${of}?fieldManager=m`, {
            body: {},
            contentType: 'application/apply-patch+yaml',
          });
        sent += 1;
      }
    }
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    t.diagnostic(`${sent} requests, ${text.length} bytes, ${text.split('\n').length} lines`);
    const sizes = new Map<string, number>();
    for (const line of text.split('\n')) {
      const family = /^\w+?(?=_bucket|_sum|_count|\{| )/.exec(line)?.[0] ?? '';
      sizes.set(family, (sizes.get(family) ?? 0) + line.length + 1);
    }
    const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 8);
    t.diagnostic(largest.map(([family, bytes]) => `${family}: ${bytes}`).join('\n'));
    assert.ok(sent > 300);
    assert.ok(text.length <= MAX_BYTES, `${text.length} bytes; ${largest.join('; ')}`);
  });
});
