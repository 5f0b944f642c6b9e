import { atLeast, type Release } from '@orch/apis';
import { errors, type Names } from '@orch/machinery';
import { acceptsGzip } from '@orch/program';
import {
  type ApiRequest,
  type Authorized,
  groupNotFound,
  parseAccept,
  parseQuery,
  type Reply,
  type Route,
} from '@orch/request';
import type { OpenApi, OpenApiDocument } from '@orch/schema';
import { matches, notModified } from '../groups/index.ts';
import type { DocumentFormat, PublishedDocuments } from './published-documents.ts';

/** The third version of the schemas is served from this release on. */
const V3_SINCE: Release = '1.24';
/** From this release on, Protobuf has its own Content-Type; clients cannot parse the media type that they request. */
const PROTOBUF_TYPE_SINCE: Release = '1.22';
const jsonTypes = ['application/json', 'application/*', '*/*'];
const V3 = '/openapi/v3';
/** A document with its hash in the name never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface OpenApiOptions {
  readonly names: Names;
  readonly release: Release;
}

/** `/openapi/v2` and, depending on the release, `/openapi/v3`. */
export function openApiRoutes(documents: PublishedDocuments, options: OpenApiOptions): readonly Route[] {
  const { names, release } = options;
  const v2 = new Version2(documents, options);
  const v2Route: Route = {
    path: '/openapi/v2',
    answerBytes: ({ headers }) => v2.answerBytes(headers),
    handle: ({ request }) => v2.serve(request),
  };
  const v3Route: Route = {
    path: V3,
    below: true,
    handle: async (context) => serveV3(await documents.v3(), context, names),
  };
  return atLeast(release, V3_SINCE) ? [v2Route, v3Route] : [v2Route];
}

/** The document of version 2, which has all resources. */
class Version2 {
  readonly #published: PublishedDocuments;
  readonly #options: OpenApiOptions;
  /** As it was sent last. */
  #last: OpenApiDocument | undefined;

  constructor(published: PublishedDocuments, options: OpenApiOptions) {
    this.#published = published;
    this.#options = options;
  }

  /** The size of the last document, in either format: their sizes are of the same order. */
  answerBytes(headers: ApiRequest['headers']): number {
    return (this.#last === undefined ? undefined : bodyOf(this.#last, headers))?.length ?? 0;
  }

  async serve(request: ApiRequest): Promise<Reply> {
    const { names, release } = this.#options;
    const [format] = acceptedFormats(request, names.mediaTypes.openApiProtobuf);
    const documents = await this.#published.v2(format);
    const document = await (format === 'json' ? documents.v2Json() : documents.v2Protobuf());
    this.#last = document;
    const isNamed = format === 'json' || atLeast(release, PROTOBUF_TYPE_SINCE);
    const contentType = isNamed ? document.contentType : 'application/octet-stream';
    return reply({ ...document, contentType }, request);
  }
}

async function serveV3(documents: OpenApi, { info, request }: Authorized, names: Names): Promise<Reply> {
  const path = info.isResource ? '' : info.path.slice(V3.length).replace(/^\/|\/$/g, '');
  // The index exists in JSON only; clients that accept only Protobuf request it too.
  if (path === '') return reply(await documents.v3Index(), request);
  const formats = acceptedFormats(request, names.mediaTypes.openApiV3Protobuf);
  const json = await documents.v3(path);
  if (json === undefined) return groupNotFound(path.split('/')[1] ?? '', names);
  const protobuf = formats[0] === 'protobuf' ? await documents.v3Protobuf(path) : undefined;
  // Extension API servers may publish JSON only.
  const document = protobuf ?? (formats.includes('json') ? json : undefined);
  if (document === undefined) throw errors.notAcceptable(['application/json']);
  // The index names both formats by the hash of the JSON one. Clients append their own parameters.
  const isNamed = parseQuery(request.rawQuery).get('hash') === json.hash;
  return reply(document, request, isNamed ? { 'Cache-Control': IMMUTABLE } : {});
}

/**
 * The accepted formats, the preferred one first: JSON or Protobuf; 406 when neither is accepted. The media type of
 * Protobuf has a second spelling, with a dot instead of `@`, which replies use: media type parsers reject the first.
 */
function acceptedFormats(
  request: ApiRequest,
  protobuf: string,
): readonly [DocumentFormat, ...DocumentFormat[]] {
  const { accept } = request.headers;
  if (accept === undefined || accept === '') return ['json'];
  const protobufTypes = [protobuf, protobuf.replace('@', '.')];
  const [first, ...others] = parseAccept(accept).flatMap(({ type }): readonly DocumentFormat[] =>
    protobufTypes.includes(type) ? ['protobuf'] : jsonTypes.includes(type) ? ['json'] : [],
  );
  if (first === undefined) throw errors.notAcceptable(['application/json', ...protobufTypes]);
  return [first, ...others];
}

const bodyOf = (document: OpenApiDocument, headers: ApiRequest['headers']) =>
  acceptsGzip(headers['accept-encoding']) ? document.packed : document.body;

/** Compressed for clients that accept it, as documents are stored; decompressed on the fly for others. */
function reply(
  document: OpenApiDocument,
  request: ApiRequest,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const body = bodyOf(document, request.headers);
  const { contentType, etag } = document;
  const headers = {
    'Content-Type': contentType,
    ...(body === document.packed ? { 'Content-Encoding': 'gzip' } : {}),
    ...more,
    ETag: etag,
    Vary: 'Accept, Accept-Encoding',
  };
  if (matches(request.headers['if-none-match'], etag)) return notModified(headers);
  return { kind: 'chunks', status: 200, headers, ...body };
}
