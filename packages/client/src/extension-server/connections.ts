import {
  constants,
  type Http2SecureServer,
  type Http2ServerRequest,
  type ServerHttp2Session,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { VerifiedConnection } from './proxied-user.ts';

interface Connection extends Partial<VerifiedConnection> {
  readonly socket: Socket;
  /** Number of changes of the authorities before the connection began. */
  readonly generation: number;
  /** End of the validity of the client certificate, in wall clock milliseconds. */
  readonly validToMs?: number;
}

type Addressed = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** The open connections of a server, with what TLS has verified about the client of each. */
export class Connections {
  readonly #open = new Map<string, Connection>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #generation = 0;

  constructor(server: Http2SecureServer) {
    server.on('connection', (socket: Socket) => this.#opened(socket));
    server.on('secureConnection', (socket: TLSSocket) => this.#secured(socket));
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
  }

  /**
   * The client of a request. `outdated` when other authorities have verified the connection: the request must be repeated
   * over a new one.
   */
  clientOf(request: Http2ServerRequest, nowMs: number): VerifiedConnection | 'outdated' {
    const connection = this.#open.get(keyOf(request.stream?.session?.socket ?? request.socket));
    if (connection === undefined) return { isAuthorized: false, commonName: undefined };
    if (connection.generation !== this.#generation) return 'outdated';
    const { isAuthorized = false, validToMs = 0, commonName } = connection;
    return { isAuthorized: isAuthorized && nowMs < validToMs, commonName };
  }

  /** Ends the connections that the previous authorities have verified, as soon as their requests are answered. */
  outdate(): void {
    this.#generation++;
    for (const session of this.#sessions) session.close();
    // The authorities that verify a connection are chosen when it begins.
    for (const { socket, isAuthorized } of this.#open.values())
      if (isAuthorized === undefined) socket.destroy();
  }

  /** Ends HTTP/2 connections as soon as their requests are answered. */
  endSessions(): void {
    for (const session of this.#sessions) session.close();
  }

  destroy(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #opened(socket: Socket): void {
    const key = keyOf(socket);
    const connection = { socket, generation: this.#generation };
    this.#open.set(key, connection);
    socket.once('close', () => {
      if (this.#open.get(key)?.socket === socket) this.#open.delete(key);
    });
  }

  #secured(socket: TLSSocket): void {
    const key = keyOf(socket);
    const connection = this.#open.get(key);
    if (connection === undefined) return;
    const { authorized: isAuthorized } = socket;
    const certificate = isAuthorized ? socket.getPeerCertificate() : undefined;
    const { CN } = certificate?.subject ?? {};
    this.#open.set(key, {
      ...connection,
      isAuthorized,
      commonName: typeof CN === 'string' ? CN : undefined,
      validToMs: Date.parse(certificate?.valid_to ?? ''),
    });
  }
}

/** Unprocessed, as far as the client is concerned: it repeats the request over another connection. */
export function refuse(request: Http2ServerRequest): void {
  if (request.stream === undefined) request.socket.destroy();
  else request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
}

const keyOf = ({ remoteAddress, remotePort }: Addressed): string => `${remoteAddress}|${remotePort}`;
