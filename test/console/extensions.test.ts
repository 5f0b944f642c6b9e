import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { freePorts } from '@orch/machinery/testing';
import { SLOW_REQUEST_MS } from '@orch/pipeline';
import { admitting, webhookEntry } from '@orch/server/testing';
import type { Page } from 'playwright-core';
import { bind, refusedBy, servesPolicies } from '../admission/policies.ts';
import { WebhookCluster } from '../admission/webhook-cluster.ts';
import { skipped, startConsole } from './console-browser.ts';
import {
  type ConsolePage,
  checkAccess,
  configMaps,
  openPage,
  type ShownConsole,
  showConsole,
  waitForText,
} from './console-pages.ts';

const group = namesFor('orch').group('admissionregistration');
/** Longer than the time from which on a server remembers a request as slow. */
const SLOW_MS = SLOW_REQUEST_MS + 100;
const hostile = '<img src=x onerror="document.title=1">';

describe('webhooks and policies of the console in Chromium', { skip: skipped }, () => {
  let cluster: ShownConsole;
  let webhooks: WebhookCluster;
  let shown: ConsolePage;
  let page: Page;
  before(async () => {
    cluster = await showConsole([servesPolicies]);
    webhooks = await WebhookCluster.around(cluster.server);
    ({ shown } = cluster);
    ({ page } = shown);
  });
  after(async () => {
    await webhooks.webhook.stop();
    await cluster[Symbol.asyncDispose]();
  });

  /** The status of the creation of a config map with a label, which decides what is asked about it. */
  async function write(test: string, key = 'good'): Promise<number> {
    const body = { metadata: { generateName: 'written-', labels: { test } }, data: { key } };
    return (await cluster.server.client.post(configMaps, body)).status;
  }
  /** Shows the page with the present numbers. */
  async function showPresent(): Promise<void> {
    await shown.show('#/~extensions');
    await page.reload();
  }
  const row = (table: string): string => `[aria-label="${table}"] tbody tr`;

  it('a server without webhooks and policies says so', async () => {
    await shown.show('#/~extensions');
    await page.getByText('No webhook is configured.').waitFor();
    await page.getByText('No policy is configured.').waitFor();
    await page.getByText('The server remembers no write').waitFor();
  });

  it('each webhook has what it is called for, and how often it was called, has refused and could not be called', async () => {
    webhooks.webhook.answer = admitting(({ object }) =>
      object.data.key === 'good' ? undefined : { allowed: false, status: { code: 403, message: hostile } },
    );
    const [closed = 0] = await freePorts(1);
    const absent = {
      clientConfig: { url: `https://127.0.0.1:${closed}/`, caBundle: webhooks.webhook.caBundle },
    };
    const about = (test: string): object => ({
      ...{ name: `${test}.example.com`, objectSelector: { matchLabels: { test } } },
      rule: { operations: ['CREATE'] },
    });
    const entry = (test: string, more: object = {}): object =>
      webhookEntry(webhooks.webhook, { ...about(test), ...more });
    await webhooks.configure('validating', 'own', [
      entry('guard'),
      entry('strict', { ...absent, failurePolicy: 'Fail' }),
      entry('lenient', { ...absent, failurePolicy: 'Ignore' }),
    ]);
    assert.deepEqual(
      [await write('guard'), await write('guard', 'bad'), await write('strict'), await write('lenient')],
      [201, 403, 500, 201],
    );
    await showPresent();
    const rows = row('Webhooks');
    await waitForText(page, rows, /^guard\.example\.comownCREATE of configmapsit is refused2100≤/);
    await waitForText(page, rows, /^strict\.example\.comownCREATE of configmapsit is refused\d010/);
    await waitForText(page, rows, /^lenient\.example\.comownCREATE of configmapsthe write continues\d001/);
    const address = await page.getByRole('link', { name: 'own', exact: true }).first().getAttribute('href');
    assert.equal(address, `#/validatingwebhookconfigurations.${group}/own`);
  });

  it('the writes that a webhook has refused lately are there, with its words as text', async () => {
    await page.locator('#refused summary', { hasText: /403 POST/ }).click();
    await waitForText(page, '#refused details[open] li', hostile);
    assert.equal(await page.locator('img').count(), 0);
    await page
      .locator('#refused details[open]')
      .getByRole('link', { name: /\/own$/ })
      .waitFor();
    await page.locator('#refused summary', { hasText: /500 POST/ }).click();
    await waitForText(page, '#refused details[open] li', /strict\.example\.com/);
  });

  it('a slow write says which webhook has taken the time', async () => {
    const { answer } = webhooks.webhook;
    webhooks.webhook.answer = (review, response) => void setTimeout(() => answer(review, response), SLOW_MS);
    assert.equal(await write('guard'), 201);
    webhooks.webhook.answer = answer;
    await shown.show('#/~requests');
    await page
      .locator('#slow summary', { hasText: /201 POST .*configmaps/ })
      .first()
      .click();
    await waitForText(page, '#slow details[open] li', /guard\.example\.com/);
  });

  it('a policy has its bindings, and how many writes it has matched and refused', async () => {
    const validations = [{ expression: "object.data.key == 'good'", message: 'only good ones' }];
    await bind(cluster.server.client, 'limits', { validations });
    const body = { metadata: { name: 'limited', labels: { test: 'limits' } }, data: { key: 'bad' } };
    await refusedBy(() => cluster.server.client.post(`${configMaps}?dryRun=All`, body));
    await showPresent();
    const cells = ['limits', 'ValidatingAdmissionPolicy', 'CREATE, UPDATE of configmaps', 'limits (Deny)'];
    // Writes from before the policy was compiled are not matched.
    await waitForText(
      page,
      row('Policies'),
      new RegExp(`^${cells.join('').replace(/[()]/g, '\\$&')}\\d+100$`),
    );
    await page.locator('#refused summary', { hasText: /422 POST/ }).click();
    await waitForText(page, '#refused details[open] li', 'only good ones');
  });

  it('a user without permissions reads what is not known, and why', async () => {
    await using reading = await startConsole(cluster.server.adminConfig, ['--as=reader']);
    await using other = await openPage(cluster.browser, reading);
    await other.show('#/~extensions');
    await waitForText(other.page, '.failure li', /^numbers: .*cannot get path "\/metrics"/);
    await waitForText(other.page, '.failure li', /^validatingwebhookconfigurations: .*"reader" cannot list/);
  });

  it('the page has no violation of WCAG, narrow and wide, dark and light', async () => {
    await checkAccess(shown, [['#/~extensions', '#refused summary']]);
  });
});
