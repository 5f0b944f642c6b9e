import type { BuildFacts } from '@orch/server';

/** Put in by the bundler; absent when running from source. */
declare const ORCH_BUILD: BuildFacts | undefined;
declare const ORCH_WORKER: string | undefined;

/** What is known of this build of the program. */
export const buildFacts = (): BuildFacts =>
  typeof ORCH_BUILD === 'undefined' ? { version: '0.0.0-source', commit: '', date: '' } : ORCH_BUILD;

/** Where the embedded store's worker is in a bundle: a file beside it. Nothing when running from source. */
export const embeddedWorkerUrl = (): { readonly workerUrl?: URL } =>
  typeof ORCH_WORKER === 'undefined' ? {} : { workerUrl: new URL(ORCH_WORKER, import.meta.url) };
