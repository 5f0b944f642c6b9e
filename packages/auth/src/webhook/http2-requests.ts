import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { onAbort } from '@orch/machinery';
import { BodyBuffer } from '@orch/machinery/http';
import { type Answer, isSuccess, type Post, tooLarge } from './exchange.ts';

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;

/** Bytes of an answer that are received before they are read. */
const WINDOW_BYTES = 1024 * 1024;

/** Requests over one HTTP/2 connection. */
export class Http2Requests implements Disposable {
  readonly #session: ClientHttp2Session;
  #active = 0;

  constructor(socket: TLSSocket, origin: string) {
    this.#session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    // Reported by the streams; without a listener it would end the process.
    this.#session.on('error', () => {});
    this.#session.on('goaway', () => this.#session.close());
    // An idle connection does not keep the process alive.
    this.#session.unref();
  }

  get isUsable(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** Rejects with an error of the connection, or with the reason of the signal. */
  post(request: Post, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stream = this.#stream(request);
      let failure: Error | undefined;
      const unregister = onAbort(signal, () => this.#cancel(stream, signal.reason));
      stream.on('error', (error: Error) => {
        failure ??= error;
      });
      receive(stream, request.maxAnswerBytes, { resolve, reject });
      stream.once('close', () => {
        unregister();
        if (--this.#active === 0 && !this.#session.destroyed) this.#session.unref();
        reject(signal.aborted ? signal.reason : (failure ?? new Error('the connection was closed')));
      });
      stream.end(request.payload);
    });
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  #stream({ path, headers: { host, ...headers } }: Post): ClientHttp2Stream {
    const authority = host === undefined ? {} : { ':authority': host };
    const stream = this.#session.request({ ...headers, ':method': 'POST', ':path': path, ...authority });
    if (this.#active++ === 0) this.#session.ref();
    return stream;
  }

  /** A peer that does not answer may be gone: later requests use a new connection. */
  #cancel(stream: ClientHttp2Stream, reason: unknown): void {
    this.#session.close();
    stream.close(stream.readableEnded ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
    stream.destroy(reason instanceof Error ? reason : undefined);
  }
}

interface Receiver {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

function receive(stream: ClientHttp2Stream, maxBytes: number, { resolve, reject }: Receiver): void {
  const body = new BodyBuffer();
  let status = 0;
  stream.once('response', (fields) => {
    status = fields[':status'] ?? 0;
    if (isSuccess(status)) return;
    resolve({ status, body: body.bytes() });
    stream.close(NGHTTP2_CANCEL);
  });
  stream.on('data', (chunk: Buffer) => {
    body.add(chunk);
    if (body.size <= maxBytes) return;
    reject(tooLarge());
    stream.close(NGHTTP2_CANCEL);
  });
  stream.once('end', () => {
    // A stream that is cut off ends, too.
    if (!stream.destroyed) resolve({ status, body: body.bytes() });
  });
}
