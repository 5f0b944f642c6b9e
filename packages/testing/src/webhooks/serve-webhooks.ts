import { join } from 'node:path';
import { createClient, type LoadedConfig } from '@orch/client';
import { webhookServer } from '@orch/client/webhooks';
import { deferred } from '@orch/machinery/concurrency';
import type { TestWebhooks, WebhookAddress } from './test-webhooks.ts';

export interface WebhookServing {
  readonly config: LoadedConfig;
  /** The folder with the certificate of the API server, which is valid for this machine. */
  readonly certificates: string;
}

/** A server for the webhooks of a test. */
export interface ServedWebhooks {
  readonly address: WebhookAddress;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Serves webhooks on a free port of this machine; resolves when it is open. Throws a RangeError for a path that is not valid. */
export async function serveWebhooks(
  { admission = {}, conversion = {} }: TestWebhooks,
  { config, certificates }: WebhookServing,
): Promise<ServedWebhooks> {
  const stop = new AbortController();
  const listening = deferred<number>();
  const run = webhookServer({
    host: HOST,
    port: 0,
    tls: { certFile: join(certificates, 'apiserver.crt'), keyFile: join(certificates, 'apiserver.key') },
    admission,
    conversion,
    onListening: listening.resolve,
  });
  const { env } = config;
  const ended = run({ env, client: createClient(config) }, stop.signal);
  ended.catch(listening.reject);
  const origin = `https://${HOST}:${await listening.promise}`;
  const paths = new Set([...Object.keys(admission), ...Object.keys(conversion)]);
  return {
    address: { origin, authority: config.settings.ca ?? '', paths },
    async stop() {
      stop.abort(new Error('the control plane is stopped'));
      await ended;
    },
  };
}
