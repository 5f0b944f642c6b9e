import { constants } from 'node:crypto';
import {
  type AddressInfo,
  createServer as createPlainServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from 'node:tls';
import { type CounterSeries, type Env, errors } from '@orch/machinery';
import { expectManyListeners, onAbort, Turns, whenFulfilled } from '@orch/machinery/concurrency';
import type { IpRange } from '@orch/machinery/net';
import type { Answer, ApiRequest, Reply } from '@orch/request';
import { Http1Connection } from './http1/connection.ts';
import { Http2Connection } from './http2/session.ts';
import { Compressor } from './shared/compress.ts';
import { HandshakeTurns } from './shared/handshake-turns.ts';
import { IterationTurns } from './shared/iteration-turns.ts';
import { defaultLimits, type HttpLimits } from './shared/limits.ts';
import { NamedContexts, type NamedTls } from './shared/named-contexts.ts';
import { Peer } from './shared/peer.ts';
import { isPlainHttp, refusePlainHttp } from './shared/plain-http.ts';
import { proxiedSockets } from './shared/proxied-sockets.ts';
import {
  connectionTimeouts,
  type HttpService,
  httpDate,
  lateRecords,
  refusalCounter,
} from './shared/service.ts';
import { SESSION_ID_CONTEXT, ticketKeys } from './shared/session-tickets.ts';
import { SlicePool } from './shared/slice-pool.ts';

export interface ListenOptions {
  readonly env: Env;
  /** Answers every request; never throws and never rejects. */
  readonly server: { handle(request: ApiRequest): Answer };
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly tls: ServingTls;
  readonly limits?: Partial<HttpLimits>;
  /** Whether large replies are compressed for clients that accept it; true when absent. */
  readonly compresses?: boolean;
  /**
   * Whether other listeners may use the same port: `later` ones only, such as those of other threads, or `any`; none when absent.
   * Clients are divided between all listeners of a port.
   */
  readonly sharesPort?: PortSharing | undefined;
  /** Addresses of balancers whose connections begin with the PROXY protocol; none when absent. */
  readonly proxies?: readonly IpRange[];
}

/** With `later`, a listener does not open while another program uses the port. */
export type PortSharing = 'later' | 'any';

/** PEM. With `clientCa` the server requests client certificates, without requiring them. */
export interface ServingTls {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
  readonly clientCa?: readonly (string | Buffer)[];
  /** Further certificates, selected by server name. */
  readonly named?: readonly NamedTls[];
  /** TLS 1.2 when absent. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** In the syntax of OpenSSL; forward-secret authenticated ones when absent. */
  readonly ciphers?: string | undefined;
  /** Listeners with the same secret resume each other's sessions; a random one of this listener when absent. */
  readonly ticketSecret?: Uint8Array;
}

/** The open port of an API server. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  /**
   * Uses other certificates and trusts other authorities for new connections. Throws what Node throws
   * when they cannot be read, and then changes nothing.
   */
  replaceTls(tls: ServingTls): void;
  /**
   * Stops accepting, ends streams cleanly, lets requests finish and closes every connection. A request that arrives meanwhile on
   * an open connection is answered, as the last one of its connection. Resolves when all are closed; when the signal aborts
   * first, the remaining ones are destroyed.
   */
  drain(signal: AbortSignal): Promise<void>;
}

/**
 * Forward-secret authenticated ciphers only, AES-128 first: sufficient strength, and the cheapest on processors
 * with AES instructions.
 */
const defaultCiphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** The versions of HTTP by preference; a client that offers others only is refused in the handshake. */
const PROTOCOLS = ['h2', 'http/1.1'] as const;

const ignore = (): void => {};

type Connection = Http1Connection | Http2Connection;

interface Handshaking {
  readonly socket: Socket;
  /** Address of the client, where a balancer has named it. */
  client: string | undefined;
}

