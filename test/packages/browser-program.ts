import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../console/console-browser.ts';

/** A page with the exports of a program as `program`. */
export interface RunningProgram extends AsyncDisposable {
  readonly page: Page;
}

/** Bundles a program of a project as other programs for browsers are, and opens it in a page of its own origin. */
export async function openProgram(folder: string, file: string): Promise<RunningProgram> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [file],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'program',
    write: false,
  });
  const html = `<!doctype html><script>${outputFiles[0]?.text}</script>`;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await launchBrowser();
  // The authority of a test server is not one of the browser.
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    page,
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.close();
    },
  };
}
