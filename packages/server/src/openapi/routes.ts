import { atLeast, type Release } from '@orch/apis';
import { errors, type Names } from '@orch/machinery';
import { type CodecOptions, type OpenApi, type OpenApiDocument, openApi } from '@orch/schema';
import { taggedReply } from '../discovery/index.ts';
import { parseAccept } from '../negotiation/index.ts';
import { pageNotFound } from '../pipeline/dispatch.ts';
import type { ApiRequest, Authorized, Reply, Route } from '../pipeline/types.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { openApiInput } from './input.ts';

/** The third version of the schemas is served from this release on. */
const V3_SINCE: Release = '1.24';
/** From this release on the Protobuf form has a Content-Type of its own; clients cannot parse the one they ask for. */
const PROTOBUF_TYPE_SINCE: Release = '1.22';
const jsonTypes = ['application/json', 'application/*', '*/*'];
const V3 = '/openapi/v3';
/** A document named with its hash never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

export interface OpenApiOptions {
  readonly names: Names;
  readonly release: Release;
  readonly table: { readonly all: readonly ServedResource[] };
  readonly includes: CodecOptions['includes'];
}

/** `/openapi/v2` and, where the release has it, `/openapi/v3`. Documents are made when first asked for. */
export function openApiRoutes(options: OpenApiOptions): readonly Route[] {
  const { names, release, table, includes } = options;
  const documents = openApi(openApiInput({ names, release, resources: table.all, includes }));
  const v2: Route = { path: '/openapi/v2', handle: ({ request }) => serveV2(documents, request, options) };
  const v3: Route = { path: V3, below: true, handle: (context) => serveV3(documents, context) };
  return atLeast(release, V3_SINCE) ? [v2, v3] : [v2];
}

function serveV2(documents: OpenApi, request: ApiRequest, { names, release }: OpenApiOptions): Reply {
  const protobuf = names.mediaTypes.openApiProtobuf;
  const chosen = accepted(request, [protobuf]);
  if (chosen !== protobuf) return reply(documents.v2Json(), 'application/json', request);
  const v2 = documents.v2Protobuf();
  const type = atLeast(release, PROTOBUF_TYPE_SINCE) ? v2.contentType : 'application/octet-stream';
  return reply(v2, type, request);
}

function serveV3(documents: OpenApi, { info, request }: Authorized): Reply {
  accepted(request, []);
  const path = info.isResource ? '' : info.path.slice(V3.length).replace(/^\/|\/$/g, '');
  const document = path === '' ? documents.v3Index() : documents.v3(path);
  if (document === undefined) return pageNotFound;
  const named = path !== '' && request.rawQuery === `hash=${document.hash}`;
  return reply(document, 'application/json', request, named ? { 'Cache-Control': FOREVER } : {});
}

/** The preferred media type among `others` and JSON; 406 when the client takes neither. */
function accepted(request: ApiRequest, others: readonly string[]): string {
  const { accept } = request.headers;
  if (accept === undefined || accept === '') return 'application/json';
  for (const { type } of parseAccept(accept)) {
    if (others.includes(type)) return type;
    if (jsonTypes.includes(type)) return 'application/json';
  }
  throw errors.notAcceptable(['application/json', ...others]);
}

const reply = (
  document: OpenApiDocument,
  contentType: string,
  request: ApiRequest,
  headers: Readonly<Record<string, string>> = {},
): Reply =>
  taggedReply(document, { 'Content-Type': contentType, ...headers }, request.headers['if-none-match']);
