import { LazySignal } from '@orch/request';
import type { Peer } from './peer.ts';

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
