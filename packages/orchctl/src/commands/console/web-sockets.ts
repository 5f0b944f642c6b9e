import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TunnelRequest, WebSocketTunnel } from '@orch/client';
import { ApiError, messageOf } from '@orch/machinery';
import type { PageAccess, Refusal } from './access.ts';
import { shellRefusalOf } from './allowed-request.ts';

/** Opens a WebSocket to the API server for the page. */
export type OpenTunnel = (
  request: Omit<TunnelRequest, 'userAgent'>,
  signal: AbortSignal,
) => Promise<WebSocketTunnel>;

export interface WebSocketsOptions {
  readonly access: PageAccess;
  /** Name and port under which the page is served, as browsers send them. Known once the server listens. */
  readonly host: () => string;
  readonly isReadOnly: boolean;
  /** The protocols of streams of commands. */
  readonly protocols: readonly string[];
  readonly openTunnel: OpenTunnel;
  readonly signal: AbortSignal;
}

/** Shells of the page at the same time. */
const MAX_OPEN = 16;

/**
 * Joins WebSockets of the page with those of commands in containers, with the credentials of this program. The page exchanges the frames;
 * nothing of the container is an answer of this port, which a browser could show.
 */
export function acceptWebSockets(server: Server, options: WebSocketsOptions): void {
  let open = 0;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, early: Buffer) => {
    // Without a listener, the failure of a connection would end the program.
    socket.on('error', () => undefined);
    const refusal =
      refusalOf(request, options) ??
      (open >= MAX_OPEN ? { status: 429, text: `${MAX_OPEN} shells are open` } : undefined);
    if (refusal !== undefined) return refuse(socket, refusal);
    if (early.length > 0) socket.unshift(early);
    open++;
    void join(request, socket, options).finally(() => open--);
  });
}

function refusalOf(
  request: IncomingMessage,
  { access, host, isReadOnly }: WebSocketsOptions,
): Refusal | undefined {
  const refusal = access.refusal(request, host());
  if (refusal !== undefined) return refusal;
  const { headers, method = '' } = request;
  // Browsers add it to every WebSocket, and no other page can set it.
  if (headers.origin === undefined || method !== 'GET')
    return { status: 403, text: 'The request comes from no page.' };
  if (headers.upgrade?.toLowerCase() !== 'websocket' || headers['sec-websocket-version'] !== '13')
    return { status: 400, text: 'The request is no WebSocket.' };
  if (!/^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    return { status: 400, text: 'The key of the WebSocket is malformed.' };
  const target = targetOf(request, access);
  if (target === undefined) return { status: 404, text: 'There is no such page.' };
  const text = shellRefusalOf(target, isReadOnly);
  return text === undefined ? undefined : { status: 403, text };
}

/** The path and query of the API; undefined for another address. */
function targetOf({ url = '' }: IncomingMessage, { path }: PageAccess): string | undefined {
  const api = `${path}server/`;
  return url.startsWith(api) ? url.slice(api.length - 1) : undefined;
}

async function join(
  request: IncomingMessage,
  socket: Duplex,
  { access, protocols, openTunnel, signal }: WebSocketsOptions,
): Promise<void> {
  const left = new AbortController();
  socket.once('close', () => left.abort(new Error('the page has left')));
  const all = AbortSignal.any([signal, left.signal]);
  try {
    const tunnel = await openTunnel(
      {
        target: targetOf(request, access) ?? '',
        protocols: offered(request).filter((name) => protocols.includes(name)),
        key: request.headers['sec-websocket-key'] ?? '',
      },
      all,
    );
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${tunnel.accept}\r\nSec-WebSocket-Protocol: ${tunnel.protocol}\r\n\r\n`,
    );
    await pipeline(socket, tunnel.socket, socket, { signal: all });
  } catch (error) {
    if (all.aborted || socket.destroyed) socket.destroy();
    else
      refuse(socket, { status: error instanceof ApiError ? error.status.code : 502, text: messageOf(error) });
  }
}

const offered = ({ headers }: IncomingMessage): readonly string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());

function refuse(socket: Duplex, { status, text }: Refusal): void {
  const body = Buffer.from(`${text}\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n${body.toString('utf8')}`,
  );
}
