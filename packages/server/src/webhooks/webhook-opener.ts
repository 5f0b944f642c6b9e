import { isIP } from 'node:net';
import { type Connections, connectionsTo, readJsonAnswer } from '@orch/auth';
import { type ServicePort, serviceAddress } from '@orch/connect';
import type { OpenWebhook, WebhookAddress, WebhookService } from '@orch/definitions';
import { messageOf, type Random } from '@orch/machinery';
import type { CoreObjects } from '@orch/registry';

/** Bytes of an answer: a few times the largest review. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Requests to one webhook at a time; further ones wait. */
const MAX_SOCKETS = 16;
/** Endpoints of a service to which connections are kept. */
const MAX_ENDPOINTS = 16;

export interface WebhookOpenerOptions {
  /** Pods, services and endpoints, for webhooks behind a service. */
  readonly objects: CoreObjects;
  readonly random: Random;
  /** The address of an endpoint of a service; chosen among those that are ready when absent. */
  readonly addressOf?: (service: ServicePort) => { readonly host: string; readonly port: number };
}

/** Where a connection goes, and the name that the certificate must be valid for. */
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
  const { objects, random } = options;
  const addressOf =
    options.addressOf ?? ((service: ServicePort) => serviceAddress({ objects, random }, service));
  return (address) => {
    const opened = new Map<string, Connections>();
    const connectionsOf = ({ url, serverName, host }: Endpoint): Connections => {
      const known = opened.get(url.host);
      if (known !== undefined) return known;
      const connections = connectTo(address, { url, serverName, host });
      for (const [oldest, { [Symbol.dispose]: close }] of opened) {
        if (opened.size < MAX_ENDPOINTS) break;
        opened.delete(oldest);
        close();
      }
      opened.set(url.host, connections);
      return connections;
    };
    const call = async (body: Buffer, signal: AbortSignal): Promise<unknown> => {
      const { at } = address;
      const endpoint =
        typeof at === 'string'
          ? { url: new URL(at), serverName: undefined, host: undefined }
          : serviceEndpoint(at, addressOf(at));
      try {
        return await readJsonAnswer(await connectionsOf(endpoint).post(body, signal), MAX_ANSWER_BYTES);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw new Error(`Post ${JSON.stringify(nameOf(address))}: ${messageOf(error)}`, { cause: error });
      }
    };
    return Object.assign(call, {
      [Symbol.dispose]() {
        for (const connections of opened.values()) connections[Symbol.dispose]();
        opened.clear();
      },
    });
  };
}

function connectTo({ ca }: WebhookAddress, { url, serverName, host }: Endpoint): Connections {
  if (url.protocol !== 'https:') throw new Error('the URL must begin with https://');
  return connectionsTo(
    { url, ca, serverName, isUnverified: false, identity: undefined, authorization: undefined },
    { maxSockets: MAX_SOCKETS, headers: () => (host === undefined ? {} : { host }) },
  );
}

const serviceHost = ({ namespace, name }: WebhookService): string => `${name}.${namespace}.svc`;

function serviceEndpoint(
  service: WebhookService,
  { host, port }: { readonly host: string; readonly port: number },
): Endpoint {
  const name = serviceHost(service);
  const url = new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  // The path may hold a query; it is written into the URL as the definition has it.
  url.href = `${url.origin}${service.path.startsWith('/') ? '' : '/'}${service.path}`;
  return { url, serverName: name, host: `${name}:${service.port}` };
}

/** The webhook as messages name it: without a query, which may hold a secret. */
function nameOf({ at }: WebhookAddress): string {
  if (typeof at !== 'string')
    return `https://${serviceHost(at)}:${at.port}${at.path.startsWith('/') ? '' : '/'}${at.path}`;
  const { origin, pathname } = new URL(at);
  return `${origin}${pathname}`;
}
