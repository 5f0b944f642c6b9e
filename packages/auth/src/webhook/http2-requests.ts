import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { onAbort } from '@orch/machinery';
import type { Answer, Post } from './exchange.ts';

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
  post({ path, headers, payload }: Post, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const { host, ...rest } = headers;
      const stream = this.#session.request({
        ...rest,
        ':method': 'POST',
        ':path': path,
        ...(host === undefined ? {} : { ':authority': host }),
      });
      if (this.#active++ === 0) this.#session.ref();
      let failure: Error | undefined;
      const unregister = onAbort(signal, () => this.#cancel(stream, signal.reason));
      stream.on('error', (error: Error) => {
        failure ??= error;
      });
      stream.once('response', (fields) => resolve({ status: fields[':status'] ?? 0, body: stream }));
      stream.once('close', () => {
        unregister();
        if (--this.#active === 0 && !this.#session.destroyed) this.#session.unref();
        reject(signal.aborted ? signal.reason : (failure ?? new Error('the connection was closed')));
      });
      stream.end(payload);
    });
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  /** A peer that does not answer may be gone: later requests use a new connection. */
  #cancel(stream: ClientHttp2Stream, reason: unknown): void {
    this.#session.close();
    stream.close(stream.readableEnded ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
    stream.destroy(reason instanceof Error ? reason : undefined);
  }
}
