import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Random } from '@orch/machinery';
import { isRequestId, LazySignal } from '@orch/request';

/** The peer of a connection. Requests refer to it as their `connection`. */
export class Peer {
  readonly #socket: TLSSocket;
  #address: string | undefined;
  #problem: string | undefined | 'unread' = 'unread';
  /** Weak: idle connections, of which there may be many, need no bytes of it. */
  #certificate: WeakRef<Buffer> | undefined | 'unread' = 'unread';
  /** Bytes of request bodies that this client sent and handlers read. Counted for HTTP/2. */
  bodyBytes = 0;

  /** `address` is that of the client where a trusted balancer names it. */
  constructor(socket: TLSSocket, address?: string) {
    this.#socket = socket;
    this.#address = address;
  }

  get remoteAddress(): string {
    this.#address ??= this.#socket.remoteAddress ?? '';
    return this.#address;
  }

  /** The reason why the client certificate was not verified; undefined when it was, or there is none. */
  get certificateProblem(): string | undefined {
    if (this.#problem === 'unread') {
      const socket = this.#socket;
      this.#problem =
        socket.authorized || socket.getPeerX509Certificate() === undefined
          ? undefined
          : String(socket.authorizationError);
    }
    return this.#problem;
  }

  /**
   * DER of the client certificate when TLS verified it against the client CA. It cannot change; it is read again after a garbage
   * collection only.
   */
  get clientCertificate(): Buffer | undefined {
    const known = this.#certificate;
    if (known === undefined) return undefined;
    const kept = known === 'unread' ? undefined : known.deref();
    if (kept !== undefined) return kept;
    const read = this.#socket.authorized ? this.#socket.getPeerX509Certificate()?.raw : undefined;
    this.#certificate = read && new WeakRef(read);
    return read;
  }
}

/** The part of a request that is common to all versions of HTTP: its id, its connection and its cancellation. */
export abstract class PeerRequest {
  readonly id: string;
  readonly connection: Peer;
  readonly #abort = new LazySignal();

  constructor(id: string, connection: Peer) {
    this.id = id;
    this.connection = connection;
  }

  get remoteAddress(): string {
    return this.connection.remoteAddress;
  }

  get clientCertificate(): Buffer | undefined {
    return this.connection.clientCertificate;
  }

  get certificateProblem(): string | undefined {
    return this.connection.certificateProblem;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(reason: Error): void {
    this.#abort.abort(reason);
  }

  /** The reason of the cancellation; undefined without one. */
  get cancelled(): Error | undefined {
    return this.#abort.reason;
  }
}

/** The id of a request: the value of `Audit-ID` if it is acceptable, otherwise a new one. */
export function requestId(headers: IncomingHttpHeaders, random: Random): string {
  const requested = headers['audit-id'];
  return typeof requested === 'string' && isRequestId(requested) ? requested : random.uuid();
}
