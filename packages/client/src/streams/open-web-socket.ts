import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Env } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';
import type { Identity } from '../credentials/types.ts';
import { failureOf } from '../rest/failures.ts';
import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { dial, problemOf } from '../transport/dial.ts';
import { checkHeaders, checkTarget } from '../transport/request-check.ts';
import { routeOf } from '../transport/route-of.ts';
import { TransportError } from '../transport/transport.ts';
import { WebSocketConnection } from './web-socket.ts';

/** Part of every handshake (RFC 6455 section 1.3). */
const HANDSHAKE_ID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const CONNECT_TIMEOUT_MS = 10_000;

export interface WebSocketRequest {
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** Subprotocols in order of preference. */
  readonly protocols: readonly string[];
  readonly userAgent: string;
}

/** A request on behalf of another client, which has begun the handshake. */
export interface TunnelRequest extends WebSocketRequest {
  /** `Sec-WebSocket-Key` of the other client. */
  readonly key: string;
}

/** An accepted handshake, before the first message. */
export interface WebSocketTunnel {
  readonly socket: Duplex;
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  /** `Sec-WebSocket-Accept` for the key of the request. */
  readonly accept: string;
}

export interface Opening {
  readonly settings: ConnectionSettings;
  readonly env: Pick<Env, 'clock' | 'random'>;
}

/**
 * Opens a WebSocket to a server, over a separate connection. Rejects with `ApiError` if the server refuses, with
 * `TransportError` without a response, and with the reason of the signal, which also ends the open connection.
 */
export async function openWebSocket(
  opening: Opening,
  request: WebSocketRequest,
  signal: AbortSignal,
): Promise<WebSocketConnection> {
  const key = opening.env.random.bytes(16).toString('base64');
  const { socket, protocol } = await openTunnel(opening, { ...request, key }, signal);
  return new WebSocketConnection(socket, protocol, opening.env.random);
}

/**
 * Opens a WebSocket for another client, which exchanges the frames itself: the bytes of both connections are passed on as they are.
 * Rejects as `openWebSocket`.
 */
export async function openTunnel(
  opening: Opening,
  request: TunnelRequest,
  signal: AbortSignal,
): Promise<WebSocketTunnel> {
  const { credentials } = opening.settings;
  const identity = await credentials.current(signal);
  const first = await attempt(opening, { ...request, identity }, signal);
  if (!('response' in first)) return first;
  if (first.response.statusCode === 401 && credentials.rejected(identity)) {
    first.socket.destroy();
    const renewed = await credentials.current(signal);
    const second = await attempt(opening, { ...request, identity: renewed }, signal);
    if (!('response' in second)) return second;
    throw await refusal(second);
  }
  throw await refusal(first);
}

/** A response that is not an upgrade, and its connection. */
interface Refusal {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
}

async function attempt(
  { settings, env }: Opening,
  request: TunnelRequest & { readonly identity: Identity },
  signal: AbortSignal,
): Promise<WebSocketTunnel | Refusal> {
  const route = routeOf(settings, CONNECT_TIMEOUT_MS);
  const { target, protocols, userAgent, identity, key } = request;
  const headers = {
    'user-agent': userAgent,
    ...identity.headers,
    host: route.endpoint.authority,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    'sec-websocket-protocol': protocols.join(', '),
  };
  checkTarget(target);
  checkHeaders(headers);
  const { socket } = await dial(
    { ...route, protocols: ['http/1.1'] },
    { tls: identity.tls, clock: env.clock },
    signal,
  );
  const unregister = onAbort(signal, () => socket.destroy());
  socket.once('close', unregister);
  const answer = await answerOf({ socket, path: route.endpoint.basePath + target, headers }, signal);
  if (!answer.isUpgrade) return { response: answer.response, socket };
  const protocol = answer.response.headers['sec-websocket-protocol'] ?? '';
  const accept = acceptOf(key);
  if (answer.response.headers['sec-websocket-accept'] !== accept || !protocols.includes(protocol)) {
    socket.destroy();
    throw new TransportError('unknown', 'the server accepted the WebSocket with an invalid response');
  }
  return { socket: answer.socket, protocol, accept };
}

type Answer =
  | { readonly isUpgrade: true; readonly response: IncomingMessage; readonly socket: Duplex }
  | { readonly isUpgrade: false; readonly response: IncomingMessage };

interface Handshake {
  readonly socket: import('node:net').Socket;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

function answerOf({ socket, path, headers }: Handshake, signal: AbortSignal): Promise<Answer> {
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      path,
      headers: headers as OutgoingHttpHeaders,
      setHost: false,
    });
    const fail = (cause: Error): void =>
      reject(
        signal.aborted
          ? signal.reason
          : new TransportError('unknown', `the request was interrupted: ${problemOf(cause)}`, { cause }),
      );
    outgoing.on('error', fail);
    outgoing.once('close', () => fail(new Error('the connection ended')));
    outgoing.once('response', (response) => resolve({ isUpgrade: false, response }));
    outgoing.once('upgrade', (response, upgraded, early) => {
      if (early.length > 0) upgraded.unshift(early);
      resolve({ isUpgrade: true, response, socket: upgraded });
    });
    outgoing.end();
  });
}

/** The failure of a response that is not an upgrade. Its connection ends: an idle one would keep a process running. */
async function refusal({ response, socket }: Refusal): Promise<Error> {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
  try {
    return await failureOf({ status: response.statusCode ?? 0, headers, body: response });
  } finally {
    socket.destroy();
  }
}

const acceptOf = (key: string): string => createHash('sha1').update(`${key}${HANDSHAKE_ID}`).digest('base64');
