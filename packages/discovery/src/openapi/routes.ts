import { atLeast, type Release } from '@orch/apis';
import { errors, type Names } from '@orch/machinery';
import { acceptsGzip } from '@orch/program';
import type { ResourceTable, ServedResource } from '@orch/registry';
import {
  type ApiRequest,
  type Authorized,
  groupNotFound,
  parseAccept,
  parseQuery,
  type Reply,
  type Route,
} from '@orch/request';
import {
  type CodecOptions,
  type OpenApi,
  type OpenApiDocument,
  type OpenApiResource,
  openApi,
} from '@orch/schema';
import { taggedReply } from '../groups/index.ts';
import { documentedResource, openApiInput } from './input.ts';

/** The third version of the schemas is served from this release on. */
const V3_SINCE: Release = '1.24';
/** From this release on Protobuf has a dedicated Content-Type; clients cannot parse the one that they request. */
const PROTOBUF_TYPE_SINCE: Release = '1.22';
const jsonTypes = ['application/json', 'application/*', '*/*'];
const V3 = '/openapi/v3';
/** A document that is named with its hash never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface OpenApiOptions {
  readonly names: Names;
  readonly release: Release;
  readonly table: Pick<ResourceTable, 'all' | 'generation'>;
  readonly includes: CodecOptions['includes'];
}

/** `/openapi/v2` and, depending on the release, `/openapi/v3`. Documents are created on first request. */
export function openApiRoutes(options: OpenApiOptions): readonly Route[] {
  const { release } = options;
  const documents = currentDocuments(options);
  const v2: Route = { path: '/openapi/v2', handle: ({ request }) => serveV2(documents(), request, options) };
  const v3: Route = {
    path: V3,
    below: true,
    handle: (context) => serveV3(documents(), context, options.names),
  };
  return atLeast(release, V3_SINCE) ? [v2, v3] : [v2];
}

/**
 * The documents of what is served at present. Nothing is prepared before the first request for a document; after a change of
 * the resources, documents of group versions that did not change are kept.
 */
function currentDocuments({ names, release, table, includes }: OpenApiOptions): () => OpenApi {
  const documented = new WeakMap<ServedResource, OpenApiResource>();
  const resources = (): readonly OpenApiResource[] =>
    table.all.map((resource) => {
      const known = documented.get(resource) ?? documentedResource(resource, names);
      documented.set(resource, known);
      return known;
    });
  let documents: OpenApi | undefined;
  let generation = -1;
  return () => {
    if (documents === undefined) {
      documents = openApi(openApiInput({ names, release, resources: resources(), includes }));
    } else if (generation !== table.generation) {
      documents = documents.replaced(resources());
    }
    generation = table.generation;
    return documents;
  };
}

async function serveV2(
  documents: OpenApi,
  request: ApiRequest,
  { names, release }: OpenApiOptions,
): Promise<Reply> {
  if (accepted(request, names.mediaTypes.openApiProtobuf) === 'json') {
    return reply(await documents.v2Json(), request);
  }
  const document = await documents.v2Protobuf();
  const type = atLeast(release, PROTOBUF_TYPE_SINCE) ? document.contentType : 'application/octet-stream';
  return reply({ ...document, contentType: type }, request);
}

async function serveV3(documents: OpenApi, { info, request }: Authorized, names: Names): Promise<Reply> {
  const path = info.isResource ? '' : info.path.slice(V3.length).replace(/^\/|\/$/g, '');
  // The index exists in JSON only; clients that accept Protobuf only request it too.
  if (path === '') return reply(await documents.v3Index(), request);
  const format = accepted(request, names.mediaTypes.openApiV3Protobuf);
  const json = await documents.v3(path);
  const document = format === 'json' ? json : await documents.v3Protobuf(path);
  if (json === undefined || document === undefined) return groupNotFound(path.split('/')[1] ?? '', names);
  // The index names both formats by the hash of the first. Clients append their own parameters.
  const isNamed = parseQuery(request.rawQuery).get('hash') === json.hash;
  return reply(document, request, isNamed ? { 'Cache-Control': IMMUTABLE } : {});
}

/**
 * The preferred format: JSON or Protobuf; 406 when neither is accepted. The media type of Protobuf has a second
 * spelling, with a dot for its `@`, which replies use: parsers of media types refuse the first.
 */
function accepted(request: ApiRequest, protobuf: string): 'json' | 'protobuf' {
  const { accept } = request.headers;
  if (accept === undefined || accept === '') return 'json';
  const protobufTypes = [protobuf, protobuf.replace('@', '.')];
  for (const { type } of parseAccept(accept)) {
    if (protobufTypes.includes(type)) return 'protobuf';
    if (jsonTypes.includes(type)) return 'json';
  }
  throw errors.notAcceptable(['application/json', ...protobufTypes]);
}

/** Compressed for clients that accept it; documents are stored compressed. */
async function reply(
  document: OpenApiDocument,
  request: ApiRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const isPacked = acceptsGzip(request.headers['accept-encoding']);
  const body = isPacked ? document.packed : await document.body();
  const headers = {
    'Content-Type': document.contentType,
    ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    ...more,
  };
  const tagged = taggedReply({ body, etag: document.etag }, headers, request.headers['if-none-match']);
  return { ...tagged, headers: { ...tagged.headers, Vary: 'Accept, Accept-Encoding' } };
}
