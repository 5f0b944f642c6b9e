import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { deferred } from '@orch/machinery/concurrency';
import { runCommandLine } from '@orch/orchctl/testing';
import { type Browser, chromium } from 'playwright-core';

/** The Chromium of the distribution; undefined where it is not installed. */
export const chromiumPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => existsSync(path));

/** The reason why tests with a browser are skipped; false where they run. */
export const skipped = chromiumPath === undefined ? 'there is no chromium on this machine' : false;

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? 'chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });

/** `orchctl console`, running. */
export interface RunningConsole extends AsyncDisposable {
  /** The printed address, with the token. */
  readonly address: URL;
}

/** Runs `orchctl console` until it is disposed. */
export async function startConsole(
  adminConfig: string,
  flags: readonly string[] = [],
): Promise<RunningConsole> {
  const stop = new AbortController();
  const printed = deferred<string>();
  const argv = ['console', `--kubeconfig=${adminConfig}`, ...flags];
  const running = runCommandLine(argv, {
    signal: stop.signal,
    onOutput(text) {
      const [, address] = /is at (http:\S+)\n/.exec(text) ?? [];
      if (address !== undefined) printed.resolve(address);
    },
  });
  const ended = running.then(({ err }) => Promise.reject(new Error(`the console ended: ${err}`)));
  ended.catch(() => undefined);
  const address = new URL(await Promise.race([printed.promise, ended]));
  return {
    address,
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the test has ended'));
      await running;
    },
  };
}
