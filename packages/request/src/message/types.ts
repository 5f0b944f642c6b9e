import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ResourceType, Subresource } from '@orch/apis';
import type { UserInfo } from '@orch/auth';

/** A request as the pipeline sees it: HTTP/1.1 and HTTP/2 alike. */
export interface ApiRequest {
  readonly method: string;
  /** Raw path as sent, without the query, not decoded. */
  readonly rawPath: string;
  /** Raw query string without `?`; parsed on demand. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** The values of fields that stand more than once, in their order: `headers` joins them. Names are in lower case. */
  readonly repeated?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Short random id, in logs and in the `Audit-Id` header. */
  readonly id: string;
  readonly remoteAddress: string;
  /** The connection, as a key for what is worth remembering per connection (its verified client certificate). */
  readonly connection: object;
  /** DER of the client certificate chain that TLS verified against the client CA; undefined without one. */
  readonly clientCertificate: Buffer | undefined;
  /** Why TLS did not verify the certificate that the client presented; undefined when it did, or there is none. */
  readonly certificateProblem?: string | undefined;
  /**
   * Aborts when the client goes away, when the deadline passes, or when the server stops hard. Made on first use, so
   * that a request answered from memory never pays for it.
   */
  readonly signal: AbortSignal;
  /** Aborts `signal` with this reason; a second call does nothing. For the pipeline's deadline and for the sockets. */
  cancel(reason: Error): void;
  /** Reads the whole body, at most `limitBytes` (a 413 ApiError beyond). */
  body(limitBytes: number): Promise<Buffer>;
  /** Bytes of the body: 0 without one, undefined when only its end will tell. */
  readonly bodyLength: number | undefined;
  /**
   * The body as it arrives, instead of `body`: nothing is read from the client before it is asked for, so that whoever
   * takes it slowly slows the client down. Throws what ended the request early.
   */
  bodyStream(): AsyncIterable<Buffer>;
  /**
   * The protocol that the client wants to change to, in lower case; undefined when it wants none, or its connection
   * cannot. Asking decides over the connection: unless the answer is an `UpgradeReply`, it ends with the answer, and
   * what the client sent ahead is never read as a request. Throws 400 for a request that has a body.
   */
  upgrade(): string | undefined;
}

export type { UserInfo };

/** API verb of a request: HTTP verb plus path (spec 4.2). */
export type ApiVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'deletecollection'
  | 'proxy';

/** What the path and method say. */
export type RequestInfo = ResourceRequest | NonResourceRequest;

export interface ResourceRequest {
  readonly isResource: true;
  readonly verb: ApiVerb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** Of the path; for a request about a namespace itself also its name, since permissions in it cover it. */
  readonly namespace: string;
  /** The path leads into the namespace (`/namespaces/NAME/RESOURCE…`): false for a request about a namespace itself. */
  readonly isInNamespace: boolean;
  readonly name: string;
  /** Remainder of the path below `/proxy`, with its leading slash and not decoded; empty otherwise. */
  readonly rest: string;
}

export interface NonResourceRequest {
  readonly isResource: false;
  /** Lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

export type HeaderList = Readonly<Record<string, string | readonly string[]>>;

/**
 * Where a streaming reply writes. The writes return false when the client is behind; `drained` then resolves once it
 * has caught up, and rejects with the signal's reason. Writing after the client has gone is silently dropped.
 */
export interface BodySink {
  /** The chunk is not copied and must not change afterwards. */
  write(chunk: Buffer): boolean;
  /**
   * Writes buffers made by `frameChunk` (chunk-frame.ts) at once: one buffer made once per event serves the sockets
   * of all watchers, over HTTP/1.1 as it stands and over HTTP/2 without its frame. Hand over everything of one turn in
   * one call: it becomes one write to the socket.
   */
  writeFramed(frames: readonly Buffer[]): boolean;
  drained(signal: AbortSignal): Promise<void>;
}

/**
 * What a handler answers; the `http` folder turns it into bytes on a socket. `Date`, `Content-Length`, `Audit-Id`,
 * `Cache-Control: no-cache, private` (unless set), `X-Content-Type-Options` and everything about connections and
 * compression are added there; handlers set `Content-Type` and what is theirs.
 */
export type Reply = BytesReply | ChunksReply | StreamReply | UpgradeReply;

export interface BytesReply {
  readonly kind: 'bytes';
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export interface ChunksReply {
  readonly kind: 'chunks';
  readonly status: number;
  readonly headers: HeaderList;
  /**
   * Whole body in slices of any size, written in order with back-pressure; small ones are joined before they reach the
   * socket. `return` is called on the iterator when the client goes away.
   */
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
  /** The sum of the slices when known: sent as Content-Length, and decides on compression without looking. */
  readonly length?: number;
  /** Called once when the last byte was handed to the socket, or the reply was given up. */
  readonly onSent?: (bytes: number, complete: boolean) => void;
}

export interface StreamReply {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: HeaderList;
  /** Length of the body when it is known: sent as Content-Length, and a body of another length breaks the connection. */
  readonly length?: number;
  /** The client may stop reading for as long as a person does: nothing but a bounded buffer is kept for it. */
  readonly isPatient?: boolean;
  /** Long-running: writes until it returns. Aborts with the request's signal; `draining` asks for a clean end. */
  run(sink: BodySink, signals: StreamSignals): Promise<void>;
}

/**
 * Changes the protocol of an HTTP/1.1 connection (status 101). For requests whose `upgrade` said one; `headers` name it
 * again. From then on the connection belongs to `run`, which closes both ends of it before it returns.
 */
export interface UpgradeReply {
  readonly kind: 'upgrade';
  readonly status: 101;
  readonly headers: HeaderList;
  /** Reads and writes the bytes of the other protocol; what the client sent ahead comes first. */
  run(client: Duplex, signals: StreamSignals): Promise<void>;
  /** Called instead of `run` when the client has gone meanwhile. */
  abandon(): void;
}

export interface StreamSignals {
  readonly signal: AbortSignal;
  readonly draining: AbortSignal;
}

/** What a handler returns: a reply at once when it needs to wait for nothing, which saves the hot path its promises. */
export type Answer = Reply | Promise<Reply>;

/** The end of the pipeline, and everything that it dispatches to. Throws, or rejects with, an `ApiError` or `StoreError`. */
export type Handler<Context> = (context: Context) => Answer;

/** A stage of the pipeline: each may widen the context, so that a wrong order does not compile. */
export type Stage<In, Out extends In = In> = (context: In, next: Handler<Out>) => Answer;

export interface Received {
  readonly request: ApiRequest;
}
export interface WithInfo extends Received {
  readonly info: RequestInfo;
}
export interface Authenticated extends WithInfo {
  readonly user: UserInfo;
}
/** After authorization: what dispatch gets. */
export type Authorized = Authenticated;

/** A served resource found for a request. */
export interface Target {
  readonly type: ResourceType;
  readonly servedVersion: string;
  readonly subresource: Subresource | undefined;
}

/** Handles a path that is no resource (`/version`, `/api`, `/openapi/v2`). The method is GET or HEAD, others are refused before. */
export interface Route {
  /** The exact path; with `below` also everything under `path/`. */
  readonly path: string;
  readonly below?: boolean;
  /** The path with a slash at its end is served as well. Authorization and audit see the path as it was sent. */
  readonly orSlash?: boolean;
  readonly handle: Handler<Authorized>;
}
