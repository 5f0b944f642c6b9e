import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { namesFor } from '@orch/machinery';
import { freePorts } from '@orch/machinery/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, type RunningConsole, skipped, startConsole } from './console-browser.ts';
import { type ConsolePage, openPage } from './console-pages.ts';

const MANY = 620;
const hostile = '<img src=x onerror="document.title=1">';

const configMap = (name: string, more: object = {}): object => ({
  metadata: { name, labels: { app: name.replace(/-.*/, '') } },
  data: { key: 'value' },
  ...more,
});

/** The texts of the drawn cells of a column. */
const cellsOf = (page: Page, place: number): Promise<string[]> =>
  page.locator(`tbody tr[aria-rowindex] td:nth-child(${place})`).allInnerTexts();

const waitForText = (page: Page, selector: string, text: string | RegExp): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor();

describe('pages of the console in Chromium', { skip: skipped }, () => {
  let server: LaunchedServer;
  let browser: Browser;
  let running: RunningConsole;
  let shown: ConsolePage;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'console-test-'));
  const post = async (path: string, body: object): Promise<unknown> => {
    const { status, text } = await server.client.post(path, body);
    assert.ok(status < 300, text);
    return JSON.parse(text);
  };
  const configMaps = '/api/v1/namespaces/default/configmaps';
  before(async () => {
    server = await launchServer({ args: ['--authorization-mode=RBAC'] });
    [browser, running] = await Promise.all([launchBrowser(), startConsole(server.adminConfig)]);
    const names = Array.from({ length: MANY }, (_, place) => `many-${String(place).padStart(3, '0')}`);
    await Promise.all(names.map((name) => post(configMaps, configMap(name))));
    shown = await openPage(browser, running);
    page = shown.page;
  });
  after(async () => {
    await shown[Symbol.asyncDispose]();
    await browser.close();
    await running[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a list has the columns of the server and follows its changes', async () => {
    await post('/api/v1/namespaces', { metadata: { name: 'blue' } });
    await shown.show('#/namespaces');
    await waitForText(page, 'tbody td', 'blue');
    assert.deepEqual(await page.locator('thead th').allInnerTexts(), ['Name', 'Status', 'Age']);
    await post('/api/v1/namespaces', { metadata: { name: 'green' } });
    await waitForText(page, 'tbody td', 'green');
    await server.client.delete('/api/v1/namespaces/green');
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
    await post(configMaps, configMap('many-0005'));
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
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('an object shows its state, owners, managers of fields and events, and follows its changes', async () => {
    const owner = (await post(configMaps, configMap('owner'))) as { metadata: { uid: string } };
    const pod = (await post('/api/v1/namespaces/default/pods', {
      metadata: {
        name: 'one',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }],
      },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    })) as { metadata: { uid: string } };
    await post('/api/v1/namespaces/default/events', {
      metadata: { name: 'one.1' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'one', uid: pod.metadata.uid },
      ...{ type: 'Warning', reason: 'BackOff', message: 'it does not start', count: 3 },
      lastTimestamp: '2026-01-01T00:00:00Z',
    });
    await shown.show('#/pods/default/one');
    await waitForText(page, '.events li', /BackOff it does not start \(3 times\)/);
    await waitForText(page, '.facts', /phase\s*Pending/);
    assert.equal(
      await page.getByRole('link', { name: 'ConfigMap owner' }).getAttribute('href'),
      '#/configmaps/default/owner',
    );
    await page.locator('summary', { hasText: 'Update' }).click();
    await waitForText(page, '.fields li', 'spec.containers[name=web].image');
    await waitForText(page, '.yaml', /image: web:1/);
    const patch = { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Starting' }] } };
    const changed = await server.client.send('PATCH', '/api/v1/namespaces/default/pods/one/status', {
      body: patch,
      contentType: 'application/merge-patch+json',
    });
    assert.equal(changed.status, 200, changed.text);
    await waitForText(page, 'table.wide', /Ready\s*False\s*Starting/);
    await server.client.delete('/api/v1/namespaces/default/pods/one?gracePeriodSeconds=0');
    await waitForText(page, '[role=status]', 'does not exist');
  });

  it('texts of hostile objects are shown as text', async () => {
    const data = { key: hostile };
    const annotations = { 'example.com/a': hostile };
    await post(configMaps, { metadata: { name: 'hostile', annotations }, data });
    await shown.show('#/configmaps/default/hostile');
    await waitForText(page, '.yaml', hostile);
    assert.equal(await page.locator('img').count(), 0);
    assert.match(await page.title(), /^hostile/);
  });

  it('the values of a secret are not shown before they are asked for', async () => {
    await post('/api/v1/namespaces/default/secrets', {
      metadata: { name: 'pin' },
      stringData: { pin: '1234' },
    });
    await shown.show('#/secrets/default/pin');
    await waitForText(page, '.facts', 'uid');
    assert.doesNotMatch(await page.content(), /MTIzNA==/);
    await page.getByRole('button', { name: 'Show the values' }).click();
    await waitForText(page, '.yaml', 'MTIzNA==');
  });

  describe('an object that is edited', () => {
    const line = (text: string) => page.locator('.cm-line', { hasText: text }).first();
    /** Opens the editor for a new object and replaces the end of a line. */
    async function edit(name: string, text: string, change: string): Promise<void> {
      await post(configMaps, configMap(name));
      await shown.show(`#/configmaps/default/${name}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await line(text).click();
      await page.keyboard.press('End');
      await page.keyboard.type(change);
    }
    const dataOf = async (name: string): Promise<unknown> =>
      (JSON.parse((await server.client.get(`${configMaps}/${name}`)).text) as { data: unknown }).data;
    const check = (): Promise<void> => page.getByRole('button', { name: 'Check' }).click();

    it('an edit is checked by the server, shown as a difference and saved', async () => {
      await edit('edited', 'key: value', '-g/?2');
      assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
      await check();
      await waitForText(page, '.difference .cm-line', 'key: value-g/?2');
      await waitForText(page, '.difference .cm-deletedChunk', 'key: value');
      assert.deepEqual(await dataOf('edited'), { key: 'value' });
      assert.deepEqual(await shown.violations(), []);
      await page.locator('.editor .cm-content').press('Control+End');
      await page.keyboard.type('# more');
      assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
      await check();
      await page.getByRole('button', { name: 'Save', disabled: false }).click();
      await waitForText(page, '.yaml', 'key: value-g/?2');
      assert.deepEqual(await dataOf('edited'), { key: 'value-g/?2' });
    });

    it('a field that the server refuses is marked in its line, and cannot be saved', async () => {
      await edit('refused', 'app: refused', ' not a label');
      await check();
      await waitForText(page, '[role=alert]', 'metadata.labels');
      assert.equal(await page.locator('.cm-lintRange-error').textContent(), 'labels');
      assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
    });

    it('a change of somebody else in the meantime is a conflict that shows it', async () => {
      await edit('contested', 'key: value', '-mine');
      await server.client.send('PATCH', `${configMaps}/contested`, {
        body: { data: { key: 'theirs' } },
        contentType: 'application/merge-patch+json',
      });
      await check();
      await waitForText(page, '[role=alert]', 'has changed since you began');
      await waitForText(page, '.difference .cm-line', 'key: theirs');
      await line('key: value-mine').waitFor();
      await page.getByRole('button', { name: 'Begin again' }).click();
      await page.locator('.editor .cm-line', { hasText: 'key: theirs' }).waitFor();
      assert.deepEqual(await dataOf('contested'), { key: 'theirs' });
    });

    it('with --read-only nothing can be edited or deleted', async () => {
      await using readOnly = await startConsole(server.adminConfig, ['--read-only']);
      await using other = await openPage(browser, readOnly);
      await other.show('#/configmaps/default/edited');
      await waitForText(other.page, '.yaml', 'key: value');
      await waitForText(other.page, '.server', 'read-only');
      assert.deepEqual(await other.page.getByRole('button').allTextContents(), ['Keys']);
    });
  });

  it('a deletion names what goes with it and what holds it, and happens when it is confirmed', async () => {
    const parent = (await post(configMaps, configMap('parent'))) as { metadata: { uid: string } };
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: parent.metadata.uid },
    ];
    const finalizers = ['example.com/hold'];
    await post(configMaps, { metadata: { name: 'child', ownerReferences, finalizers } });
    await shown.show('#/configmaps/default/parent');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await waitForText(page, '.consequences', '1 more object is deleted with it');
    await waitForText(page, '.consequences li', 'ConfigMap child, held by example.com/hold');
    assert.deepEqual(await shown.violations(), []);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    assert.equal((await server.client.get(`${configMaps}/parent`)).status, 200);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await waitForText(page, '[role=status]', 'does not exist');
    assert.equal((await server.client.get(`${configMaps}/parent`)).status, 404);
  });

  it('a user without a permission reads why, and sees what is allowed', async () => {
    const group = namesFor('orch').group('rbac');
    const rbac = `/apis/${group}/v1/namespaces/blue`;
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
    const subject = { apiGroup: group, kind: 'User', name: 'reader' };
    await post(`${rbac}/roles`, { metadata: { name: 'reader' }, rules });
    await post(`${rbac}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
      subjects: [subject],
    });
    await post('/api/v1/namespaces/blue/configmaps', configMap('allowed'));
    await using reading = await startConsole(server.adminConfig, ['--as=reader']);
    await using other = await openPage(browser, reading);
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
    let refusals = 1;
    await page.route(/configmaps\?/, (route) =>
      refusals-- > 0 ? route.fulfill({ status: 429, json: busy }) : route.continue(),
    );
    await shown.show('#/configmaps?namespace=blue');
    await waitForText(page, '.freshness.stale', 'too many requests');
    await waitForText(page, 'tbody td', 'allowed');
    await waitForText(page, '.freshness.live', '1 object');
    await page.unroute(/configmaps\?/);
  });

  it('rows stay and are marked as stale while the server is away, and change when it is back', async () => {
    const [port = 0] = await freePorts(1);
    const options = { port, dataDir: join(folder, 'data'), certDir: join(folder, 'certs') };
    await using earlier = await launchServer(options);
    await using away = await startConsole(earlier.adminConfig);
    await using other = await openPage(browser, away);
    await other.show('#/namespaces');
    await waitForText(other.page, 'tbody td', 'default');
    await earlier.stop();
    await waitForText(other.page, '.freshness.stale', 'Trying again');
    assert.ok((await cellsOf(other.page, 1)).includes('default'));
    await using later = await launchServer(options);
    await later.client.post('/api/v1/namespaces', { metadata: { name: 'later' } });
    await waitForText(other.page, 'tbody td', 'later');
    await waitForText(other.page, '.freshness.live', 'Live');
  });

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280])
      it(`pages have no violation of WCAG at ${width} pixels in ${colorScheme} colors`, async () => {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        for (const [fragment, selector] of [
          ['#/configmaps?namespace=default', 'tbody a'],
          ['#/configmaps/default/hostile', '.yaml'],
          ['#/nothing', 'h1'],
        ] as const) {
          await shown.show(fragment);
          await page.locator(selector).first().waitFor();
          assert.deepEqual(await shown.violations(), [], fragment);
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
          assert.ok(wide <= width, `${fragment} is ${wide} pixels wide`);
        }
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        assert.deepEqual(await shown.violations(), []);
        await page.keyboard.press('Escape');
      });
});

describe('the files of the console', () => {
  const files = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../dist/console.json'), 'utf8'),
  ) as readonly { readonly path: string; readonly gzip: string }[];
  const bytesOf = ({ gzip }: { readonly gzip: string }): Buffer => Buffer.from(gzip, 'base64');

  it('the first load has at most 250 KB', () => {
    const index = files.find(({ path }) => path === 'index.html') ?? assert.fail();
    const html = gunzipSync(bytesOf(index)).toString('utf8');
    const first = files.filter(({ path }) => path === 'index.html' || html.includes(path));
    assert.ok(first.length > 2);
    const size = first.reduce((sum, file) => sum + bytesOf(file).length, 0);
    assert.ok(size <= 250_000, `${size} bytes`);
  });

  it('the page contains no script and no style of its own, which its policy would refuse', () => {
    const index = files.find(({ path }) => path === 'index.html') ?? assert.fail();
    const html = gunzipSync(bytesOf(index)).toString('utf8');
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]* src=)|\son\w+=/);
  });
});
