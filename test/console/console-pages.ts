import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { RunningConsole } from './console-browser.ts';

/** The script of axe-core, which finds violations of WCAG. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page of the console in a browser. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  /** What a page must never have: errors of scripts, refusals by its policy, requests to other hosts. */
  readonly faults: readonly string[];
  /** Shows the view of a fragment: `#/pods`. */
  show(fragment: string): Promise<void>;
  /** Violations of WCAG 2.2 AA and of good practice on what is shown. */
  violations(): Promise<readonly string[]>;
}

/** Opens the printed address of a console. */
export async function openPage(
  browser: Browser,
  { address }: RunningConsole,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
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
    },
    async violations() {
      await page.evaluate(axe);
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
