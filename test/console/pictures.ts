import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { admitting, webhookEntry } from '@orch/server/testing';
import { temporaryFolder } from '@orch/testkit';
import { bind, refusedBy, servesPolicies } from '../admission/policies.ts';
import { WebhookCluster } from '../admission/webhook-cluster.ts';
import { nodeCluster } from '../orchctl/node-cluster.ts';
import { launchBrowser, startConsole } from './console-browser.ts';
import { configMap, configMaps, openPage } from './console-pages.ts';
import { picturedViews } from './pictured-views.ts';

/** Takes the pictures of `docs/console`: each page in both color schemes. */

const folder = join(import.meta.dirname, '../../docs/console');
const size = { width: 860, height: 540 };

using files = temporaryFolder();
const tokens = join(files.path, 'tokens');
writeFileSync(tokens, 'token-of-ann,ann,1\n');
await using cluster = await nodeCluster('orch', () => 1, {
  args: [
    ...['--console', '--authorization-mode=RBAC', '--history-retention=1h', servesPolicies],
    `--token-auth-file=${tokens}`,
  ],
});
const webhooks = await WebhookCluster.around(cluster.server);
await fill();
await using running = await startConsole(cluster.server.adminConfig);
await using browser = await launchBrowser();
const atServer = { address: new URL('/console/', cluster.server.url) };
await using own = await openPage(browser, running);
await using team = await openPage(browser, atServer, { ignoreHTTPSErrors: true });
mkdirSync(folder, { recursive: true });
for (const { page } of [own, team]) await page.setViewportSize(size);
for (const view of picturedViews) {
  const { page, show } = view.name === 'login' ? team : own;
  await show(view.fragment);
  await view.prepare?.(page);
  await page.locator(view.selector).first().waitFor();
  if (view.top !== undefined)
    await page
      .locator(view.top)
      .first()
      .evaluate((part) => part.scrollIntoView());
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${view.name}-${colorScheme}.png`) });
  }
}

await webhooks.webhook.stop();

/** Objects such as those of a small cluster. */
async function fill(): Promise<void> {
  const { client } = cluster.server;
  const post = async (path: string, body: object): Promise<void> => {
    const { status, text } = await client.post(path, body);
    if (status >= 300) throw new Error(text);
  };
  for (const name of ['settings', 'web-settings', 'web-templates', 'certificates'])
    await post(configMaps, configMap(name));
  const web = '/apis/apps/v1/namespaces/default/deployments/web';
  for (const patch of [
    { metadata: { labels: { app: 'web' } }, spec: { replicas: 3 } },
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } } },
  ])
    await client.send('PATCH', web, { body: patch, contentType: 'application/strategic-merge-patch+json' });
  for (const line of ['listening on port 80', 'GET / 200', 'GET /favicon.ico 404']) cluster.agent.log(line);
  const names = namesFor('orch');
  const group = names.group('rbac');
  await post(`/apis/${group}/v1/namespaces/default/rolebindings`, {
    metadata: { name: 'editors' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'edit' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'ann' }],
  });
  const size = { type: 'integer', minimum: 1, description: 'How many copies there are.' };
  const spec = { type: 'object', required: ['size'], properties: { size, color: { type: 'string' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  await post(`/apis/${names.group('apiextensions')}/v1/customresourcedefinitions`, {
    metadata: { name: 'things.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  await client.post(configMaps, configMap('Not valid'));
  await addExtensions();
  await post(configMaps, { metadata: { name: 'held', finalizers: ['example.com/backup'] } });
  await client.delete(`${configMaps}/held`);
}

/** A webhook and a policy, each of which refuses a write. */
async function addExtensions(): Promise<void> {
  const { client } = cluster.server;
  webhooks.webhook.answer = admitting(({ object }) =>
    object.data === undefined ? { allowed: false, status: { message: 'the data are missing' } } : undefined,
  );
  const name = 'complete.example.com';
  const objectSelector = { matchLabels: { test: 'limits' } };
  await webhooks.configure('validating', 'checks', [
    webhookEntry(webhooks.webhook, { name, objectSelector }),
  ]);
  const metadata = { name: 'limited', labels: { test: 'limits' } };
  await client.post(configMaps, { metadata });
  const validations = [{ expression: 'object.data.size() < 2', message: 'only one entry is permitted' }];
  await bind(client, 'limits', { validations });
  await refusedBy(() => client.post(`${configMaps}?dryRun=All`, { metadata, data: { a: '1', b: '2' } }));
}
