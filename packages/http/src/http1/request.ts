import type { IncomingHttpHeaders } from 'node:http';
import { errors } from '@orch/machinery';
import type { ApiRequest } from '@orch/request';
import { type Peer, PeerRequest } from '../shared/peer.ts';
import type { HeaderBlock, RequestLine } from './head.ts';

/** The source of a request body. */
export interface BodySource {
  read(limitBytes: number): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
}

/** A request over HTTP/1.1. */
export class Http1Request extends PeerRequest implements ApiRequest {
  readonly line: RequestLine;
  readonly block: HeaderBlock;
  readonly #source: BodySource;
  /** `upgrade` was called: the connection carries no further request. */
  isUpgradeRequested = false;

  constructor(
    head: { readonly line: RequestLine; readonly block: HeaderBlock },
    id: string,
    connection: Peer,
    source: BodySource,
  ) {
    super(id, connection);
    this.line = head.line;
    this.block = head.block;
    this.#source = source;
  }

  get method(): string {
    return this.line.method;
  }

  get rawPath(): string {
    return this.line.rawPath;
  }

  get rawQuery(): string {
    return this.line.rawQuery;
  }

  get headers(): IncomingHttpHeaders {
    return this.block.headers;
  }

  get repeated(): ReadonlyMap<string, readonly string[]> | undefined {
    return this.block.repeated;
  }

  body(limitBytes: number): Promise<Buffer> {
    return this.#source.read(limitBytes);
  }

  get bodyLength(): number | undefined {
    return this.block.contentLength;
  }

  bodyStream(): AsyncIterable<Buffer> {
    return this.#source.stream();
  }

  upgrade(): string | undefined {
    const { line, block } = this;
    const protocol = block.headers['upgrade'];
    if (protocol === undefined || !block.connectionUpgrade || line.minorVersion === 0) return undefined;
    this.isUpgradeRequested = true;
    // Two parsers could disagree about where the body ends and the new protocol begins.
    if (block.contentLength !== 0)
      throw errors.badRequest('a request to change the protocol must have no body');
    return protocol.toLowerCase();
  }
}
