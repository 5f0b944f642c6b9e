import { isIP } from 'node:net';
import {
  type Connections,
  connectionsTo,
  type OpenWebhook,
  RemoteError,
  readJsonAnswer,
  type WebhookAddress,
  type WebhookRequest,
  type WebhookService,
} from '@orch/auth';
import { type ServicePort, serviceAddress } from '@orch/connect';
import { type Clock, type Metrics, messageOf, type Random } from '@orch/machinery';
import { UsedResource } from '@orch/machinery/concurrency';
import { type AddressUse, checkedLookup, isAllowedAddress, type ResolveName } from '@orch/outbound';
import type { CoreObjects } from '@orch/registry';

/** Connections to one webhook with HTTP/1.1 at a time; further requests wait. */
const MAX_SOCKETS = 128;
/** Endpoints of a service to which connections are kept. */
const MAX_ENDPOINTS = 16;

export interface WebhookOpenerOptions {
  /** Pods, services and endpoints, for webhooks behind a service. */
  readonly objects: CoreObjects;
  readonly random: Random;
  readonly clock: Clock;
  /** The address of an endpoint of a service; chosen among those that are ready when absent. */
  readonly addressOf?: (service: ServicePort) => { readonly host: string; readonly port: number };
  /** Resolves the names in URLs; with the resolver of the machine when absent. */
  readonly resolve?: ResolveName;
  /** Spans of calls; none when absent. */
  readonly tracing?: CallTracing | undefined;
  /** Counts certificates without alternative names; they are not counted when absent. */
  readonly metrics?: Metrics;
}

/** Makes calls of webhooks spans of the requests that cause them. */
export interface CallTracing {
  /** Header fields that propagate the active span. */
  headers(): Readonly<Record<string, string>>;
  /** Makes a call to `address`, a host with its port, in a span. */
  spanned<T>(address: string, call: () => Promise<T>): Promise<T>;
}

/** The destination of a connection, and the name that the certificate must have. */
interface Endpoint {
  readonly url: URL;
  readonly serverName: string | undefined;
  /** The Host header, where it is not that of the URL. */
  readonly host: string | undefined;
}

/**
 * Calls webhooks by HTTPS: their certificates are checked, redirects are not followed, and answers are bounded. Connections
 * are kept.
 */
export function webhookOpener(options: WebhookOpenerOptions): OpenWebhook {
  const { objects, random, tracing } = options;
  const addressOf =
    options.addressOf ?? ((service: ServicePort) => serviceAddress({ objects, random }, service));
  return (address) => {
    const endpoints = new UsedResource(new Endpoints(address, options));
    const { at } = address;
    let atUrl: Endpoint | undefined;
    const endpoint = (): Endpoint => {
      if (typeof at !== 'string') return serviceEndpoint(at, addressOf(at));
      atUrl ??= { url: requestUrl(at), serverName: undefined, host: undefined };
      return atUrl;
    };
    const post = (request: WebhookRequest, signal: AbortSignal): Promise<unknown> =>
      endpoints.use(async (opened) => {
        try {
          const connections = opened.connections(endpoint());
          const { body: payload, query, maxAnswerBytes } = request;
          return readJsonAnswer(await connections.post({ payload, query, maxAnswerBytes }, signal));
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          throw failureOf(address, error);
        }
      });
    const call = (request: WebhookRequest, signal: AbortSignal): Promise<unknown> =>
      tracing === undefined
        ? post(request, signal)
        : tracing.spanned(hostOf(address), () => post(request, signal));
    return Object.assign(call, { [Symbol.dispose]: () => endpoints[Symbol.dispose]() });
  };
}

function failureOf(address: WebhookAddress, error: unknown): RemoteError {
  const { isPassing, status } = error instanceof RemoteError ? error : { isPassing: true, status: undefined };
  return new RemoteError(`Post ${JSON.stringify(nameOf(address))}: ${messageOf(error)}`, isPassing, status);
}

