import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import {
  headersOf,
  lineReader,
  type Outcome,
  type RequestBody,
  type Wire,
  type WireOptions,
} from './wire.ts';

/** Streams of one connection: many clients share a cluster, each with one connection. */
const STREAMS_PER_SESSION = 50;
const MOST_ATTEMPTS = 5;
const PAUSE_MS = 20;

interface Session {
  readonly http2: ClientHttp2Session;
  open: number;
  isConnected: boolean;
  isOver: boolean;
}

/** Requests over shared connections, of which each is replaced after its GOAWAY. */
export class Http2Wire implements Wire {
  resent = 0;
  readonly #options: WireOptions;
  readonly #sessions = new Set<Session>();

  constructor(options: WireOptions) {
    this.#options = options;
  }

  request(method: string, path: string, body?: RequestBody): Promise<Outcome> {
    return this.#send({ method, path, ...(body && { body }) });
  }

  watch(path: string, onLine: (line: string) => void): Promise<Outcome> {
    return this.#send({ method: 'GET', path, onLine });
  }

  [Symbol.dispose](): void {
    for (const { http2 } of this.#sessions) http2.destroy();
  }

  /** Sends a request again that a server certainly did not process (RFC 9113, 8.7). */
  async #send(request: Sent): Promise<Outcome> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(request);
      if (outcome !== 'not processed') return outcome;
      if (attempt === MOST_ATTEMPTS) return { kind: 'closed', reason: 'refused too often' };
      this.resent += 1;
      await pause(attempt * PAUSE_MS);
    }
  }

  #attempt({ method, path, body, onLine }: Sent): Promise<Outcome | 'not processed'> {
    const session = this.#session();
    let stream: ClientHttp2Stream;
    try {
      stream = session.http2.request(
        { ':method': method, ':path': path, ...headersOf(body) },
        { endStream: body === undefined },
      );
    } catch {
      session.isOver = true;
      return Promise.resolve('not processed');
    }
    session.open += 1;
    return new Promise((resolve) => {
      let status = 0;
      let text = '';
      let isComplete = false;
      stream.setEncoding('utf8');
      stream.on('response', (headers) => {
        status = headers[':status'] ?? 0;
        const keep = (chunk: string): void => {
          text += chunk;
        };
        stream.on('data', onLine !== undefined && status === 200 ? lineReader(onLine) : keep);
      });
      stream.on('end', () => {
        isComplete = status !== 0 && stream.rstCode === constants.NGHTTP2_NO_ERROR;
      });
      stream.on('error', () => undefined);
      stream.on('close', () => {
        session.open -= 1;
        if (isComplete) resolve({ kind: 'answered', status, body: text });
        else if (!session.isConnected || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM)
          resolve('not processed');
        else resolve({ kind: 'closed', reason: `code ${stream.rstCode} after status ${status}` });
      });
      if (body !== undefined) stream.end(body.text);
    });
  }

  /** A connection with room, or another one. */
  #session(): Session {
    for (const session of this.#sessions) {
      const { http2, isOver, open } = session;
      if (!isOver && !http2.closed && !http2.destroyed && open < STREAMS_PER_SESSION) return session;
    }
    const { server, ca, cert, key } = this.#options;
    const http2 = connect(server, { ca, ...(cert && { cert }), ...(key && { key }) });
    const session: Session = { http2, open: 0, isConnected: false, isOver: false };
    http2.on('connect', () => {
      session.isConnected = true;
    });
    http2.on('error', () => undefined);
    http2.on('goaway', () => {
      session.isOver = true;
    });
    http2.on('close', () => this.#sessions.delete(session));
    this.#sessions.add(session);
    return session;
  }
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: RequestBody;
  readonly onLine?: (line: string) => void;
}
