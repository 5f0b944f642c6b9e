import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';
import { encodePem } from '@orch/pki/x509';
import { base64, makeRequest } from '@orch/pki/x509/testing';
import type { Browser, Page } from 'playwright-core';
import { type NodeCluster, nodeCluster } from '../orchctl/node-cluster.ts';
import { launchBrowser, type RunningConsole, skipped, startConsole } from './console-browser.ts';
import { type ConsolePage, checkAccess, drawn, openPage, pressing, waitForText } from './console-pages.ts';

const hostile = '<img src=x onerror="document.title=1">';

describe('pods and nodes of the console in Chromium', { skip: skipped }, () => {
  let site: Server;
  let cluster: NodeCluster;
  let browser: Browser;
  let running: RunningConsole;
  let shown: ConsolePage;
  let page: Page;
  before(async () => {
    site = createServer((_request, response) => response.end('a page of the pod')).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const { port } = site.address() as AddressInfo;
    cluster = await nodeCluster('orch', () => port);
    [browser, running] = await Promise.all([launchBrowser(), startConsole(cluster.server.adminConfig)]);
    shown = await openPage(browser, running);
    ({ page } = shown);
  });
  after(async () => {
    await shown[Symbol.asyncDispose]();
    await browser.close();
    await running[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    site.closeAllConnections();
    site.close();
  });
  const press = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click();
  const linesWith = (text: string): Promise<number> =>
    page.locator('.lines').evaluate((lines, word) => String(lines.textContent).split(word).length - 1, text);

  /** Reports the container of the pod `one` as running. */
  async function runOne(): Promise<void> {
    const path = '/api/v1/namespaces/default/pods/one/status';
    const container = { ...{ name: 'c', image: 'x', imageID: 'x' }, ...{ ready: true, restartCount: 0 } };
    const containerStatuses = [{ ...container, state: { running: { startedAt: '2024-01-01T00:00:00Z' } } }];
    const { status, text } = await cluster.server.client.send('PATCH', path, {
      body: { status: { containerStatuses } },
      contentType: 'application/merge-patch+json',
    });
    assert.equal(status, 200, text);
    await waitForText(page, '.yaml', 'startedAt');
  }

  describe('the log of a container', () => {
    it('the log is read when it is asked for, follows, and is text', async () => {
      await shown.show('#/pods/default/one');
      await press('Show the log');
      await waitForText(page, '.lines', /line 1\s+line 2\s+line 3/);
      cluster.agent.log(`\u001b[31m${hostile}\u001b[0m`);
      await waitForText(page, '.lines', hostile);
      assert.equal(await page.locator('img').count(), 0);
      await waitForText(page, '.log .freshness', 'Live');
      assert.deepEqual(await shown.violations(), []);
    });

    it('the log continues after the last line when the connection to the node was lost', async () => {
      await runOne();
      await waitForText(page, '.log .freshness', 'Live');
      // The page cannot read the log again before the test has seen that it tries to.
      await page.route(/\/log\?/, (route) => route.abort());
      cluster.agent.cutLogs();
      await waitForText(page, '.log .freshness.stale', 'Trying again');
      cluster.agent.log('written meanwhile');
      await page.unroute(/\/log\?/);
      await waitForText(page, '.lines', 'written meanwhile');
      assert.deepEqual([await linesWith('line 3'), await linesWith('written meanwhile')], [1, 1]);
    });

    it('each container has one, and one of its previous run', async () => {
      await shown.show('#/pods/default/two');
      await press('Show the log');
      await page.locator('.log').getByLabel('Container').selectOption('b');
      await page.getByRole('region', { name: 'Log of b' }).waitFor();
      await page.getByLabel('Previous run').check();
      await waitForText(page, '.log [role=status]', 'The log has ended');
      await page.getByLabel('Times').check();
      await waitForText(page, '.lines', /^2024-01-01T00:00:00\S+ earlier line/);
      const { url = '' } = cluster.agent.requests.at(-1) ?? {};
      assert.match(url, /\/two\/b\?/);
      assert.match(url, /previous=true/);
    });

    it('a pod has commands for a terminal, which can be copied', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await shown.show('#/pods/default/two');
      await page.getByRole('button', { name: 'Copy: A shell in b' }).click();
      await waitForText(page, '.commands button', 'Copied');
      assert.equal(
        await page.evaluate('navigator.clipboard.readText()'),
        'orchctl exec --namespace=default two -it --container=b -- sh',
      );
    });

    it('a port of a pod is open on this machine until it is closed', async () => {
      await shown.show('#/pods/default/one');
      await page.getByRole('button', { name: 'Open port 80 on this machine' }).click();
      const link = page.getByRole('link', { name: /^localhost:\d+$/ });
      const address = (await link.getAttribute('href')) ?? '';
      const get = async () => (await fetch(address, { headers: { connection: 'close' } })).text();
      assert.equal(await get(), 'a page of the pod');
      assert.deepEqual(await shown.violations(), []);
      await page.reload();
      await page.getByRole('button', { name: /^Close port/ }).click();
      await page.getByRole('button', { name: 'Open port 80 on this machine' }).waitFor();
      await assert.rejects(get());
    });

    it('a refusal is shown in the words of the server', async () => {
      const pod = {
        metadata: { name: 'lost' },
        spec: { nodeName: 'gone', containers: [{ name: 'c', image: 'x' }] },
      };
      await cluster.server.client.post('/api/v1/namespaces/default/pods', pod);
      await shown.show('#/pods/default/lost');
      await press('Show the log');
      await waitForText(page, '.log [role=alert]', /\S/);
    });
  });

  describe('an action', () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/web';
    const read = async (
      target: string,
    ): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =>
      JSON.parse((await cluster.server.client.get(target)).text);
    const dialog = () => page.getByRole('dialog');
    const confirm = async (name: string): Promise<void> => {
      await dialog().getByRole('button', { name, exact: true, disabled: false }).click();
      await dialog().waitFor({ state: 'detached' });
    };

    it('a workload is scaled after the page has shown what changes', async () => {
      await shown.show('#/deployments.apps/default/web');
      await press('Scale');
      await dialog().getByLabel('Replicas').fill('3');
      await dialog().getByRole('button', { name: 'Check' }).click();
      await waitForText(page, 'dialog .cm-line', 'replicas: 3');
      assert.equal((await read(path))['spec']?.['replicas'], 1);
      assert.deepEqual(await shown.violations(), []);
      await confirm('Scale');
      assert.equal((await read(path))['spec']?.['replicas'], 3);
    });

    it('the answer to a check is not that of a number that was entered later', async () => {
      const held = deferred<void>();
      const scale = /deployments\/web\/scale/;
      await page.route(scale, async (route) => {
        await held.promise;
        await route.continue();
      });
      await press('Scale');
      await dialog().getByLabel('Replicas').fill('5');
      await dialog().getByRole('button', { name: 'Check' }).click();
      await waitForText(page, 'dialog [role=status]', 'The server is asked.');
      await dialog().getByLabel('Replicas').fill('6');
      const answered = page.waitForResponse(
        (response) => scale.test(response.url()) && response.request().method() === 'PATCH',
      );
      held.resolve();
      await answered;
      await drawn(page);
      assert.ok(await dialog().getByRole('button', { name: 'Scale', exact: true }).isDisabled());
      await page.unroute(scale);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
    });

    it('what was not checked cannot be done, and a refusal is shown', async () => {
      await press('Scale');
      const scale = dialog().getByRole('button', { name: 'Scale', exact: true });
      assert.ok(await scale.isDisabled());
      await cluster.server.client.delete(`${path}?propagationPolicy=Background`);
      await dialog().waitFor({ state: 'detached' });
      await waitForText(page, '[role=status]', 'does not exist any more');
    });

    it('a restart replaces the pods of a workload by an annotation of their template', async () => {
      await shown.show('#/deployments.apps/default/other');
      await cluster.server.client.post('/apis/apps/v1/namespaces/default/deployments', {
        metadata: { name: 'other' },
        spec: {
          selector: { matchLabels: { name: 'x' } },
          template: {
            metadata: { labels: { name: 'x' } },
            spec: { containers: [{ name: 'c', image: 'x' }] },
          },
        },
      });
      await press('Restart');
      await waitForText(page, 'dialog .cm-line', 'restartedAt');
      await confirm('Restart');
      await waitForText(page, '.yaml', 'restartedAt');
    });

    it('a certificate signing request is approved after the page has said whose it is', async () => {
      const requests = `/apis/${namesFor('orch').group('certificates')}/v1/certificatesigningrequests`;
      const request = base64(encodePem('CERTIFICATE REQUEST', makeRequest({})));
      await cluster.server.client.post(requests, {
        metadata: { name: 'asked' },
        spec: { request, signerName: 'example.com/people', usages: ['client auth'] },
      });
      await shown.show(`#/certificatesigningrequests.${namesFor('orch').group('certificates')}/asked`);
      await press('Approve');
      await waitForText(page, 'dialog p', 'asks the signer example.com/people for a certificate');
      await waitForText(page, 'dialog .cm-line', 'type: Approved');
      await confirm('Approve');
      await waitForText(page, 'table.wide', /Approved\s*True\s*ConsoleApprove/);
    });

    it('a node is cordoned and uncordoned', async () => {
      await shown.show('#/nodes/n');
      await press('Cordon');
      await waitForText(page, 'dialog .cm-line', 'unschedulable: true');
      await confirm('Cordon');
      await press('Uncordon');
      await confirm('Uncordon');
      await page.getByRole('button', { name: 'Cordon', exact: true }).waitFor();
      assert.equal((await read('/api/v1/nodes/n'))['spec']?.['unschedulable'], undefined);
    });
  });

  it('pods have no violation of WCAG, narrow and wide, dark and light', async () => {
    await checkAccess(shown, [
      ['#/pods/default/one?open=log', '.lines pre'],
      ['#/deployments.apps/default/other', 'dialog [role=status]', pressing('Restart')],
    ]);
  });
});
