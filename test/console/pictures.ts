import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { configMap, configMaps, type ShownConsole, showConsole } from './console-pages.ts';

/** Takes the pictures of `docs/console`: each page in both color schemes. */

const folder = join(import.meta.dirname, '../../docs/console');
const size = { width: 860, height: 540 };

/** A page, and the element that it shows when it is complete. */
const views: readonly (readonly [name: string, fragment: string, selector: string])[] = [
  ['list', '#/configmaps?namespace=default', 'tbody a'],
  ['object', '#/deployments.apps/default/web', '.yaml'],
  ['permissions', '#/~access?verb=delete&resource=pods&namespace=default&user=reader', '#who li'],
  ['timeline', '#/~timeline?namespace=default', '.events li'],
  ['health', '#/~health', '[aria-label="Sizes"] tr'],
];

await using cluster = await showConsole();
await fill(cluster);
mkdirSync(folder, { recursive: true });
const { page, show } = cluster.shown;
await page.setViewportSize(size);
for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme });
  for (const [name, fragment, selector] of views) {
    await show(fragment);
    await page.locator(selector).first().waitFor();
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
}

/** Objects such as those of a small cluster. */
async function fill({ post, server }: ShownConsole): Promise<void> {
  for (const name of ['settings', 'web-settings', 'web-templates', 'certificates'])
    await post(configMaps, configMap(name));
  const labels = { app: 'web' };
  await post('/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web', labels },
    spec: {
      ...{ replicas: 3, selector: { matchLabels: labels } },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  });
  await server.client.send('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', {
    body: { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } },
    contentType: 'application/strategic-merge-patch+json',
  });
  const group = namesFor('orch').group('rbac');
  await post(`/apis/${group}/v1/namespaces/default/rolebindings`, {
    metadata: { name: 'editors' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'edit' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'ann' }],
  });
}
