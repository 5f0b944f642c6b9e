import type { IncomingHttpHeaders } from 'node:http';
import type { ResourceType, Subresource } from '@orch/apis';

/** A request as the pipeline sees it: HTTP/1.1 and HTTP/2 alike. */
export interface ApiRequest {
  readonly method: string;
  /** Raw path as sent, without the query, not decoded. */
  readonly rawPath: string;
  /** Raw query string without `?`; parsed on demand. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** Short random id, in logs and in the `Audit-Id` header. */
  readonly id: string;
  readonly remoteAddress: string;
  /** The connection, as a key for what is worth remembering per connection (its verified client certificate). */
  readonly connection: object;
  /** DER of the client certificate chain that TLS verified against the client CA; undefined without one. */
  readonly clientCertificate: Buffer | undefined;
  /** Aborts when the client goes away, when the deadline passes, or when the server stops hard. */
  readonly signal: AbortSignal;
  /** Reads the whole body, at most `limitBytes` (a 413 ApiError beyond). */
  body(limitBytes: number): Promise<Buffer>;
}

/** Who is asking (access-control document). */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

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
  readonly namespace: string;
  readonly name: string;
  /** Remainder of the path below the subresource, for proxies. */
  readonly rest: string;
}

export interface NonResourceRequest {
  readonly isResource: false;
  /** Lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

export type HeaderList = Readonly<Record<string, string | readonly string[]>>;

/** Where a streaming reply writes. `write` returns false when the client is behind; `drained` then resolves. */
export interface BodySink {
  /** The chunk is not copied and must not change afterwards. */
  write(chunk: Buffer): boolean;
  drained(signal: AbortSignal): Promise<void>;
}

/** What a handler answers; one file turns it into bytes on a socket. */
export type Reply =
  | { readonly kind: 'bytes'; readonly status: number; readonly headers: HeaderList; readonly body: Buffer }
  | {
      readonly kind: 'chunks';
      readonly status: number;
      readonly headers: HeaderList;
      /** Whole body in slices, written in order with back-pressure; `length` is their sum when known. */
      readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
      readonly length?: number;
    }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly headers: HeaderList;
      /** Long-running: writes until it returns. Aborts with the request's signal; `draining` asks for a clean end. */
      run(sink: BodySink, signals: { readonly signal: AbortSignal; readonly draining: AbortSignal }): Promise<void>;
    };

/** A stage of the pipeline: each may widen the context, so that a wrong order does not compile. */
export type Stage<In, Out extends In = In> = (context: In, next: (context: Out) => Promise<Reply>) => Promise<Reply>;

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
