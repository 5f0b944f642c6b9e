import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';
import type { Page } from 'playwright-core';
import { skipped, startConsole } from './console-browser.ts';
import {
  type ConsolePage,
  checkAccess,
  configMap,
  configMaps,
  openPage,
  type ShownConsole,
  showConsole,
  waitForText,
} from './console-pages.ts';

const group = namesFor('orch').group('rbac');

describe('explanations and the timeline of the console in Chromium', { skip: skipped }, () => {
  let cluster: ShownConsole;
  let shown: ConsolePage;
  let page: Page;
  before(async () => {
    cluster = await showConsole();
    ({ shown } = cluster);
    ({ page } = shown);
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** Lets the user `reader` list config maps of a new namespace. */
  async function permit(namespace: string): Promise<void> {
    const rbac = `/apis/${group}/v1/namespaces/${namespace}`;
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
    await cluster.post('/api/v1/namespaces', { metadata: { name: namespace } });
    await cluster.post(`${rbac}/roles`, { metadata: { name: 'reader' }, rules });
    await cluster.post(`${rbac}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'reader' }],
    });
  }

  it('a terminating object says what holds it, until nothing does', async () => {
    const finalizers = ['example.com/hold'];
    await cluster.post(configMaps, { metadata: { name: 'held', finalizers } });
    await cluster.server.client.delete(`${configMaps}/held`);
    await shown.show('#/configmaps/default/held');
    await waitForText(page, '.causes li', /Finalizer.*example\.com\/hold/);
    await cluster.server.client.send('PATCH', `${configMaps}/held`, {
      body: { metadata: { finalizers: null } },
      contentType: 'application/merge-patch+json',
    });
    await waitForText(page, '[role=status]', 'does not exist any more');
  });

  it('an object that stays says why it does when it is asked', async () => {
    await cluster.post(configMaps, configMap('staying'));
    await shown.show('#/configmaps/default/staying');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await waitForText(page, '.causes li', 'NotDeleted');
  });

  it('a field says who wrote its value', async () => {
    await cluster.post(configMaps, configMap('written'));
    await shown.show('#/configmaps/default/written');
    await page.locator('summary', { hasText: 'Update' }).click();
    await page.getByRole('button', { name: 'data.key' }).click();
    await waitForText(page, '.answer code', '"value"');
    await waitForText(page, '.answer li', /Manager/);
    await waitForText(page, '.answer li', /Write/);
    assert.deepEqual(await shown.violations(), []);
  });

  it('an administrator sees who may do something, by which role and binding', async () => {
    await permit('blue');
    await shown.show('#/~access');
    await page.getByLabel('Verb').fill('list');
    await page.getByLabel('Resource').fill('configmaps');
    await page.getByRole('textbox', { name: 'Namespace' }).fill('blue');
    await page.getByRole('button', { name: 'Ask' }).click();
    await waitForText(page, 'strong.good', 'You may do this.');
    await waitForText(page, '#who li', /User reader by Role reader and RoleBinding reader/);
    assert.equal(new URL(page.url()).hash, '#/~access?verb=list&resource=configmaps&namespace=blue');
    assert.equal(
      await page.locator('#who').getByRole('link', { name: 'RoleBinding reader' }).getAttribute('href'),
      `#/rolebindings.${group}/blue/reader`,
    );
  });

  it('the decision about another user names what is missing and who may grant it', async () => {
    await shown.show('#/~access?verb=delete&resource=pods&namespace=blue&user=reader');
    await waitForText(page, 'strong.bad', 'reader may not do this.');
    await waitForText(page, '.causes li', /MissingPermission.*"reader".*delete pods/);
  });

  it('an earlier decision is not shown for another question', async () => {
    await shown.show('#/~access?verb=list&resource=configmaps');
    await waitForText(page, 'strong.good', 'You may do this.');
    const held = deferred<void>();
    await page.route(/why\/access/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await shown.show('#/~access?verb=delete&resource=pods&namespace=blue&user=reader');
    await waitForText(page, '[role=status]', 'The server is asked.');
    assert.equal(await page.locator('strong.good').count(), 0);
    held.resolve();
    await waitForText(page, 'strong.bad', 'reader may not do this.');
    await page.unroute(/why\/access/);
  });

  it('a path can be asked for', async () => {
    await shown.show('#/~access?verb=get&resource=%2Fmetrics');
    await waitForText(page, 'strong.good', 'You may do this.');
  });

  describe('a user with few permissions', () => {
    it('the user reads why a list is refused, and what is allowed', async () => {
      await permit('green');
      await using reading = await startConsole(cluster.server.adminConfig, ['--as=reader']);
      await using other = await openPage(cluster.browser, reading);
      await other.show('#/secrets?namespace=green');
      await other.page.getByRole('alert').getByRole('link', { name: 'Why?' }).click();
      await waitForText(other.page, 'strong.bad', 'You may not do this.');
      await waitForText(other.page, '.causes li', /MissingPermission/);
      await waitForText(other.page, '#own li', /list, watch of configmaps/);
      await waitForText(other.page, '#who [role=alert]', 'cannot list resource');
    });

    it('the refused requests of the user are there, with their causes', async () => {
      await using reading = await startConsole(cluster.server.adminConfig, ['--as=reader']);
      await using other = await openPage(cluster.browser, reading);
      await other.show('#/~requests');
      await other.page.locator('#refused summary', { hasText: 'secrets' }).first().click();
      await waitForText(other.page, '#refused details[open] li', /Authorization|MissingPermission/);
      assert.deepEqual(await other.violations(), []);
    });
  });

  it('the timeline of a namespace has the changes of all kinds, and searches them', async () => {
    await permit('red');
    await shown.show('#/~timeline?namespace=red');
    await waitForText(page, '.events li', /RoleBinding red\/reader created by \S+/);
    await waitForText(page, '.events li', /Role red\/reader created by/);
    assert.equal(await page.locator('.events li', { hasText: 'blue' }).count(), 0);
    await page.getByLabel('Search').fill('ROLEBINDING reader');
    await waitForText(page, '[role=status]', /^1 change$/);
    await page.locator('.events a').click();
    await page.getByRole('heading', { level: 1, name: 'red/reader' }).waitFor();
  });

  /** Each page, with its requests, and what it shows after them. */
  const requestsOf = [
    ['#/configmaps/default/staying', /api\/v1\/namespaces\/default\/configmaps/, '.yaml'],
    ['#/~access?verb=list&resource=configmaps', /why\/access/, 'strong.good'],
    ['#/~requests', /why\/requests/, '#slow p'],
    ['#/~health', /\/metrics/, '[aria-label="Sizes"]'],
  ] as const;
  for (const [fragment, requests, answer] of requestsOf)
    it(`the page ${fragment} shows a refusal, a gap and a busy server in their words, and the answer after them`, async () => {
      for (const code of [403, 410, 429]) {
        const message = `the fault ${code}`;
        const json = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code };
        await page.route(requests, (route) => route.fulfill({ status: code, json }));
        await shown.show(fragment);
        await page.reload();
        await waitForText(page, '[role=alert], .freshness.stale', message);
        await page.unroute(requests);
      }
      await page.reload();
      await page.locator(answer).first().waitFor();
      await page.getByText('the fault').waitFor({ state: 'detached' });
    });

  it('the timeline names the kinds whose changes a user may not read, with the reasons', async () => {
    const json = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'not for you', code: 403 };
    await page.route(/roles/, (route) => route.fulfill({ status: 403, json }));
    await shown.show('#/~timeline?namespace=red');
    await page.reload();
    await page.locator('summary', { hasText: /^Not known for \d kinds?$/ }).click();
    await waitForText(page, 'details li', 'roles: not for you');
    await page.unroute(/roles/);
  });

  it('explanations have no violation of WCAG, narrow and wide, dark and light', async () => {
    await checkAccess(shown, [
      ['#/~access?verb=list&resource=configmaps&namespace=blue', '#who li'],
      ['#/~requests', '#slow p'],
      ['#/~timeline?namespace=red', '.events li'],
      ['#/configmaps/default/staying?open=why', '.causes li'],
    ]);
  });
});
