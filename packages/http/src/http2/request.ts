import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { errors } from '@orch/machinery';
import { BodyBuffer } from '@orch/machinery/http';
import { type ApiRequest, clientGone } from '@orch/request';
import { type Peer, PeerRequest } from '../shared/peer.ts';
import type { RequestHead } from './field-edges.ts';

/** A request over HTTP/2: one stream of a session. */
export class Http2Request extends PeerRequest implements ApiRequest {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly #stream: ServerHttp2Stream;
  readonly #fields: readonly string[];
  #repeated: ReadonlyMap<string, readonly string[]> | undefined | 'unread' = 'unread';
  #isRead = false;
  /** The handler of requests has it. */
  isBegun = false;
  /** The whole reply was written to the stream. */
  isAnswered = false;

  /** `head.fields` are names and values in turn, as received. */
  constructor(stream: ServerHttp2Stream, { headers, fields }: RequestHead, id: string, connection: Peer) {
    super(id, connection);
    const target = headers[':path'] ?? '';
    const mark = target.indexOf('?');
    this.method = headers[':method'] ?? '';
    this.rawPath = mark < 0 ? target : target.slice(0, mark);
    this.rawQuery = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = headers;
    this.#stream = stream;
    this.#fields = fields;
  }

  get repeated(): ReadonlyMap<string, readonly string[]> | undefined {
    if (this.#repeated === 'unread') this.#repeated = repeatedFields(this.#fields);
    return this.#repeated;
  }

  body(limitBytes: number): Promise<Buffer> {
    const stream = this.#stream;
    if (this.#isRead) return Promise.reject(new Error('the body of a request can be read only once'));
    this.#isRead = true;
    if (Number(this.headers['content-length'] ?? 0) > limitBytes) {
      return Promise.reject(errors.requestEntityTooLarge(limitBytes));
    }
    if (this.#expectsContinue) stream.additionalHeaders({ ':status': 100 });
    return new Promise((resolve, reject) => {
      const body = new BodyBuffer();
      stream.on('data', (chunk: Buffer) => {
        this.connection.bodyBytes += chunk.length;
        if (body.size + chunk.length > limitBytes) {
          // Reading stops: flow control stops the client, and the end of the reply resets the stream.
          stream.pause();
          stream.removeAllListeners('data');
          reject(errors.requestEntityTooLarge(limitBytes));
        } else {
          body.add(chunk);
        }
      });
      stream.on('end', () => resolve(body.bytes()));
      stream.on('close', () => {
        // An error has a stack, which costs more than the rest of a small body.
        if (!stream.readableEnded) reject(clientGone());
      });
    });
  }

  get bodyLength(): number | undefined {
    if (this.#stream.endAfterHeaders) return 0;
    const length = this.headers['content-length'];
    return length === undefined ? undefined : Number(length);
  }

  async *bodyStream(): AsyncGenerator<Buffer> {
    if (this.#isRead) throw new Error('the body of a request can be read only once');
    this.#isRead = true;
    const stream = this.#stream;
    if (stream.endAfterHeaders) return;
    if (this.#expectsContinue) stream.additionalHeaders({ ':status': 100 });
    try {
      // The stream is also used for the reply: a consumer that stops reading must not end it.
      for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        this.connection.bodyBytes += piece.length;
        yield piece;
      }
    } catch {
      throw this.cancelled ?? clientGone();
    }
  }

  get #expectsContinue(): boolean {
    return this.headers.expect?.toLowerCase() === '100-continue';
  }

  /** HTTP/2 streams cannot be upgraded. */
  upgrade(): undefined {
    return undefined;
  }
}

function repeatedFields(fields: readonly string[]): ReadonlyMap<string, readonly string[]> | undefined {
  const values = new Map<string, string[]>();
  let isRepeated = false;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [fields[at + 1] ?? '']);
    else {
      earlier.push(fields[at + 1] ?? '');
      isRepeated = true;
    }
  }
  if (!isRepeated) return undefined;
  for (const [name, all] of values) if (all.length === 1) values.delete(name);
  return values;
}
