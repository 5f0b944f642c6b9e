import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { skipped, startConsole } from './console-browser.ts';
import {
  type ConsolePage,
  checkAccess,
  configMap,
  configMaps,
  openPage,
  pressing,
  type ShownConsole,
  showConsole,
  waitForText,
} from './console-pages.ts';

const hostile = '<img src=x onerror="document.title=1">';

describe('objects of the console in Chromium', { skip: skipped }, () => {
  let cluster: ShownConsole;
  let shown: ConsolePage;
  let page: Page;
  before(async () => {
    cluster = await showConsole();
    ({ shown } = cluster);
    ({ page } = shown);
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('an object shows its state, owners, managers of fields and events, and follows its changes', async () => {
    const owner = await cluster.post(configMaps, configMap('owner'));
    const pod = await cluster.post('/api/v1/namespaces/default/pods', {
      metadata: {
        name: 'one',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }],
      },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    });
    await cluster.post('/api/v1/namespaces/default/events', {
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
    const changed = await cluster.server.client.send('PATCH', '/api/v1/namespaces/default/pods/one/status', {
      body: patch,
      contentType: 'application/merge-patch+json',
    });
    assert.equal(changed.status, 200, changed.text);
    await waitForText(page, 'table.wide', /Ready\s*False\s*Starting/);
    await cluster.server.client.delete('/api/v1/namespaces/default/pods/one?gracePeriodSeconds=0');
    await waitForText(page, '[role=status]', 'does not exist');
  });

  it('texts of hostile objects are shown as text', async () => {
    const data = { key: hostile };
    const annotations = { 'example.com/a': hostile };
    await cluster.post(configMaps, { metadata: { name: 'hostile', annotations }, data });
    await shown.show('#/configmaps/default/hostile');
    await waitForText(page, '.yaml', hostile);
    assert.equal(await page.locator('img').count(), 0);
    assert.match(await page.title(), /^hostile/);
  });

  it('the values of a secret are not shown before they are asked for', async () => {
    await cluster.post('/api/v1/namespaces/default/secrets', {
      metadata: { name: 'pin' },
      stringData: { pin: '1234' },
    });
    for (const fragment of ['#/secrets/default/pin?as=form&open=compare', '#/secrets/default/pin']) {
      await shown.show(fragment);
      await waitForText(page, '.facts', 'uid');
      await page.getByRole('button', { name: 'Show the values' }).waitFor();
      assert.doesNotMatch(await page.content(), /MTIzNA==/);
    }
    await page.getByRole('button', { name: 'Show the values' }).click();
    await waitForText(page, '.yaml', 'MTIzNA==');
  });

  it('the history of an object says who changed which fields, and shows a change as a difference', async () => {
    await cluster.post(configMaps, configMap('remembered'));
    await cluster.server.client.send('PATCH', `${configMaps}/remembered`, {
      body: { data: { key: 'later' } },
      contentType: 'application/merge-patch+json',
    });
    await shown.show('#/configmaps/default/remembered');
    const history = page.locator('section', { has: page.getByRole('heading', { name: 'History' }) });
    await history.locator('summary', { hasText: /created by \S+/ }).waitFor();
    await history.locator('summary', { hasText: /updated by \S+: data.key/ }).click();
    await waitForText(page, '.difference .cm-line', 'key: later');
    await waitForText(page, '.difference .cm-deletedChunk', 'key: value');
    assert.deepEqual(await shown.violations(), []);
  });

  it('states are compared on a slider, and an earlier one is restored after a dry run', async () => {
    await cluster.post(configMaps, configMap('moved'));
    for (const key of ['second', 'third'])
      await cluster.server.client.send('PATCH', `${configMaps}/moved`, {
        body: { data: { key } },
        contentType: 'application/merge-patch+json',
      });
    await shown.show('#/configmaps/default/moved');
    await page.locator('summary', { hasText: 'Compare and restore' }).click();
    const moments = page.locator('.moments');
    await moments.locator('.cm-line', { hasText: 'key: third' }).waitFor();
    await moments.locator('.cm-deletedChunk', { hasText: 'key: second' }).waitFor();
    await moments.getByLabel('Compared with').selectOption({ index: 1 });
    await moments.getByText('The states do not differ.').waitFor();
    await moments.getByRole('slider').press('Home');
    await moments.getByText('State 1 of 3').waitFor();
    await moments.locator('.cm-line', { hasText: 'key: value' }).waitFor();
    await moments.locator('.cm-deletedChunk', { hasText: 'key: third' }).waitFor();
    assert.deepEqual(await shown.violations(), []);
    await moments.getByRole('button', { name: 'Restore' }).click();
    await moments.locator('.editor .cm-line', { hasText: 'key: value' }).waitFor();
    await moments.getByRole('button', { name: 'Check' }).click();
    await moments.getByText('Saving changes this').waitFor();
    await moments.getByRole('button', { name: 'Save', disabled: false }).click();
    await waitForText(page, '.yaml', 'key: value');
    await cluster.server.client.delete(`${configMaps}/moved`);
    await page.locator('summary', { hasText: /deleted by \S+/ }).waitFor();
    await page.reload();
    await page.locator('summary', { hasText: /deleted by \S+/ }).waitFor();
  });

  describe('an object that is edited', () => {
    const line = (text: string) => page.locator('.cm-line', { hasText: text }).first();
    /** Opens the editor for a new object and replaces the end of a line. */
    async function edit(name: string, text: string, change: string): Promise<void> {
      await cluster.post(configMaps, configMap(name));
      await shown.show(`#/configmaps/default/${name}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await line(text).click();
      await page.keyboard.press('End');
      await page.keyboard.type(change);
    }
    const dataOf = async (name: string): Promise<unknown> =>
      (JSON.parse((await cluster.server.client.get(`${configMaps}/${name}`)).text) as { data: unknown }).data;
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

    it('fields are completed and explained from the schema of the server', async () => {
      await edit('helped', 'app: helped', '');
      await page.locator('.cm-line', { hasText: /^kind:/ }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('imm');
      await waitForText(page, '.cm-tooltip-autocomplete li', 'immutable');
      await waitForText(page, '.cm-completionInfo', /boolean/);
      assert.deepEqual(await shown.violations(), []);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Space');
      await waitForText(page, '.cm-tooltip-autocomplete li', 'true');
      await page.keyboard.press('Escape');
      await waitForText(page, '.cm-line', /^immutable: $/);
      await page.locator('.cm-line', { hasText: /^metadata:/ }).hover({ position: { x: 20, y: 5 } });
      await waitForText(page, '.cm-tooltip .field-documentation', 'metadata');
    });

    it('a change of somebody else in the meantime is a conflict that shows it', async () => {
      await edit('contested', 'key: value', '-mine');
      await cluster.server.client.send('PATCH', `${configMaps}/contested`, {
        body: { data: { key: 'theirs' } },
        contentType: 'application/merge-patch+json',
      });
      await check();
      await waitForText(page, '[role=alert]', 'has changed since you began');
      await waitForText(page, '.difference .cm-line', 'key: theirs');
      await waitForText(page, '.difference .cm-line', 'key: value-mine');
      await page.locator('.editor .cm-line', { hasText: 'key: value-mine' }).waitFor();
      await page.getByRole('button', { name: 'Begin again' }).click();
      await page.locator('.editor .cm-line', { hasText: 'key: theirs' }).waitFor();
      assert.deepEqual(await dataOf('contested'), { key: 'theirs' });
    });

    it('a form documents its fields, and what is entered is checked, refused beside the field and saved as YAML is', async () => {
      const labels = { app: 'formed' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
      const path = '/apis/apps/v1/namespaces/default/deployments';
      const spec = { replicas: 2, selector: { matchLabels: labels }, template };
      await cluster.post(path, { metadata: { name: 'formed', labels }, spec });
      await shown.show('#/deployments.apps/default/formed');
      await page.getByLabel('Form', { exact: true }).check();
      await waitForText(page, '.form-field', /^replicas: 2/);
      assert.equal(new URL(page.url()).hash, '#/deployments.apps/default/formed?as=form');
      await page.locator('summary', { hasText: 'About replicas: integer' }).click();
      await waitForText(page, '.form-field p', /pods/i);
      assert.deepEqual(await shown.violations(), []);
      await page.getByRole('button', { name: 'Edit' }).click();
      const input = (name: string) => page.getByLabel(name, { exact: true });
      assert.equal(await input('metadata.uid').count(), 0);
      await input('spec.replicas').fill('-1');
      await check();
      await waitForText(page, '.form-field .bad', 'must be greater than or equal to 0');
      assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
      await input('spec.replicas').fill('4');
      await input('New key in metadata.labels').fill('example.com/tier');
      await page
        .locator('.form-addition', { has: input('New key in metadata.labels') })
        .getByRole('button')
        .click();
      await input('metadata.labels[example.com/tier]').fill('true');
      await input('Add a field to spec').selectOption('paused');
      await input('spec.paused').selectOption('true');
      assert.deepEqual(await shown.violations(), []);
      await page.getByLabel('YAML', { exact: true }).check();
      await page.locator('.editor .cm-line', { hasText: 'replicas: 4' }).waitFor();
      await page.getByLabel('Form', { exact: true }).check();
      await check();
      await waitForText(page, '.difference .cm-line', 'example.com/tier: "true"');
      await page.getByRole('button', { name: 'Save', disabled: false }).click();
      await waitForText(page, '.form-field', /^replicas: 4/);
      const saved = JSON.parse((await cluster.server.client.get(`${path}/formed`)).text);
      assert.equal(saved.metadata.labels['example.com/tier'], 'true');
      assert.deepEqual([saved.spec.replicas, saved.spec.paused], [4, true]);
    });

    it('list items and map entries are added and removed in a form, and a refusal stands beside its field', async () => {
      const labels = { app: 'listed' };
      const containers = [
        { name: 'web', image: 'web:1' },
        { name: 'old', image: 'old:1' },
      ];
      const path = '/apis/apps/v1/namespaces/default/deployments';
      const template = { metadata: { labels }, spec: { containers } };
      await cluster.post(path, {
        metadata: { name: 'listed' },
        spec: { selector: { matchLabels: labels }, template },
      });
      await shown.show('#/deployments.apps/default/listed?as=form');
      await page.getByRole('button', { name: 'Edit' }).click();
      const input = (name: string) => page.getByLabel(name, { exact: true });
      const open = (title: RegExp) => page.locator('.object-form summary', { hasText: title }).last().click();
      await open(/^spec: object$/);
      await open(/^containers: list of object, 2 items$/);
      await open(/^Item 2$/);
      const list = 'spec.template.spec.containers';
      await page.getByRole('button', { name: `Remove ${list}[1]`, exact: true }).click();
      await open(/^Item 1$/);
      await input(`Add a field to ${list}[0]`).selectOption('ports');
      await input(`Add an item to ${list}[0].ports`).click();
      await input(`${list}[0].ports[0].containerPort`).fill('99999');
      await check();
      await waitForText(page, '.form-field .bad', /between 1 and 65535/);
      await input(`${list}[0].ports[0].containerPort`).fill('80');
      await open(/^resources: object$/);
      await input(`Add a field to ${list}[0].resources`).selectOption('limits');
      await input(`New key in ${list}[0].resources.limits`).fill('memory');
      await page.keyboard.press('Enter');
      await input(`${list}[0].resources.limits.memory`).fill('1Gi');
      assert.deepEqual(await shown.violations(), []);
      await check();
      await page.getByRole('button', { name: 'Save', disabled: false }).click();
      await page.getByRole('button', { name: 'Edit' }).waitFor();
      const { spec } = JSON.parse((await cluster.server.client.get(`${path}/listed`)).text);
      const [saved, ...others] = spec.template.spec.containers;
      assert.deepEqual(others, []);
      assert.deepEqual(saved.ports, [{ containerPort: 80, protocol: 'TCP' }]);
      assert.deepEqual(saved.resources, { limits: { memory: '1Gi' } });
    });

    it('the page offers no edit and no deletion with --read-only', async () => {
      await using readOnly = await startConsole(cluster.server.adminConfig, ['--read-only']);
      await using other = await openPage(cluster.browser, readOnly);
      await other.show('#/configmaps/default/edited');
      await waitForText(other.page, '.yaml', 'key: value');
      await waitForText(other.page, '.server', 'read-only');
      assert.deepEqual(await other.page.getByRole('button').allTextContents(), [
        ...['Keys', 'Show the graph', 'Explain', 'Explain the fields'],
      ]);
    });
  });

  it('a deletion names what goes with it and what holds it, and happens when it is confirmed', async () => {
    const parent = await cluster.post(configMaps, configMap('parent'));
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: parent.metadata.uid },
    ];
    const finalizers = ['example.com/hold'];
    await cluster.post(configMaps, { metadata: { name: 'child', ownerReferences, finalizers } });
    await shown.show('#/configmaps/default/parent');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await waitForText(page, '.consequences', '1 more object is deleted with it');
    await waitForText(page, '.consequences li', 'ConfigMap child, held by example.com/hold');
    assert.deepEqual(await shown.violations(), []);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    assert.equal((await cluster.server.client.get(`${configMaps}/parent`)).status, 200);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await waitForText(page, '[role=status]', 'does not exist');
    assert.equal((await cluster.server.client.get(`${configMaps}/parent`)).status, 404);
  });

  it('owners and dependents are a graph of links, also over several generations', async () => {
    let { uid } = (await cluster.post(configMaps, configMap('first'))).metadata;
    for (const [owner, name] of [
      ['first', 'second'],
      ['second', 'third'],
    ] as const) {
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid }];
      ({ uid } = (await cluster.post(configMaps, { metadata: { name, ownerReferences } })).metadata);
    }
    await shown.show('#/configmaps/default/second');
    await page.getByRole('button', { name: 'Show the graph' }).click();
    const links = page.locator('.graph a');
    await links.nth(2).waitFor();
    assert.deepEqual(await links.locator('title').allTextContents(), [
      ...['ConfigMap second', 'ConfigMap third', 'ConfigMap first'],
    ]);
    assert.equal(await page.locator('.graph path').count(), 2);
    assert.deepEqual(await shown.violations(), []);
    await links.nth(1).click();
    await page.getByRole('heading', { level: 1, name: 'default/third' }).waitFor();
  });

  it('objects have no violation of WCAG, narrow and wide, dark and light', async () => {
    await checkAccess(shown, [
      ['#/configmaps/default/hostile', '.yaml'],
      ['#/configmaps/default/hostile?open=compare', '.moments .cm-line'],
      ['#/configmaps/default/second?open=graph', '.graph a'],
      ['#/configmaps/default/hostile?as=form', '.object-form'],
      ['#/configmaps/default/hostile?as=form', '.form-input', pressing('Edit')],
      ['#/configmaps/default/remembered', '.editor .cm-line', pressing('Edit')],
      ['#/configmaps/default/second', '.consequences', pressing('Delete')],
    ]);
  });
});
