/** What every program that runs an API server puts into its `ApiServerHost`. */
import type { RunningApiServer } from './start/start-context.ts';

/** Defined by the bundler; absent when running from source. */
declare const ORCH_WORKER: string | undefined;

/** The embedded store's worker in a bundle: a file beside the bundle. Empty when running from source. */
export const embeddedWorkerUrl = (): { readonly workerUrl?: URL } =>
  typeof ORCH_WORKER === 'undefined' ? {} : { workerUrl: new URL(ORCH_WORKER, import.meta.url) };

/** Prints the addresses of a server that is ready to standard output, for its operator or a script. */
export function announce({ url, adminConfig, ops }: RunningApiServer): void {
  process.stdout.write(`serving on ${url}\nadmin client configuration: ${adminConfig}\n`);
  if (ops !== undefined) process.stdout.write(`health and metrics on http://${ops}\n`);
}
