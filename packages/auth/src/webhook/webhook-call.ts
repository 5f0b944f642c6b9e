import type { RemoteService } from './client-config.ts';

/** A service of the cluster behind which a webhook listens. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

/** The credentials of this server for a webhook. */
export type WebhookCredentials = Pick<RemoteService, 'identity' | 'authorization'>;

/** The address of a webhook, the authorities of its certificate, and the credentials for it. */
export interface WebhookAddress {
  /** A URL, or a service. */
  readonly at: string | WebhookService;
  /** PEM; the authorities of the system when absent. */
  readonly ca: string | undefined;
  readonly credentials?: WebhookCredentials | undefined;
}

/** The body of a request to a webhook, in JSON. */
export interface WebhookRequest {
  readonly body: Buffer;
  /** A longer answer is a failure. */
  readonly maxAnswerBytes: number;
  /** Added to the query of the address: `timeout=10s`. */
  readonly query?: string;
}

/** Calls one webhook. It can be disposed while calls are pending: connections are closed when they have ended. */
export interface WebhookCall extends Disposable {
  /** The parsed answer. Rejects with an `Error` whose message is for people, or with the reason of the signal. */
  (request: WebhookRequest, signal: AbortSignal): Promise<unknown>;
}

/** Makes the connections to a webhook; they are opened when it is called. */
export type OpenWebhook = (address: WebhookAddress) => WebhookCall;

const USUAL_PORT = 443;

/** The address in the `clientConfig` of a webhook, in any of the kinds that have one; `caBundle` is base64. */
export function webhookAddress({ url, service, caBundle = '' }: WebhookClientConfig): WebhookAddress {
  const { namespace = '', name = '', path, port } = service ?? {};
  return {
    at: url ?? { namespace, name, port: port || USUAL_PORT, path: path || '/' },
    ca: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
  };
}

/** The fields of a validated `clientConfig`. */
export interface WebhookClientConfig {
  readonly url?: string | undefined;
  readonly service?:
    | {
        readonly namespace?: string;
        readonly name?: string;
        readonly path?: string;
        readonly port?: number;
      }
    | undefined;
  readonly caBundle?: string | undefined;
}
