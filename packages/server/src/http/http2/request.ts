import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { errors } from '@orch/machinery';
import { clientGone, LazySignal } from '../../pipeline/abort.ts';
import type { ApiRequest } from '../../pipeline/types.ts';
import { BodyBuffer } from '../body-buffer.ts';
import type { Peer } from '../peer.ts';

/** A request that came over HTTP/2: one stream of a session. */
export class Http2Request implements ApiRequest {
  readonly id: string;
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly connection: Peer;
  readonly #stream: ServerHttp2Stream;
  readonly #abort = new LazySignal();
  #isAsked = false;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, id: string, connection: Peer) {
    const target = headers[':path'] ?? '';
    const mark = target.indexOf('?');
    this.id = id;
    this.method = headers[':method'] ?? '';
    this.rawPath = mark < 0 ? target : target.slice(0, mark);
    this.rawQuery = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = headers;
    this.connection = connection;
    this.#stream = stream;
  }

  get remoteAddress(): string {
    return this.connection.remoteAddress;
  }

  get clientCertificate(): Buffer | undefined {
    return this.connection.clientCertificate;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(reason: Error): void {
    this.#abort.abort(reason);
  }

  /** The reason it was cancelled with, if it was. */
  get cancelled(): Error | undefined {
    return this.#abort.reason;
  }

  body(limitBytes: number): Promise<Buffer> {
    const stream = this.#stream;
    if (this.#isAsked) return Promise.reject(new Error('the body of a request can be read only once'));
    this.#isAsked = true;
    if (Number(this.headers['content-length'] ?? 0) > limitBytes) {
      return Promise.reject(errors.requestEntityTooLarge(limitBytes));
    }
    if (this.headers.expect?.toLowerCase() === '100-continue') stream.additionalHeaders({ ':status': 100 });
    return new Promise((resolve, reject) => {
      const body = new BodyBuffer();
      stream.on('data', (chunk: Buffer) => {
        if (body.size + chunk.length > limitBytes) {
          // Not read any further: flow control stops the client, and the end of the reply resets the stream.
          stream.pause();
          stream.removeAllListeners('data');
          reject(errors.requestEntityTooLarge(limitBytes));
        } else {
          body.add(chunk);
        }
      });
      stream.on('end', () => resolve(body.bytes()));
      stream.on('close', () => reject(clientGone()));
    });
  }
}
