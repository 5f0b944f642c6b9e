import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { Page } from 'playwright-core';
import { skipped, startConsole } from './console-browser.ts';
import {
  type ConsolePage,
  checkAccess,
  openPage,
  type ShownConsole,
  showConsole,
  waitForText,
} from './console-pages.ts';

const apiServices = `/apis/${namesFor('orch').group('apiregistration')}/v1/apiservices`;
const extensions = namesFor('orch').group('apiextensions');

describe('health, definitions and fields in the console in Chromium', { skip: skipped }, () => {
  let cluster: ShownConsole;
  let shown: ConsolePage;
  let page: Page;
  before(async () => {
    cluster = await showConsole();
    ({ shown } = cluster);
    ({ page } = shown);
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('a healthy server shows its requests, seats, sizes and replicas, and nothing that needs attention', async () => {
    await shown.show('#/~health');
    await waitForText(page, '.freshness.live', 'The replica has run for');
    await waitForText(page, '#findings', 'Nothing that an alert is about.');
    await waitForText(page, '[aria-label="Requests by verb"] tr', /GET\s*\d/);
    await waitForText(page, '[aria-label="Seats by priority level"] th', 'exempt');
    await waitForText(page, '[aria-label="Sizes"] tr', /Memory\s*\d+ MiB/);
    await waitForText(page, '[aria-label="Replicas"] th', /^127\.0\.0\.1 port \d+$|^[\d.]+ port \d+$/);
    await waitForText(page, '.trend', /Requests.*\d/);
  });

  it('an API service that is unavailable needs attention', async () => {
    const group = 'example.com';
    await cluster.post(apiServices, {
      metadata: { name: `v1.${group}` },
      spec: {
        ...{ group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10 },
        ...{ insecureSkipTLSVerify: true, service: { namespace: 'default', name: 'absent' } },
      },
    });
    await waitForText(page, '#findings .bad', `The API service v1.${group} is unavailable.`);
    await waitForText(page, '#hour li', /is unavailable\. It began \d+s ago\./);
  });

  it('a deprecated API in use is listed with its users and their programs', async () => {
    const headers = { 'user-agent': 'old-program/1.0' };
    await cluster.server.client.send('GET', '/api/v1/componentstatuses/etcd-0', { headers });
    await waitForText(page, '[aria-label="Deprecated APIs in use"] tr', 'v1 componentstatuses');
    await waitForText(
      page,
      '[aria-label="Users of deprecated APIs"] tr',
      /one request for it with old-program\/1\.0/,
    );
  });

  it('what needed attention before the page was opened is remembered by the server', async () => {
    const { status, text } = await cluster.server.client.get('/why/health');
    assert.equal(status, 200, text);
    const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000;
    const episode = { text: 'It was full.', fromMs: minutesAgo(30), toMs: minutesAgo(20), isPresent: false };
    await page.route(/why\/health/, (route) =>
      route.fulfill({ json: { ...JSON.parse(text), episodes: [episode] } }),
    );
    await page.reload();
    await waitForText(page, '#hour li', 'It was full. It began 30m ago, and ended 20m ago.');
    await page.unroute(/why\/health/);
  });

  it('a user who may not read metrics reads why', async () => {
    await using reading = await startConsole(cluster.server.adminConfig, ['--as=reader']);
    await using other = await openPage(cluster.browser, reading);
    await other.show('#/~health');
    await waitForText(other.page, '[role=alert]', /cannot get path "\/metrics"/);
  });

  it('a definition shows its versions, and its schema as a tree', async () => {
    const size = { type: 'integer', minimum: 1, description: '<b>How many.</b>' };
    const spec = { type: 'object', required: ['size'], properties: { size } };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    await cluster.post(`/apis/${extensions}/v1/customresourcedefinitions`, {
      metadata: { name: 'things.example.com' },
      spec: {
        ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await shown.show(`#/customresourcedefinitions.${extensions}/things.example.com`);
    await waitForText(page, '[aria-label="Versions"] tr', /v1\s*yes\s*yes\s*no/);
    for (const title of ['Schema of v1', 'spec: object', 'size: integer, required'])
      await page.locator('summary', { hasText: title }).click();
    await waitForText(page, '.schema p', '<b>How many.</b>');
    await waitForText(page, '.schema p', 'minimum: 1');
  });

  it('a kind has the documentation of its fields', async () => {
    await cluster.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'one' } });
    await shown.show('#/configmaps/default/one');
    await page.getByRole('button', { name: 'Explain the fields' }).click();
    for (const title of [
      'Fields of ConfigMap',
      'metadata: object',
      'ownerReferences: list of object',
      'uid: string',
    ])
      await page.locator('summary', { hasText: title }).first().click();
    await waitForText(page, '.schema p', /UID/i);
    assert.deepEqual(await shown.violations(), []);
  });

  it('the pages have no violation of WCAG, narrow and wide, dark and light', async () => {
    await checkAccess(shown, [
      ['#/~health', '[aria-label="Sizes"] tr'],
      [`#/customresourcedefinitions.${extensions}/things.example.com`, '.schema'],
    ]);
  });
});
