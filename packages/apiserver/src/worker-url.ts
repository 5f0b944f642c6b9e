/** Put in by the bundler; absent when running from source. */
declare const ORCH_WORKER: string | undefined;

/** Where the embedded store's worker is in a bundle: a file beside it. Nothing when running from source. */
export const embeddedWorkerUrl = (): { readonly workerUrl?: URL } =>
  typeof ORCH_WORKER === 'undefined' ? {} : { workerUrl: new URL(ORCH_WORKER, import.meta.url) };
