import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { SecureContextOptions } from 'node:tls';
import { eventually } from '@orch/machinery/testing';
import { temporaryFolder } from '@orch/testkit';
import type { Browser, Page } from 'playwright-core';
import { type NodeCluster, nodeCluster } from '../orchctl/node-cluster.ts';
import { launchBrowser, type RunningConsole, skipped, startConsole } from './console-browser.ts';
import { type ConsolePage, DEADLINE_MS, openPage, waitForText } from './console-pages.ts';

const TOKEN = 'token-of-ann';
/** A program that attacks the terminal: a title, a link, the clipboard, colors of every kind, and HTML. */
const hostile = [
  '\u001b]0;title\u0007\u001b]52;c;YXR0YWNr\u0007\u001b]8;;https://evil.example\u0007a link\u001b]8;;\u0007',
  '\u001b[38;2;255;0;0mred\u001b[48;5;200mpink\u001b[0m<img src=x onerror="document.title=1">\r\n',
].join('');

const handshake = {
  ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v4.channel.orch.io' },
  ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
};

describe('shells of the console', () => {
  const folder = temporaryFolder();
  let cluster: NodeCluster;
  let running: RunningConsole;
  let readOnly: RunningConsole;
  before(async () => {
    const tokens = join(folder.path, 'tokens');
    writeFileSync(tokens, `${TOKEN},ann,1\n`);
    cluster = await nodeCluster('orch', () => 1, {
      args: ['--console', `--token-auth-file=${tokens}`],
      runOther([name], streams) {
        if (name !== 'attack') return false;
        streams.out(Buffer.from(hostile));
        return true;
      },
    });
    const { adminConfig } = cluster.server;
    running = await startConsole(adminConfig);
    readOnly = await startConsole(adminConfig, ['--read-only']);
  });
  after(async () => {
    await running[Symbol.asyncDispose]();
    await readOnly[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  describe('attacks on the shells of orchctl console', () => {
    const signedIn = new Map<RunningConsole, string>();
    type Sending = RequestOptions & SecureContextOptions;
    /** The status of a request. The node agent is in this process, which may be too busy to accept a connection in time: the server then answers 503. */
    const outcome = (options: Sending): Promise<number | undefined> =>
      eventually(
        () => statusOf(options),
        (status) => status !== 503,
        DEADLINE_MS,
      );
    const statusOf = async (options: Sending): Promise<number | undefined> => {
      const send = options.protocol === 'https:' ? secureRequest : request;
      const sent = send({ ...options, agent: false });
      sent.end();
      const [{ statusCode }] = (await Promise.race([once(sent, 'response'), once(sent, 'upgrade')])) as [
        IncomingMessage,
      ];
      sent.destroy();
      return statusCode;
    };

    /** The cookie of the browser that has opened the printed address. */
    async function cookieOf(console: RunningConsole): Promise<string> {
      const known = signedIn.get(console);
      if (known !== undefined) return known;
      const first = await fetch(console.address, { redirect: 'manual' });
      const cookie = (first.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
      signedIn.set(console, cookie);
      return cookie;
    }

    /** The status of a WebSocket to a path of the API, with the cookie of the browser. */
    async function connect(
      console: RunningConsole,
      path: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<number | undefined> {
      const { address } = console;
      const sent = {
        ...{ cookie: await cookieOf(console), origin: address.origin, ...handshake, ...headers },
      };
      const { hostname: host, port, pathname } = address;
      return outcome({ host, port, path: `${pathname}server${path}`, headers: sent });
    }
    const pod = '/api/v1/namespaces/default/pods/one';
    const exec = `${pod}/exec?container=c&command=cat&stdin=true&stdout=true`;

    it('only the page itself opens a shell', async () => {
      assert.equal(await connect(running, exec), 101);
      for (const [headers, status] of [
        [{ origin: 'http://evil.example' }, 403],
        [{ 'sec-fetch-site': 'cross-site' }, 403],
        [{ host: 'evil.example' }, 421],
        [{ cookie: '' }, 401],
        [{ 'sec-websocket-key': 'x' }, 400],
        [{ 'sec-websocket-version': '8' }, 400],
      ] as const)
        assert.equal(await connect(running, exec, headers), status, JSON.stringify(headers));
    });

    it('connections to anything but commands are refused', async () => {
      for (const path of [
        `${pod}/attach`,
        `${pod}/portforward?ports=80`,
        `${pod}/proxy/`,
        '/api/v1/pods?watch=true',
      ])
        assert.equal(await connect(running, path), 403, path);
      assert.equal(await connect(running, `${pod}/%65xec?command=cat`), 101);
      assert.equal(await connect(running, `/api/v1/namespaces/default/pods/one%2Fexec`), 403);
    });

    it('a page of another origin opens no shell at the API port with the client certificate of the browser', async () => {
      const { url, config } = cluster.server;
      const { ca, cert, key } = config;
      const { origin, hostname: host, port } = new URL(url);
      for (const [from, status] of [
        [origin, 101],
        ['https://evil.example', 403],
      ] as const)
        assert.equal(
          await outcome({
            ...{ protocol: 'https:', host, port, path: exec, ca, cert, key },
            headers: { ...handshake, origin: from },
          }),
          status,
          from,
        );
    });

    it('only the page itself opens a port of a pod, and none with --read-only', async () => {
      const body = JSON.stringify({ namespace: 'default', name: 'one', port: 80 });
      const json = { 'content-type': 'application/json' };
      for (const [from, headers, status] of [
        [running, json, 200],
        [running, { ...json, origin: 'http://evil.example' }, 403],
        [running, { ...json, 'sec-fetch-site': 'same-site' }, 403],
        [running, { ...json, host: 'evil.example' }, 421],
        [running, { ...json, cookie: '' }, 401],
        [running, { 'content-type': 'text/plain' }, 415],
        [readOnly, json, 403],
      ] as const) {
        const { hostname: host, port, pathname, origin } = from.address;
        const own = { cookie: await cookieOf(from), origin, ...headers };
        const sent = request({ host, port, path: `${pathname}ports`, method: 'POST', headers: own });
        sent.end(body);
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        answer.resume();
        assert.equal(answer.statusCode, status, JSON.stringify(headers));
      }
    });

    it('no shell is opened with --read-only', async () => {
      assert.equal(await connect(readOnly, exec), 403);
    });
  });

  describe('shells in Chromium', { skip: skipped }, () => {
    let browser: Browser;
    let shown: ConsolePage;
    let page: Page;
    let own: RunningConsole;
    before(async () => {
      browser = await launchBrowser();
      own = await startConsole(cluster.server.adminConfig);
      shown = await openPage(browser, own);
      ({ page } = shown);
      await shown.show('#/pods/default/one');
    });
    after(async () => {
      await shown[Symbol.asyncDispose]();
      await browser.close();
      await own[Symbol.asyncDispose]();
    });

    async function runCommand(on: Page, command: string): Promise<void> {
      const close = on.getByRole('button', { name: 'Close the shell' });
      if (await close.isVisible()) await close.click();
      await on.locator('.shell input').fill(command);
      await on.getByRole('button', { name: 'Run in the container' }).click();
    }
    const state = '.shell [role=status]';

    it('a command gets what is typed, and the keyboard leaves it', async () => {
      await runCommand(page, 'cat');
      await waitForText(page, state, 'Connected');
      await page.keyboard.type('hello');
      await waitForText(page, '.xterm-rows', 'hello');
      assert.deepEqual(await shown.violations(), []);
      await page.keyboard.press('Control+]');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Close the shell');
    });

    it('a command gets the size of the terminal, and its end is told', async () => {
      await runCommand(page, 'size');
      await waitForText(page, '.xterm-rows', /[1-9]\d+x[1-9]\d/);
      await runCommand(page, 'exit 3');
      await waitForText(page, state, 'The command has ended with exit code 3.');
    });

    it('output is text with colors: no HTML, no link, no title and no clipboard', async () => {
      const title = await page.title();
      await runCommand(page, 'attack');
      await waitForText(page, '.xterm-rows', 'redpink<img src=x');
      await page.locator('.xterm-rows').getByText('a link').click({ force: true });
      assert.equal(await page.locator('.terminal img, .terminal a').count(), 0);
      assert.deepEqual([await page.title(), page.context().pages().length], [title, 1]);
      const color = await page.evaluate(`getComputedStyle(
        [...document.querySelectorAll('.xterm-rows span')].find((each) => each.textContent === 'red')).color`);
      assert.equal(color, 'rgb(255, 0, 0)');
    });

    it('a shell at the API port has the token of its user', async () => {
      const address = new URL('/console/', cluster.server.url);
      await using other = await openPage(browser, { address }, { ignoreHTTPSErrors: true });
      await other.page.getByLabel('Token', { exact: true }).fill(TOKEN);
      await other.page.getByRole('button', { name: 'Use the token' }).click();
      await other.page.getByRole('button', { name: 'Log out' }).waitFor();
      await other.show('#/pods/default/one');
      await runCommand(other.page, 'echo to ann');
      await waitForText(other.page, '.xterm-rows', 'to ann');
    });
  });
});
