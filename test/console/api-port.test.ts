import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type LaunchedServer, launchServer, temporaryFolder } from '@orch/testkit';
import type { Browser, Page } from 'playwright-core';
import { clientSecret, type LoginProvider, loginProvider } from '../orchctl/login/login-provider.ts';
import { browse } from '../orchctl/login/user-agent.ts';
import { launchBrowser, skipped } from './console-browser.ts';
import { type ConsolePage, checkAccess, openPage, waitForText } from './console-pages.ts';

const TOKEN = 'token-of-ann';

describe('the console on the API port', () => {
  const folder = temporaryFolder();
  let provider: LoginProvider;
  let server: LaunchedServer;
  let address: URL;
  before(async () => {
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder.path, name), text);
      return join(folder.path, name);
    };
    provider = await loginProvider();
    server = await launchServer({
      args: [
        ...['--console', '--authorization-mode=RBAC', '--console-login-scopes=offline_access'],
        ...[`--oidc-issuer-url=${provider.issuer}`, '--oidc-client-id=console', '--oidc-username-prefix=-'],
        `--oidc-ca-file=${file('issuer.crt', provider.ca)}`,
        `--console-client-secret-file=${file('secret', `${clientSecret}\n`)}`,
        `--token-auth-file=${file('tokens', `${TOKEN},ann,1,"system:masters"\n`)}`,
      ],
    });
    address = new URL('/console/', server.url);
    provider.addConsole(address.href);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  interface Begun {
    readonly url: string;
    readonly state: string;
    readonly nonce: string;
    readonly verifier: string;
  }

  /** Sends a step of a login, as the page does. */
  const step = (
    name: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse> =>
    server.client.send('POST', `/console/login/${name}`, {
      body,
      contentType: 'application/json',
      headers: { origin: address.origin, 'sec-fetch-site': 'same-origin', ...headers },
    });
  const begin = async (): Promise<Begun> => JSON.parse((await step('begin', {})).text);

  /** A login of `bob` up to the redirection, which no page has received yet. */
  async function redirected(): Promise<Begun & { readonly query: string }> {
    const begun = await begin();
    const { url } = await browse(begun.url, {
      ...{ ca: provider.ca, name: 'bob' },
      stopAt: (each) => each.startsWith(address.href),
    });
    return { ...begun, query: new URL(url).search };
  }

  describe('attacks on logins of the console', () => {
    it('the address of a login contains only the hash of its secret, and leads back to this server', async () => {
      const { url, verifier } = await begin();
      const { searchParams } = new URL(url);
      assert.equal(searchParams.get('redirect_uri'), address.href);
      assert.equal(searchParams.get('code_challenge_method'), 'S256');
      assert.ok(!url.includes(verifier));
    });

    it('the code of another login, or without the secrets of its own, is worth nothing', async () => {
      const login = await redirected();
      for (const [wrong, problem] of [
        [{ state: 'x' }, /another login/],
        [{ query: login.query.replace(/iss=[^&]*/, 'iss=https://evil.example') }, /another login/],
        [{ verifier: '' }, /secret of the login is missing/],
        [{ verifier: 'x'.repeat(43) }, /invalid_grant/],
      ] as const) {
        const { status, text } = await step('finish', { ...login, ...wrong });
        assert.deepEqual([status, problem.test(text)], [400, true], text);
      }
      const { status, text } = await step('finish', { ...(await redirected()), nonce: 'x' });
      assert.deepEqual([status, /its nonce differs/.test(text)], [400, true], text);
    });

    it('the secret of the client reaches the provider, and not the page', async () => {
      const login = await redirected();
      const { status, text } = await step('finish', login);
      assert.equal(status, 200, text);
      for (const seen of [text, JSON.stringify(login)])
        for (const form of [
          clientSecret,
          encodeURIComponent(clientSecret),
          clientSecret.replaceAll(' ', '+'),
        ])
          assert.ok(!seen.includes(form));
    });

    it('a code is exchanged once', async () => {
      const login = await redirected();
      assert.equal((await step('finish', login)).status, 200);
      assert.equal((await step('finish', login)).status, 400);
    });

    it('pages of other sites and plain HTTP neither begin nor finish a login', async () => {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'null' },
        { origin: address.origin.replace('https', 'http') },
      ])
        for (const name of ['begin', 'finish', 'renew'])
          assert.equal((await step(name, {}, headers)).status, 403, JSON.stringify(headers));
      assert.equal((await step('begin', {}, { 'content-type': 'text/plain' })).status, 415);
    });

    it('the provider does not lead a user to an address of another origin', async () => {
      const { text } = await step('begin', {}, { origin: 'https://evil.example' });
      const { url } = await browse(JSON.parse(text).url, { ca: provider.ca, name: 'bob' });
      assert.equal(new URL(url).origin, provider.issuer);
    });

    it('a login has a bound on its size', async () => {
      assert.equal((await step('finish', { query: 'x'.repeat(70_000) })).status, 413);
    });

    it('the files are no way to objects, and other answers of the port are inert as pages', async () => {
      const page = await server.client.get('/console/');
      assert.equal(page.status, 200);
      assert.match(
        String(page.headers['content-security-policy']),
        /script-src 'self'.*frame-ancestors 'none'/,
      );
      assert.equal((await server.client.get('/console//api/v1/secrets')).status, 404);
      assert.equal((await server.client.send('PUT', '/console/')).status, 405);
      const shown = await server.client.get('/api/v1/namespaces', {
        headers: { 'sec-fetch-dest': 'document' },
      });
      assert.equal(shown.headers['content-security-policy'], 'sandbox');
      const read = await server.client.get('/api/v1/namespaces', { headers: { 'sec-fetch-dest': 'empty' } });
      assert.equal(read.headers['content-security-policy'], undefined);
    });
  });

  describe('the console on the API port in Chromium', { skip: skipped }, () => {
    let browser: Browser;
    let shown: ConsolePage;
    let page: Page;
    before(async () => {
      const rules = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }];
      const group = 'rbac.authorization.orch.io';
      for (const [resource, body] of [
        ['clusterroles', { metadata: { name: 'look' }, rules }],
        [
          'clusterrolebindings',
          {
            metadata: { name: 'look' },
            roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'look' },
            subjects: [{ apiGroup: group, kind: 'User', name: 'bob' }],
          },
        ],
      ] as const) {
        const { status, text } = await server.client.post(`/apis/${group}/v1/${resource}`, body);
        assert.equal(status, 201, text);
      }
      browser = await launchBrowser();
      shown = await openPage(browser, { address }, { ignoreHTTPSErrors: true });
      ({ page } = shown);
    });
    after(async () => {
      await shown[Symbol.asyncDispose]();
      await browser.close();
    });
    const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

    it('a page without a login shows nothing but the ways to log in', async () => {
      await page.getByRole('link', { name: /^Log in at 127/ }).waitFor();
      await checkAccess(shown, [['#/namespaces', '.login a.button']]);
    });

    it('a user logs in at the provider in another tab, and nothing of it stays in an address or a storage', async () => {
      // The pages of the provider ask for a font of another host, for which a machine without a network may wait long.
      await page.context().route(
        ({ hostname }) => hostname !== address.hostname,
        (route) => route.abort(),
      );
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: /^Log in at/ }).click(),
      ]);
      await tab.locator('[name=login]').fill('bob');
      await tab.locator('[name=password]').fill('x');
      await tab.getByRole('button', { name: 'Sign-in' }).click();
      await tab.getByRole('button', { name: 'Continue' }).click();
      await tab.getByText('You can close this one').waitFor();
      assert.equal(tab.url(), address.href);
      await waitForText(page, '.rows, table', 'default');
      const kept = '[localStorage.length, sessionStorage.length, document.cookie, history.state]';
      for (const each of [page, tab]) assert.deepEqual(await each.evaluate(kept), [0, 0, '', null]);
      const cookies = await page.context().cookies(address.href);
      assert.deepEqual(
        cookies.filter(({ path }) => path.startsWith('/console')),
        [],
      );
      await tab.close();
    });

    it('the page has the permissions of the user', async () => {
      await shown.show('#/secrets');
      await waitForText(page, '.failure', /"?bob"? cannot list/);
    });

    it('a user who has logged out has no access, and a wrong token gives none', async () => {
      await press('Log out');
      await page.getByLabel('Token', { exact: true }).fill('wrong');
      await press('Use the token');
      await waitForText(page, '.failure', 'the server does not accept this token');
    });

    it('a token opens the view that was asked for, until the page is loaded again', async () => {
      await shown.show('#/namespaces');
      await page.getByLabel('Token', { exact: true }).fill(TOKEN);
      await press('Use the token');
      await waitForText(page, '.rows, table', 'default');
      assert.ok(!page.url().includes(TOKEN));
      await page.reload();
      await page.getByLabel('Token', { exact: true }).waitFor();
    });

    it('a token that the server refuses later ends the login', async () => {
      await page.getByLabel('Token', { exact: true }).fill(TOKEN);
      await press('Use the token');
      await waitForText(page, '.rows, table', 'default');
      await page.route('**/api/v1/configmaps**', (route) => route.fulfill({ status: 401, json: {} }));
      await shown.show('#/configmaps');
      await waitForText(page, '.login [role=status]', 'does not accept the token any more');
    });
  });
});
