import type { TLSSocket } from 'node:tls';

/** The peer of a connection. Requests refer to it as their `connection`. */
export class Peer {
  readonly #socket: TLSSocket;
  #address: string | undefined;
  #problem: string | undefined | 'unread' = 'unread';
  #certificate: Buffer | undefined | 'unread' = 'unread';
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

  /** DER of the client certificate when TLS verified it against the client CA. Read once: it cannot change. */
  get clientCertificate(): Buffer | undefined {
    if (this.#certificate === 'unread') {
      this.#certificate = this.#socket.authorized ? this.#socket.getPeerX509Certificate()?.raw : undefined;
    }
    return this.#certificate;
  }
}
