import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import { parseJson } from '@orch/machinery';
import type { RemoteService } from './client-config.ts';

/** Why a service did not answer. `isPassing`: asking again may help. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean) {
    super(message);
    this.isPassing = isPassing;
  }
}

const MAX_ANSWER_BYTES = 1024 * 1024;
const USUAL_SOCKETS = 64;

/** How a service is connected to. */
export interface ConnectionOptions {
  readonly maxSockets?: number;
  readonly headers?: QuestionHeaders;
  /** Receives the certificate of each connection before its name is checked. */
  readonly sawCertificate?: (certificate: PeerCertificate) => void;
}

/** Connections to one service, which are kept; closed together with it. */
export interface Connections extends Disposable {
  /** POSTs JSON; the head of the answer, whose body is the caller's to read. Rejects with `RemoteError`, or the signal's reason. */
  post(payload: string | Buffer, signal: AbortSignal): Promise<IncomingMessage>;
}

/** Header fields for one question, beside those that all have. */
export type QuestionHeaders = () => Readonly<Record<string, string>>;

/** Throws when certificate or key cannot be read. */
export function connectionsTo(
  service: RemoteService,
  { maxSockets = USUAL_SOCKETS, headers: more = () => ({}), sawCertificate }: ConnectionOptions = {},
): Connections {
  const { url, identity, ca, serverName, isUnverified, authorization } = service;
  const isSecure = url.protocol === 'https:';
  const tls = {
    // Created in advance, so that unreadable certificates are reported at the start.
    secureContext: createSecureContext({ ...(ca === undefined ? {} : { ca }), ...identity }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    rejectUnauthorized: !isUnverified,
    checkServerIdentity(name: string, certificate: PeerCertificate) {
      sawCertificate?.(certificate);
      return checkServerIdentity(name, certificate);
    },
  };
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, maxSockets, ...tls })
    : new HttpAgent({ keepAlive: true, maxSockets });
  const fixed = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return {
    post: (payload, signal) =>
      new Promise((resolve, reject) => {
        const headers = { ...more(), ...fixed, 'content-length': Buffer.byteLength(payload) };
        const options = { method: 'POST', agent, headers, signal };
        const outgoing = (isSecure ? requestHttps : requestHttp)(url, options, resolve);
        outgoing.on('error', (error) => {
          reject(signal.aborted ? signal.reason : new RemoteError(error.message, true));
        });
        outgoing.end(payload);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** Sends JSON requests to one service and reads its JSON responses. */
export interface JsonPost extends Disposable {
  /** The parsed body of an answer with a 2xx status; rejects with `RemoteError`, or the signal's reason. */
  (body: object, signal: AbortSignal): Promise<unknown>;
}

/** Throws when certificate or key cannot be read. */
export function jsonPost(service: RemoteService, options: ConnectionOptions = {}): JsonPost {
  const connections = connectionsTo(service, options);
  const send = async (body: object, signal: AbortSignal): Promise<unknown> =>
    readJsonAnswer(await connections.post(JSON.stringify(body), signal));
  return Object.assign(send, { [Symbol.dispose]: () => connections[Symbol.dispose]() });
}

/** The parsed body of an answer with a 2xx status, of at most `limitBytes`. Rejects with `RemoteError`. */
export async function readJsonAnswer(
  incoming: IncomingMessage,
  limitBytes: number = MAX_ANSWER_BYTES,
): Promise<unknown> {
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 299) {
    incoming.destroy();
    throw new RemoteError(`it answered ${status}`, status === 429 || status >= 500);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming) {
      size += (chunk as Buffer).length;
      if (size > limitBytes) break;
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw new RemoteError(error instanceof Error ? error.message : String(error), true);
  }
  if (size > limitBytes) throw new RemoteError('its answer is too large', false);
  try {
    return parseJson(Buffer.concat(chunks));
  } catch {
    throw new RemoteError('its answer is not JSON', false);
  }
}
