import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ResourceType, Subresource } from '@orch/apis';
import type { UserInfo } from '@orch/auth';
import type { ApiError } from '@orch/machinery';

/** A request over HTTP/1.1 or HTTP/2, as the pipeline sees it. */
export interface ApiRequest {
  readonly method: string;
  /** Raw path as sent, without the query, not decoded. */
  readonly rawPath: string;
  /** Raw query string without `?`; parsed on demand. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** The values of repeated fields, in their order: `headers` joins them. Names are in lower case. */
  readonly repeated?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Short random id, in logs and in the `Audit-Id` header. */
  readonly id: string;
  readonly remoteAddress: string;
  /** Identity of the connection, as a key of caches per connection (its verified client certificate). */
  readonly connection: object;
  /** DER of the client certificate chain that TLS verified against the client CA; undefined without one. */
  readonly clientCertificate: Buffer | undefined;
  /** The reason why TLS did not verify the client certificate; undefined when it was verified, or there is none. */
  readonly certificateProblem?: string | undefined;
  /**
   * Aborts when the client disconnects, when the deadline passes, or when the server stops without a drain. Created on
   * first use, so that a request answered from memory does not pay for it.
   */
  readonly signal: AbortSignal;
  /** Aborts `signal` with this reason, once. Called by the pipeline at the deadline, and by the transport. */
  cancel(reason: Error): void;
  /** Reads the whole body, at most `limitBytes` (a 413 ApiError beyond). */
  body(limitBytes: number): Promise<Buffer>;
  /** Length of the body in bytes: 0 without a body, undefined when unknown in advance. */
  readonly bodyLength: number | undefined;
  /**
   * The body as a stream, instead of `body`: it is read from the client on demand, so that a slow consumer slows the
   * client down. Throws the reason for which the request ended early.
   */
  bodyStream(): AsyncIterable<Buffer>;
  /**
   * The requested protocol of an upgrade, in lower case; undefined without one, or when the connection does not support
   * it. The call dedicates the connection: unless the reply is an `UpgradeReply`, the connection ends with the reply, and
   * no further request is read from it. Throws 400 for a request with a body.
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
  | 'proxy'
  // A method that no resource supports: the request has a refusal.
  | '';

/** The content of path and method. */
export type RequestInfo = ResourceRequest | NonResourceRequest;

interface Refusable {
  /** The reason why path or method are refused. The request is authenticated and audited before it is refused. */
  readonly refusal?: ApiError;
}

export interface ResourceRequest extends Refusable {
  readonly isResource: true;
  readonly verb: ApiVerb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** From the path; for a namespace object itself also its name, since permissions in the namespace cover it. */
  readonly namespace: string;
  /** True for `/namespaces/NAME/RESOURCE…`, false for a namespace object itself. */
  readonly isInNamespace: boolean;
  readonly name: string;
  /**
   * Remainder of the path below the subresource, with its leading slash and not decoded; mostly empty. Only `proxy` and
   * resources of extension API servers have one.
   */
  readonly rest: string;
  /** The request reads the history of the object or collection. */
  readonly isHistory?: true;
}

export interface NonResourceRequest extends Refusable {
  readonly isResource: false;
  /** Lower-case HTTP method. */
  readonly verb: string;
  /** As sent when it is refused. */
  readonly path: string;
}

export type HeaderList = Readonly<Record<string, string | readonly string[]>>;

/**
 * Output of a streaming reply. Writes return false when the client is behind; `drained` then resolves once it
 * has caught up, and rejects with the signal's reason. Writes after the client disconnected are dropped.
 */
export interface BodySink {
  /** The chunk is not copied and must not change afterwards. */
  write(chunk: Buffer): boolean;
  /**
   * Writes buffers made by `frameChunk` (chunk-frame.ts) at once: one buffer per event serves the sockets of all watchers,
   * over HTTP/1.1 as is and over HTTP/2 without its frame. Pass all events of one tick in one call: they become one write
   * to the socket.
   */
  writeFramed(frames: readonly Buffer[]): boolean;
  drained(signal: AbortSignal): Promise<void>;
}

/**
 * The reply of a handler; the package `http` writes it to a socket. `Date`, `Content-Length`, `Audit-Id`,
 * `Cache-Control: no-cache, private` (unless set), `X-Content-Type-Options` and the fields about connections and
 * compression are added there; handlers set `Content-Type` and their specific fields.
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
   * The body in slices of any size, written in order with back-pressure; small ones are coalesced before they reach the
   * socket. An empty one is a place where other requests may be served. `return` is called on the iterator when the client disconnects.
   */
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
  /** The sum of the slices when known: sent as Content-Length, and used to decide on compression. */
  readonly length?: number;
  /** Called once when the last byte was passed to the socket, or the reply was abandoned. */
  readonly onSent?: (bytes: number, complete: boolean) => void;
}

export interface StreamReply {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: HeaderList;
  /** Length of the body when known: sent as Content-Length; a body of another length closes the connection. */
  readonly length?: number;
  /** The client may pause reading for minutes, as people do: only a bounded buffer is kept for it. */
  readonly isPatient?: boolean;
  /**
   * The last reply of its connection in HTTP/1.1. After a long time a client connects to another server rather than to the same
   * one, and does not send a request over a connection that is being closed.
   */
  readonly isLast?: boolean;
  /** Long-running: writes until it returns. Aborts with the request's signal; `draining` requests a clean end. */
  run(sink: BodySink, signals: StreamSignals): Promise<void>;
}

/**
 * Changes the protocol of an HTTP/1.1 connection (status 101), for requests whose `upgrade` returned one; `headers`
 * repeat it. From then on the connection belongs to `run`, which closes both ends of it before it returns.
 */
export interface UpgradeReply {
  readonly kind: 'upgrade';
  readonly status: 101;
  readonly headers: HeaderList;
  /** Reads and writes bytes of the new protocol, beginning with those that the client sent early. */
  run(client: Duplex, signals: StreamSignals): Promise<void>;
  /** Called instead of `run` when the client has disconnected in the meantime. */
  abandon(): void;
}

export interface StreamSignals {
  readonly signal: AbortSignal;
  readonly draining: AbortSignal;
}

/** The result of a handler: a synchronous reply when nothing is awaited, which saves the hot path its promises. */
export type Answer = Reply | Promise<Reply>;

/** The end of the pipeline, and its dispatch targets. Throws, or rejects with, an `ApiError` or `StoreError`. */
export type Handler<Context> = (context: Context) => Answer;

/** A stage of the pipeline: it may widen the context, so that a wrong order does not compile. */
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
/** After authorization: the context of dispatch. */
export type Authorized = Authenticated;

/** The served resource of a request. */
export interface Target {
  readonly type: ResourceType;
  readonly servedVersion: string;
  readonly subresource: Subresource | undefined;
}

/** Handles a non-resource path (`/version`, `/api`, `/openapi/v2`). The method is GET or HEAD; others are refused before. */
export interface Route {
  /** The exact path; with `below` also everything under `path/`. */
  readonly path: string;
  readonly below?: boolean;
  /** The path with a final slash is served as well. Authorization and audit see the path as sent. */
  readonly orSlash?: boolean;
  /** Verbs of requests: methods in lower case. `get` and `head` when absent. */
  readonly verbs?: readonly string[];
  /** The bytes of the answer, as far as they are known: a large one takes more seats. None when absent. */
  readonly answerBytes?: (request: Pick<ApiRequest, 'headers'>) => number;
  readonly handle: Handler<Authorized>;
}
