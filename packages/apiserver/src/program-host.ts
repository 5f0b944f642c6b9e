/** The parts of `ApiServerHost` that every program that runs an API server has in common. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTerminal, type LogFormat } from '@orch/program';
import type { RunningApiServer } from './start/start-context.ts';

/** Defined by the bundler; absent when running from source. */
declare const ORCH_WORKER: string | undefined;
declare const ORCH_THREAD: string | undefined;
declare const ORCH_YAML_THREAD: string | undefined;

/** The embedded store's worker in a bundle: a file next to the bundle. Empty when running from source. */
export const embeddedWorkerUrl = (): { readonly workerUrl?: URL } =>
  typeof ORCH_WORKER === 'undefined' ? {} : { workerUrl: new URL(ORCH_WORKER, import.meta.url) };

/** The program of the thread that parses large bodies of YAML, in a bundle. Empty when running from source. */
export const yamlThreadUrl = (): { readonly yamlThreadUrl?: URL } =>
  typeof ORCH_YAML_THREAD === 'undefined'
    ? {}
    : { yamlThreadUrl: new URL(ORCH_YAML_THREAD, import.meta.url) };

/** The program of further threads in a bundle: a file beside the bundle. Empty when running from source. */
export const threadUrl = (): { readonly threadUrl?: URL } =>
  typeof ORCH_THREAD === 'undefined' ? {} : { threadUrl: new URL(ORCH_THREAD, import.meta.url) };

/** The addresses of a server that is ready, in lines. */
export const addressesText = ({ url, adminConfig, ops }: RunningApiServer): string =>
  `serving on ${url}\nadmin client configuration: ${adminConfig}\n${
    ops === undefined ? '' : `health and metrics on http://${ops}\n`
  }`;

/**
 * Prints the addresses of a server that is ready to standard output, for its operator or a script; on a terminal also
 * the first commands to run.
 */
export function announce(running: RunningApiServer, format: LogFormat): void {
  const { adminConfig } = running;
  process.stdout.write(addressesText(running));
  if (format === 'json' || !isTerminal(1)) return;
  const [client, file] = [clientProgram(), adminConfig].map(shellWord);
  const command = `${client} --client-config=${file}`;
  process.stdout.write(
    `try: ${command} get namespaces\nin a browser: ${command} console\nstop with Ctrl-C\n`,
  );
}

/** Path of the command-line client next to the program, or its name. */
function clientProgram(): string {
  const path = fileURLToPath(new URL('../bin/orchctl', import.meta.url));
  if (!existsSync(path)) return 'orchctl';
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

const shellWord = (text: string): string =>
  /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
