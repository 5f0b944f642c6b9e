import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { freePorts } from '@orch/machinery/testing';
import { launchServer, temporaryFolder } from '@orch/testkit';
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

const MANY = 620;

/** The texts of the drawn cells of a column. */
const cellsOf = (page: Page, place: number): Promise<string[]> =>
  page.locator(`tbody tr[aria-rowindex] td:nth-child(${place})`).allInnerTexts();

describe('lists of the console in Chromium', { skip: skipped }, () => {
  let cluster: ShownConsole;
  let shown: ConsolePage;
  let page: Page;
  before(async () => {
    cluster = await showConsole();
    ({ shown } = cluster);
    ({ page } = shown);
    const names = Array.from({ length: MANY }, (_, place) => `many-${String(place).padStart(3, '0')}`);
    await Promise.all(names.map((name) => cluster.post(configMaps, configMap(name))));
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('a list has the columns of the server and follows its changes', async () => {
    await cluster.post('/api/v1/namespaces', { metadata: { name: 'blue' } });
    await shown.show('#/namespaces');
    await waitForText(page, 'tbody td', 'blue');
    assert.deepEqual(await page.locator('thead th').allInnerTexts(), ['Name', 'Status', 'Age']);
    await cluster.post('/api/v1/namespaces', { metadata: { name: 'green' } });
    await waitForText(page, 'tbody td', 'green');
    await cluster.server.client.delete('/api/v1/namespaces/green');
    await waitForText(page, 'tbody tr:has-text("green")', 'Terminating');
    assert.equal(await page.locator('.freshness strong').textContent(), 'Live');
  });

  it('a long list is read in chunks and draws only the rows in sight', async () => {
    await shown.show('#/configmaps?namespace=default&labels=app%3Dmany');
    await waitForText(page, '.freshness', `${MANY} objects`);
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('End');
    await waitForText(page, 'tbody tr[aria-selected=true]', 'many-619');
    assert.ok((await page.locator('tbody tr').count()) < 100);
    assert.equal(await page.locator('[role=grid]').getAttribute('aria-rowcount'), String(MANY + 1));
  });

  it('rows in sight stay where they are when rows above them appear', async () => {
    const place = async (): Promise<number | undefined> =>
      (await page.locator('tr', { hasText: 'many-610' }).boundingBox())?.y;
    const earlier = await place();
    await cluster.post(configMaps, configMap('many-0005'));
    await waitForText(page, '.freshness', `${MANY + 1} objects`);
    assert.equal(await place(), earlier);
  });

  it('search, order and selectors are in the address, and a link leads to the same view', async () => {
    await shown.show('#/configmaps?namespace=default');
    await page.keyboard.press('/');
    await page.keyboard.type('MANY-61');
    await waitForText(page, '.freshness', /^10 of /);
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByLabel('Labels').fill('app=many');
    await page.keyboard.press('Enter');
    await waitForText(page, '.freshness', `10 of ${MANY + 1} objects`);
    const names = await cellsOf(page, 1);
    assert.deepEqual([names[0], names.length], ['many-619', 10]);
    const address = new URL(page.url());
    assert.equal(
      address.hash,
      '#/configmaps?namespace=default&labels=app%3Dmany&search=MANY-61&sort=Name&order=descending',
    );
    await page.reload();
    await waitForText(page, '.freshness', `10 of ${MANY + 1} objects`);
    assert.deepEqual(await cellsOf(page, 1), names);
    await page.goBack();
    await waitForText(page, '.freshness', /^10 of \d+ objects/);
    assert.equal(await page.getByLabel('Labels').inputValue(), '');
  });

  it('a list is saved as CSV as it is shown, and as YAML', async () => {
    await shown.show('#/configmaps?namespace=default&search=many-61');
    await waitForText(page, '.freshness', /^10 of /);
    const saved = async (name: string): Promise<string> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name }).click();
      return readFileSync(await (await download).path(), 'utf8');
    };
    const csv = (await saved('Save CSV')).split('\r\n');
    assert.deepEqual([csv.length, csv[0], csv[1]?.split(',')[0]], [12, 'Name,Data,Age', 'many-610']);
    assert.match(await saved('Save YAML'), /^ {4}name: many-000$/m);
  });

  it('a selector that the server does not understand is a failure in its words', async () => {
    await shown.show('#/configmaps?labels=%3D%3D');
    await page.getByRole('alert').waitFor();
    assert.match(String(await page.getByRole('alert').textContent()), /unable to parse|selector/);
  });

  it('keys lead through the page without a pointer', async () => {
    await shown.show('#/namespaces');
    await waitForText(page, 'tbody td', 'blue');
    await page.keyboard.press('g');
    await page.keyboard.type('clusterroles');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ClusterRole', exact: true }).waitFor();
    await waitForText(page, 'tbody td', 'cluster-admin');
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'cluster-admin' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'ClusterRole', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('perm');
    await page.getByRole('option', { name: 'Permissions', selected: true }).waitFor();
    assert.deepEqual(await shown.violations(), []);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Permissions' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('cm');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ConfigMap' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('the palette stays when it is opened again before the event of its closing', async () => {
    await shown.show('#/namespaces');
    await waitForText(page, 'tbody td', 'blue');
    await page.keyboard.press('Control+k');
    const option = page.getByRole('option', { name: 'Permissions' });
    await option.waitFor();
    await page.evaluate(`new Promise((resolve) => {
      const dialog = document.querySelector('dialog.palette');
      dialog.addEventListener('close', () => requestAnimationFrame(resolve));
      dialog.close();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    })`);
    assert.equal(await page.locator('dialog.palette[open]').count(), 1);
    await page.keyboard.press('Escape');
    await page.locator('dialog.palette').waitFor({ state: 'detached' });
  });

  it('a key that is pressed right after the page has changed belongs to what it shows then', async () => {
    await shown.show('#/namespaces');
    await waitForText(page, 'tbody td', 'blue');
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('ArrowDown');
    // Before a frame is drawn: a browser that is busy handles several keys between two frames.
    await page.evaluate(`new Promise((resolve) => {
      const press = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      press(document.querySelector('[role=grid]'), 'Enter');
      new MutationObserver((_changes, observer) => {
        observer.disconnect();
        press(document.body, 'Escape');
        resolve();
      }).observe(document.getElementById('console'), { childList: true, subtree: true });
    })`);
    await page.getByRole('heading', { level: 1, name: 'Namespace', exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, '#/namespaces');
  });

  it('a field keeps the focus when it is settled by Enter', async () => {
    await shown.show('#/configmaps');
    await page.getByLabel('Labels').fill('app=none');
    await page.keyboard.press('Enter');
    await waitForText(page, '.freshness', '0 objects');
    assert.equal(await page.evaluate('document.activeElement.name'), 'labels');
  });

  it('a key that is pressed right after the palette is closed belongs to the page', async () => {
    await shown.show('#/namespaces');
    await waitForText(page, 'tbody td', 'blue');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Permissions' }).waitFor();
    await page.evaluate(`{
      document.querySelector('dialog.palette').close();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
    }`);
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('a user without a permission reads why, and sees what is allowed', async () => {
    const group = namesFor('orch').group('rbac');
    const rbac = `/apis/${group}/v1/namespaces/blue`;
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
    const subject = { apiGroup: group, kind: 'User', name: 'reader' };
    await cluster.post(`${rbac}/roles`, { metadata: { name: 'reader' }, rules });
    await cluster.post(`${rbac}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
      subjects: [subject],
    });
    await cluster.post('/api/v1/namespaces/blue/configmaps', configMap('allowed'));
    await using reading = await startConsole(cluster.server.adminConfig, ['--as=reader']);
    await using other = await openPage(cluster.browser, reading);
    await other.show('#/configmaps');
    const alert = other.page.getByRole('alert');
    await alert.waitFor();
    assert.match(String(await alert.textContent()), /User "reader" cannot list resource "configmaps"/);
    assert.match(String(await alert.textContent()), /Choose a namespace/);
    await other.page.getByLabel('Namespace').fill('blue');
    await other.page.keyboard.press('Enter');
    await waitForText(other.page, 'tbody td', 'allowed');
  });

  it('a busy server is asked again, and the page says so', async () => {
    const busy = { kind: 'Status', message: 'too many requests, please try again later', code: 429 };
    await page.route(/configmaps\?/, (route) => route.fulfill({ status: 429, json: busy }));
    await shown.show('#/configmaps?namespace=blue');
    await waitForText(page, '.freshness.stale', 'too many requests');
    await page.unroute(/configmaps\?/);
    await waitForText(page, 'tbody td', 'allowed');
    await waitForText(page, '.freshness.live', '1 object');
  });

  it('rows stay and are marked as stale while the server is away, and change when it is back', async () => {
    using folder = temporaryFolder();
    const [port = 0] = await freePorts(1);
    const options = { port, dataDir: join(folder.path, 'data'), certDir: join(folder.path, 'certs') };
    await using earlier = await launchServer(options);
    await using away = await startConsole(earlier.adminConfig);
    await using other = await openPage(cluster.browser, away);
    await other.show('#/namespaces');
    await waitForText(other.page, 'tbody td', 'default');
    await earlier.stop();
    await waitForText(other.page, '.freshness.stale', 'Trying again');
    assert.ok((await cellsOf(other.page, 1)).includes('default'));
    await using later = await launchServer(options);
    await later.client.post('/api/v1/namespaces', { metadata: { name: 'later' } });
    await waitForText(other.page, 'tbody td', 'later');
    await waitForText(other.page, '.freshness.live', 'Live');
    await other.show('#/namespaces/later');
    await waitForText(other.page, 'section p', 'This server keeps no history of this object.');
    await other.show('#/~timeline');
    await waitForText(other.page, 'main p', 'This server keeps no history.');
  });

  it('lists, the palette and the keys have no violation of WCAG, narrow and wide, dark and light', async () => {
    await checkAccess(shown, [
      ['#/configmaps?namespace=default', 'tbody a'],
      ['#/nothing', 'h1'],
      ['#/namespaces', '[role=option]', ({ keyboard }) => keyboard.press('Control+k')],
      ['#/namespaces', 'dialog kbd', ({ keyboard }) => keyboard.press('?')],
    ]);
  });
});