/** Opens the port: TLS, and HTTP/2 or HTTP/1.1 as negotiated. Rejects when the port is not available. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const listener = new TlsListener(options);
  await listener.open();
  return listener;
}

class TlsListener implements Listener {
  readonly host: string;
  /** The requested port until the port is open; then the actual one. */
  #port: number;
  readonly #env: Env;
  readonly #server: Server;
  /** The server that has the port; that of TLS has none. */
  readonly #sockets: NetServer;
  readonly #service: HttpService;
  readonly #draining = new AbortController();
  readonly #connections = new Map<TLSSocket, Connection>();
  /** Sockets without a completed handshake, by the address of the peer. */
  readonly #handshaking = new Map<string, Handshaking>();
  readonly #handshakeErrors: CounterSeries;
  readonly #handshakes: HandshakeTurns;
  /** Completed handshakes whose connections have not begun. */
  readonly #arrived = new IterationTurns((socket: TLSSocket) => this.#connect(socket));
  readonly #accepted = new Set<Socket>();
  readonly #sharesPort: PortSharing | undefined;
  #named: NamedContexts;

  constructor(options: ListenOptions) {
    this.host = options.host;
    this.#port = options.port;
    this.#env = options.env;
    // Each watch adds a listener.
    expectManyListeners(this.#draining.signal);
    this.#service = serviceOf(options, this.#draining.signal);
    this.#sharesPort = options.sharesPort;
    this.#named = namedContexts(options.tls);
    this.#server = createServer({
      ...secureContext(options.tls),
      SNICallback: (name, answer) => answer(null, this.#named.of(name)),
      // A list of protocols would be copied for every connection, into a part of a larger buffer, which stays with it.
      ALPNCallback: ({ protocols }) => PROTOCOLS.find((protocol) => protocols.includes(protocol)),
      handshakeTimeout: this.#service.limits.handshakeTimeoutMs,
      allowHalfOpen: true,
      rejectUnauthorized: false,
      requestCert: options.tls.clientCa !== undefined,
    });
    this.#handshakeErrors = handshakeErrorsIn(options.env);
    this.#handshakes = new HandshakeTurns({
      begin: (socket) => this.#server.emit('connection', socket),
      clock: options.env.clock,
    });
    this.#sockets = this.#socketsOf(options.proxies ?? []);
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    this.#reportHandshakeErrors();
    this.#server.on('secureConnection', (socket) => this.#arrive(socket));
    const at = { host: this.host, port: this.#port };
    if (this.#sharesPort === 'later') await checkUnused(at);
    await opened(this.#sockets, { ...at, reusePort: this.#sharesPort !== undefined });
    this.#port = (this.#sockets.address() as AddressInfo).port;
    this.#sockets.on('error', (error) => this.#env.log.error('the listener failed', { error }));
  }

  replaceTls(tls: ServingTls): void {
    const named = namedContexts(tls);
    this.#server.setSecureContext(secureContext(tls));
    this.#named = named;
  }

  async drain(signal: AbortSignal): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#sockets.close(() => resolve()));
    this.#draining.abort(errors.serviceUnavailable('the server is shutting down'));
    // Requests on connections that were accepted before are still answered: a reset would be a failure for their clients.
    this.#service.timeouts.drainIdle.arm(() => {
      for (const { socket } of this.#handshaking.values()) socket.destroy();
    });
    for (const connection of this.#connections.values()) connection.closeWhenIdle();
    const uncut = onAbort(signal, () => {
      for (const connection of this.#connections.values()) connection.destroy();
      for (const socket of this.#accepted) socket.destroy();
    });
    await closed;
    uncut();
    this.#service.timeouts.close();
    this.#service.slices.close();
  }

  #reportHandshakeErrors(): void {
    this.#server.on('tlsClientError', (error, socket) => {
      this.#reportFailure(socket, error.message);
      const plain = isPlainHttp(error) ? this.#handshaking.get(addressOf(socket))?.socket : undefined;
      if (plain === undefined) socket.destroy();
      else refusePlainHttp(plain);
    });
  }

  #reportFailure(socket: Socket, error: string): void {
    const { log } = this.#env;
    this.#handshakeErrors.inc();
    if (log.enabled(4)) log.debug(4, 'TLS handshake failed', { client: socket.remoteAddress ?? '', error });
  }

  #socketsOf(trusted: readonly IpRange[]): NetServer {
    return proxiedSockets({
      trusted,
      timeoutMs: this.#service.limits.handshakeTimeoutMs,
      clock: this.#env.clock,
      onAccepted: (socket) => this.#accept(socket),
      onRefused: (socket, reason) => this.#reportFailure(socket, reason),
      onReady: (socket, client) => {
        const handshaking = this.#handshaking.get(addressOf(socket));
        if (handshaking !== undefined) handshaking.client = client;
        this.#handshakes.add(socket);
      },
    });
  }

  #accept(socket: Socket): void {
    const id = addressOf(socket);
    this.#accepted.add(socket);
    this.#handshaking.set(id, { socket, client: undefined });
    socket.on('close', () => {
      this.#accepted.delete(socket);
      this.#handshaking.delete(id);
      this.#handshakes.end(socket);
    });
  }

  /** Many clients may complete their handshakes at once, and each has sent its first request. */
  #arrive(socket: TLSSocket): void {
    const handshaking = this.#handshaking.get(addressOf(socket));
    if (handshaking !== undefined) this.#handshakes.end(handshaking.socket);
    if (this.#arrived.add(socket)) socket.on('error', ignore).on('close', () => this.#arrived.delete(socket));
  }

  #connect(socket: TLSSocket): void {
    const id = addressOf(socket);
    const peer = new Peer(socket, this.#handshaking.get(id)?.client);
    this.#handshaking.delete(id);
    const connection =
      socket.alpnProtocol === 'h2'
        ? new Http2Connection(socket, this.#service, peer)
        : new Http1Connection(socket, this.#service, peer);
    this.#connections.set(socket, connection);
    socket.on('close', () => this.#connections.delete(socket));
    if (this.#service.isClosing()) connection.closeWhenIdle();
  }
}

/** TLS options of new connections; existing ones are not changed. */
const secureContext = ({ key, cert, ...common }: ServingTls): SecureContextOptions => ({
  key,
  cert,
  ...commonContext(common),
});

const namedContexts = ({ named = [], ...tls }: ServingTls): NamedContexts =>
  new NamedContexts(named, commonContext(tls));

/** The options besides the certificate. */
const commonContext = ({
  clientCa,
  minVersion = 'TLSv1.2',
  ciphers = defaultCiphers,
  ticketSecret,
}: Omit<ServingTls, 'key' | 'cert' | 'named'>): SecureContextOptions => ({
  minVersion,
  ciphers,
  // Renegotiation could change the client certificate of an open connection, and is expensive for the server.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  sessionIdContext: SESSION_ID_CONTEXT,
  ...(ticketSecret === undefined ? {} : { ticketKeys: ticketKeys(ticketSecret, clientCa) }),
  ...(clientCa === undefined ? {} : { ca: [...clientCa] }),
});

const handshakeErrorsIn = ({ metrics }: Env): CounterSeries =>
  metrics
    .counter({
      name: 'apiserver_tls_handshake_errors_total',
      help: 'TLS handshakes that failed.',
      stability: 'ALPHA',
    })
    .series();

/** The peer of a connection, the same for a socket and for the TLS socket on it. */
const addressOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

function serviceOf(options: ListenOptions, draining: AbortSignal): HttpService {
  const { clock, random, log, metrics } = options.env;
  const limits: HttpLimits = { ...defaultLimits, ...options.limits };
  const turns = new Turns(options.env, 'hurried');
  return {
    handle: handlerOf(options, turns),
    clock,
    random,
    log,
    limits,
    timeouts: connectionTimeouts(clock, limits),
    draining,
    isClosing: () => draining.aborted,
    slices: new SlicePool(clock),
    turns,
    takeLateRecord: lateRecords(clock, limits),
    date: httpDate(clock),
    refusals: refusalCounter(metrics),
  };
}

/** Answers shorter than this cost little, and their clients soon send the next request. */
const SMALL_ANSWER_BYTES = 64 * 1024;

/** Largest head that is read at once. A longer head may take more time to parse than an ordinary request takes in all. */
const SHORT_HEAD_BYTES = 8 * 1024;

/**
 * The handler of the server. Requests with long heads begin in turns, large replies are compressed for clients that accept it, and the
 * turns of the thread know of small ones.
 */
function handlerOf({ server, compresses = true, env }: ListenOptions, turns: Turns): HttpService['handle'] {
  const compressor = new Compressor();
  const finish = (reply: Reply, request: ApiRequest): Answer => {
    if (reply.kind === 'bytes' && reply.body.length < SMALL_ANSWER_BYTES) env.turns?.noteSmallAnswer();
    return compresses ? compressor.apply(reply, request) : reply;
  };
  const handle = (request: ApiRequest): Answer => whenFulfilled(server.handle(request), finish, request);
  return (request, headBytes) =>
    headBytes <= SHORT_HEAD_BYTES ? handle(request) : turns.begin().then(() => handle(request));
}

/** Rejects when another program uses the port: a shared one would open nevertheless, and get a part of its clients. */
async function checkUnused(at: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createPlainServer();
  await opened(probe, { ...at, reusePort: false });
  await new Promise((resolve) => probe.close(resolve));
}

function opened(
  server: NetServer,
  at: { readonly host: string; readonly port: number; readonly reusePort: boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...at, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
