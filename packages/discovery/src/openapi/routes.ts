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
  const v2: Route = {
    path: '/openapi/v2',
    handle: ({ request }) => serveV2(documents, request, options),
  };
  const v3: Route = {
    path: V3,
    below: true,
    handle: async (context) => serveV3(await documents.v3(), context, names),
  };
  return atLeast(release, V3_SINCE) ? [v2, v3] : [v2];
}

async function serveV2(
  published: PublishedDocuments,
  request: ApiRequest,
  { names, release }: OpenApiOptions,
): Promise<Reply> {
  const [format] = acceptedFormats(request, names.mediaTypes.openApiProtobuf);
  const documents = await published.v2(format);
  if (format === 'json') return reply(await documents.v2Json(), request);
  const document = await documents.v2Protobuf();
  const type = atLeast(release, PROTOBUF_TYPE_SINCE) ? document.contentType : 'application/octet-stream';
  return reply({ ...document, contentType: type }, request);
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

/** Compressed for clients that accept it, as documents are stored; decompressed on the fly for others. */
function reply(
  document: OpenApiDocument,
  request: ApiRequest,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const isPacked = acceptsGzip(request.headers['accept-encoding']);
  const { contentType, etag } = document;
  const headers = {
    'Content-Type': contentType,
    ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    ...more,
    ETag: etag,
    Vary: 'Accept, Accept-Encoding',
  };
  if (matches(request.headers['if-none-match'], etag)) return notModified(headers);
  return { kind: 'chunks', status: 200, headers, ...(isPacked ? document.packed : document.body) };
}
