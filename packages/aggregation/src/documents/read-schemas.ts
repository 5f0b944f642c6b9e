import { createHash } from 'node:crypto';
import { asText, isJsonObject, objectAt, parseJson } from '@orch/machinery/json';
import { OutboundFailure } from '@orch/outbound';
import { ForeignPart, type ForeignSchemas, type OpenApiDocument, packedDocument } from '@orch/schema';
import { pathOf } from '../api-services/api-service.ts';
import type { RemoteApi } from '../remote/remote-api-services.ts';
import {
  type DocumentRequest,
  type FetchContext,
  type FetchedDocument,
  fetchDocument,
} from './fetch-document.ts';

/**
 * Maximum sizes of the list of documents of version 3, of a document of version 3, and of the document of version 2, in
 * bytes.
 */
const MAX_INDEX_BYTES = 1024 * 1024;
const MAX_V3_BYTES = 4 * 1024 * 1024;
const MAX_V2_BYTES = 8 * 1024 * 1024;

type V3Documents = NonNullable<ForeignSchemas['v3']>;

/** The last publication of an extension API server about its group version. */
export interface KnownSchemas {
  readonly v3: KnownV3 | undefined;
  readonly v2: KnownV2 | undefined;
}

interface KnownV2 {
  readonly etag: string | undefined;
  /** Digest of the whole document. */
  readonly digest: string;
  readonly part: ForeignPart;
}

interface KnownV3 {
  /** The hash in the list of documents, a digest of the content; undefined when the server gives none. */
  readonly hash: string | undefined;
  /** ETag of the document. */
  readonly etag: string | undefined;
  readonly documents: V3Documents;
}

type Context = FetchContext & { readonly signal: AbortSignal };

/**
 * Reads the documents of version 3 about the group version of an extension API server; returns `known` when they have not
 * changed. Rejects as `fetchDocument`, and with `OutboundFailure` for documents that cannot be used.
 */
export async function readV3(
  { backend, declared }: RemoteApi,
  known: KnownV3 | undefined,
  context: Context,
): Promise<KnownV3 | undefined> {
  const read = (request: Omit<DocumentRequest, 'accept'>, accept = 'application/json') =>
    fetchDocument(backend, { ...request, accept }, context);
  const index = await read({ path: '/openapi/v3', etag: undefined, maxBytes: MAX_INDEX_BYTES });
  const path = pathOf(declared);
  const url = index.kind === 'document' ? urlIn(index.body, path.slice(1)) : undefined;
  if (url === undefined) return undefined;
  const hash = /[?&]hash=([0-9A-Za-z]+)/.exec(url)?.[1];
  if (known !== undefined && hash !== undefined && known.hash === hash) return known;
  // Only the hash is taken from the server, so that it cannot name other paths.
  const target = `/openapi/v3${path}${hash === undefined ? '' : `?hash=${hash}`}`;
  const json = await read({ path: target, etag: known?.etag, maxBytes: MAX_V3_BYTES });
  if (json.kind === 'unchanged' && known !== undefined)
    return known.hash === hash ? known : { ...known, hash };
  if (json.kind !== 'document') return undefined;
  if (!isJsonObject(parsed(json.body, 'OpenAPI document')))
    throw new OutboundFailure('its OpenAPI document is not a JSON object');
  const { etag } = json;
  const own = await packedDocument(json.body, 'application/json');
  if (known?.documents.json.hash === own.hash) return { ...known, hash, etag };
  const request = { path: target, etag: undefined, maxBytes: MAX_V3_BYTES };
  const protobuf = await protobufOf(await read(request, context.names.mediaTypes.openApiV3Protobuf));
  return { hash, etag, documents: { json: own, protobuf } };
}

/** Servers that only have JSON answer with it whatever is requested, or with 406. */
async function protobufOf(fetched: FetchedDocument): Promise<OpenApiDocument | undefined> {
  if (fetched.kind !== 'document') return undefined;
  const type = fetched.contentType.split(';')[0]?.trim().replace('@', '.') ?? '';
  return type === PROTOBUF ? packedDocument(fetched.body, type) : undefined;
}

const PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';

function urlIn(body: Buffer, path: string): string | undefined {
  const index = parsed(body, 'list of OpenAPI documents');
  const url = isJsonObject(index) ? asText(objectAt(index, 'paths', path)['serverRelativeURL']) : '';
  return url === '' ? undefined : url;
}

/** The same for version 2: the part of the document that concerns the group version. */
export async function readV2(
  { backend, declared }: RemoteApi,
  known: KnownV2 | undefined,
  context: Context,
): Promise<KnownV2 | undefined> {
  const request = { path: '/openapi/v2', accept: 'application/json', maxBytes: MAX_V2_BYTES };
  const fetched = await fetchDocument(backend, { ...request, etag: known?.etag }, context);
  if (fetched.kind === 'unchanged') return known;
  if (fetched.kind === 'absent') return undefined;
  const { body, etag } = fetched;
  const digest = createHash('sha256').update(body).digest('hex');
  if (known?.digest === digest) return { ...known, etag };
  try {
    return { etag, digest, part: await ForeignPart.of(body, pathOf(declared)) };
  } catch (cause) {
    throw new OutboundFailure('its OpenAPI document is not JSON', { cause });
  }
}

function parsed(body: Buffer, what: string): unknown {
  try {
    return parseJson(body);
  } catch (cause) {
    throw new OutboundFailure(`its ${what} is not JSON`, { cause });
  }
}