type ConnectOptions = Pick<WebhookOpenerOptions, 'clock' | 'resolve' | 'tracing' | 'metrics'>;

/** The connections to a webhook, by endpoint. */
class Endpoints implements Disposable {
  readonly #address: WebhookAddress;
  readonly #options: ConnectOptions;
  readonly #opened = new Map<string, Connections>();

  constructor(address: WebhookAddress, options: ConnectOptions) {
    this.#address = address;
    this.#options = options;
  }

  connections(endpoint: Endpoint): Connections {
    const { host } = endpoint.url;
    const known = this.#opened.get(host);
    if (known !== undefined) return known;
    const connections = connectTo(this.#address, endpoint, this.#options);
    for (const [oldest, { [Symbol.dispose]: close }] of this.#opened) {
      if (this.#opened.size < MAX_ENDPOINTS) break;
      this.#opened.delete(oldest);
      close();
    }
    this.#opened.set(host, connections);
    return connections;
  }

  [Symbol.dispose](): void {
    for (const connections of this.#opened.values()) connections[Symbol.dispose]();
    this.#opened.clear();
  }
}

/**
 * URLs come from objects of the cluster, and may be on this machine: webhooks of one cluster often are. Services are never
 * there, also those that give a name. Addresses that are not webhooks, such as those where clouds serve credentials to the
 * machine, are refused at the moment of the connection.
 */
const addressUse = ({ at }: WebhookAddress): AddressUse =>
  typeof at === 'string' ? 'nodeAgent' : 'workload';

function connectTo(
  webhook: WebhookAddress,
  { url, serverName, host }: Endpoint,
  { clock, resolve, tracing, metrics }: ConnectOptions,
): Connections {
  if (url.protocol !== 'https:') throw new Error('the URL must begin with https://');
  const address = url.hostname.replace(/^\[|\]$/g, '');
  // The addresses of endpoints were checked where they were found.
  if (serverName === undefined && isIP(address) !== 0 && !isAllowedAddress(address, addressUse(webhook)))
    throw new Error('address not allowed');
  const { ca, credentials } = webhook;
  const { identity, authorization } = credentials ?? { identity: undefined, authorization: undefined };
  return connectionsTo(
    { url, ca, serverName, isUnverified: false, identity, authorization },
    {
      clock,
      maxSockets: MAX_SOCKETS,
      headers: () => ({ ...tracing?.headers(), ...(host === undefined ? {} : { host }) }),
      lookup: checkedLookup((found) => isAllowedAddress(found, addressUse(webhook)), resolve),
      ...(metrics === undefined ? {} : { metrics }),
    },
  );
}

/** Without empty segments in its path: routers of webhooks redirect requests that have them. */
function requestUrl(text: string): URL {
  const url = new URL(text);
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  url.pathname = `/${segments.join('/')}`;
  return url;
}

const serviceHost = ({ namespace, name }: WebhookService): string => `${name}.${namespace}.svc`;

function serviceEndpoint(
  service: WebhookService,
  { host, port }: { readonly host: string; readonly port: number },
): Endpoint {
  const name = serviceHost(service);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  // The path may hold a query; it is written into the URL as the definition has it.
  const url = requestUrl(`https://${authority}/${service.path}`);
  return { url, serverName: name, host: `${name}:${service.port}` };
}

const hostOf = ({ at }: WebhookAddress): string =>
  typeof at === 'string' ? new URL(at).host : `${serviceHost(at)}:${at.port}`;

/** The webhook as messages name it: without a query, which may hold a secret. */
function nameOf({ at }: WebhookAddress): string {
  if (typeof at !== 'string')
    return `https://${serviceHost(at)}:${at.port}${at.path.startsWith('/') ? '' : '/'}${at.path}`;
  const { origin, pathname } = requestUrl(at);
  return `${origin}${pathname}`;
}
