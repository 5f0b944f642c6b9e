import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { admitting, WebhookServer, webhookEntry } from '@orch/server/testing';
import { everyRequest, freePort, type LaunchedServer, launchServer } from '@orch/testkit';
import { root, unknownSeries } from './series.ts';

const MAX_BYTES = 5_000_000;
const DEFINITIONS = 40;
const WEBHOOKS = 20;
const USERS = 100;
const admission = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function define(client: LaunchedServer['client'], i: number): Promise<void> {
  const plural = `customs${i}`;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const made = await client.post(definitions, {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind: `Custom${i}` },
      versions: [{ ...version, subresources: { status: {} } }],
    },
  });
  assert.equal(made.status, 201, made.text);
}

/** Sends one request for every verb of every resource, some as dry runs, as different users. */
async function useEverything({ client }: LaunchedServer): Promise<number> {
  const requests = await everyRequest(client);
  for (const [i, { method, path, ...options }] of requests.entries()) {
    const headers = i % 4 === 0 ? { 'impersonate-user': `user-${i % USERS}` } : {};
    await client.send(method, path, { ...options, headers });
    if (i % 10 !== 0 || method === 'GET') continue;
    await client.send(method, `${path}${path.includes('?') ? '&' : '?'}dryRun=All`, options);
  }
  return requests.length;
}

function largestFamilies(text: string): readonly string[] {
  const sizes = new Map<string, number>();
  for (const line of text.split('\n')) {
    const family = /^\w+?(?=_bucket|_sum|_count|\{| )/.exec(line)?.[0] ?? '';
    sizes.set(family, (sizes.get(family) ?? 0) + line.length + 1);
  }
  return [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([family, bytes]) => `${family}: ${bytes}`);
}

/** The families of `docs/metrics.md`, with their type and labels. */
const documented = new Map(
  [
    ...readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(
      /^- `(\w+)` \((\w+)(?:;\s+([^)]*))?\):/gm,
    ),
  ].map(([, name = '', type = '', labels = '']) => [
    name,
    { type, labels: labels.split(/,\s+/).sort().join() },
  ]),
);

/** Families of a scrape that the page does not have, or has with another type or other labels. */
function undocumented(text: string): readonly string[] {
  const own = text
    .replaceAll(/^(#.* )?kubernetes_/gm, '$1orch_')
    .replaceAll('apiserver_kube_', 'apiserver_orch_')
    .split('\n');
  return own.flatMap((line, at) => {
    const [, name = '', type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (type === undefined || /^(process|nodejs)_/.test(name)) return [];
    const [sample = ''] = own.slice(at + 1);
    // A histogram with labels has no lines before its first observation.
    if (!sample.startsWith(name)) return documented.has(name) ? [] : [name];
    const found = [...sample.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label);
    const labels = found.filter((label) => label !== 'le').sort();
    const row = documented.get(name);
    return row?.type === type && row.labels === labels.join() ? [] : [`${name} ${type} ${labels}`];
  });
}

describe('size of a scrape', { timeout: 120_000 }, () => {
  it('a server with custom resources, webhooks and many users, after requests of every verb, exposes at most 5 MB', async (t) => {
    const port = await freePort();
    await using webhook = await WebhookServer.start(admitting());
    await using server = await launchServer({
      naming: 'kubernetes',
      program: 'orch',
      args: [`--ops-bind-address=127.0.0.1:${port}`],
    });
    const { client } = server;
    for (let i = 0; i < DEFINITIONS; i++) await define(client, i);
    const rule = { resources: ['configmaps'], operations: ['CREATE', 'DELETE'] };
    const webhooks = Array.from({ length: WEBHOOKS }, (_, i) =>
      webhookEntry(webhook, { rule, name: `w${i}.example.com` }),
    );
    assert.equal((await client.post(admission, { metadata: { name: 'many' }, webhooks })).status, 201);
    await client.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'admitted' } });
    const sent = await useEverything(server);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    t.diagnostic(`${sent} requests, ${text.length} bytes, ${text.split('\n').length} lines`);
    t.diagnostic(largestFamilies(text).join('\n'));
    assert.ok(sent > 600, `${sent} requests`);
    assert.ok(text.length <= MAX_BYTES, `${text.length} bytes; ${largestFamilies(text).join('; ')}`);
    assert.doesNotMatch(text, /user-\d/);
    assert.deepEqual(undocumented(text), []);
  });

  it('every family of the page about metrics is declared', () => {
    assert.ok(documented.size > 100);
    assert.deepEqual(unknownSeries([...documented.keys()].map((name) => `${name} > 0`)), []);
  });
});
