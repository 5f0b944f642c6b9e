import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, type RunningConsole, startConsole } from './console-browser.ts';

/** The script of axe-core, which finds violations of WCAG. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How long the browser waits for anything, also on a slow and busy machine. */
export const DEADLINE_MS = 60_000;

/** Resolves when the page has drawn what it knows: a fragment is read by an event, and drawn in a frame. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');

/** A page of the console in a browser. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  /** What a page must never have: errors of scripts, refusals by its policy, requests to other hosts. */
  readonly faults: readonly string[];
  /** Shows the view of a fragment: `#/pods`. Nothing of an earlier view is there when it resolves. */
  show(fragment: string): Promise<void>;
  /** Violations of WCAG 2.2 AA and of good practice on what is shown. */
  violations(): Promise<readonly string[]>;
}

/** Opens the printed address of a console. */
export async function openPage(
  browser: Browser,
  { address }: Pick<RunningConsole, 'address'>,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(DEADLINE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content.Security|Trusted|Refused|Uncaught/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).host !== address.host && !request.url().startsWith('data:'))
      faults.push(`request to ${request.url()}`);
  });
  await page.goto(address.href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return {
    ...{ page, faults },
    async show(fragment) {
      await page.goto(new URL(address.pathname, address).href + fragment);
      await drawn(page);
    },
    async violations() {
      if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
      return await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { readonly axe: AxeGlobal };
        const { violations } = await axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      assert.deepEqual(faults, []);
    },
  };
}

interface AxeGlobal {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

/** A server, its console, and a browser that shows it. */
export interface ShownConsole extends AsyncDisposable {
  readonly server: LaunchedServer;
  readonly browser: Browser;
  readonly shown: ConsolePage;
  /** Creates an object. */
  post(path: string, body: object): Promise<CreatedObject>;
}

export interface CreatedObject {
  readonly metadata: { readonly uid: string };
}

/** Starts a server with roles and a history, and opens its console in a browser. `args`: further flags of the server. */
export async function showConsole(args: readonly string[] = []): Promise<ShownConsole> {
  const server = await launchServer({
    args: ['--authorization-mode=RBAC', '--history-retention=1h', ...args],
  });
  const [browser, running] = await Promise.all([launchBrowser(), startConsole(server.adminConfig)]);
  const shown = await openPage(browser, running);
  return {
    ...{ server, browser, shown },
    async post(path, body) {
      const { status, text } = await server.client.post(path, body);
      assert.ok(status < 300, text);
      return JSON.parse(text);
    },
    async [Symbol.asyncDispose]() {
      await shown[Symbol.asyncDispose]();
      await browser.close();
      await running[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export const configMaps = '/api/v1/namespaces/default/configmaps';

/** A config map whose label is the first part of its name. */
export const configMap = (name: string): object => ({
  metadata: { name, labels: { app: name.replace(/-.*/, '') } },
  data: { key: 'value' },
});

export const waitForText = (page: Page, selector: string, text: string | RegExp): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor();

/** Shows views in both color schemes, in a narrow and in a wide window, and fails for violations of WCAG. */
export async function checkAccess({ page, show, violations }: ConsolePage, views: Views): Promise<void> {
  for (const [fragment, selector, prepare] of views) {
    await show(fragment);
    await prepare?.(page);
    await page.locator(selector).first().waitFor();
    for (const width of [390, 1280])
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await drawn(page);
        const place = `${fragment}, ${selector} at ${width} pixels in ${colorScheme} colors`;
        assert.deepEqual(await violations(), [], place);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(wide <= width, `${place} is ${wide} pixels wide`);
      }
    if ((await page.getByRole('dialog').count()) > 0) {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  }
}

/** Fragments of addresses, with what is waited for, and with what is done before. */
type Views = readonly (readonly [
  fragment: string,
  selector: string,
  prepare?: (page: Page) => Promise<void>,
])[];

/** Presses the first button of a name. */
export const pressing =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click();
