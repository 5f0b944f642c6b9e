import type { IncomingHttpHeaders } from 'node:http';
import type { ApiRequest } from '@orch/request';

/** A request whose body is captured when an inner stage reads it as a whole. */
export class CapturedRequest implements ApiRequest {
  readonly #inner: ApiRequest;
  #captured: Buffer | undefined;

  constructor(inner: ApiRequest) {
    this.#inner = inner;
  }

  /** The body, if it was read. */
  get captured(): Buffer | undefined {
    return this.#captured;
  }

  async body(limitBytes: number): Promise<Buffer> {
    const bytes = await this.#inner.body(limitBytes);
    this.#captured = bytes;
    return bytes;
  }

  get method(): string {
    return this.#inner.method;
  }
  get rawPath(): string {
    return this.#inner.rawPath;
  }
  get rawQuery(): string {
    return this.#inner.rawQuery;
  }
  get headers(): IncomingHttpHeaders {
    return this.#inner.headers;
  }
  get repeated(): ReadonlyMap<string, readonly string[]> | undefined {
    return this.#inner.repeated;
  }
  get id(): string {
    return this.#inner.id;
  }
  get remoteAddress(): string {
    return this.#inner.remoteAddress;
  }
  get connection(): object {
    return this.#inner.connection;
  }
  get clientCertificate(): Buffer | undefined {
    return this.#inner.clientCertificate;
  }
  get certificateProblem(): string | undefined {
    return this.#inner.certificateProblem;
  }
  get signal(): AbortSignal {
    return this.#inner.signal;
  }
  get bodyLength(): number | undefined {
    return this.#inner.bodyLength;
  }
  cancel(reason: Error): void {
    this.#inner.cancel(reason);
  }
  bodyStream(): AsyncIterable<Buffer> {
    return this.#inner.bodyStream();
  }
  upgrade(): string | undefined {
    return this.#inner.upgrade();
  }
}
