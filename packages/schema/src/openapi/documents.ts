import { createHash } from 'node:crypto';
import { encodeGnosticV2 } from './gnostic.ts';
import type { OpenApiInput, OpenApiResource } from './input.ts';
import { groupVersionPath } from './operations.ts';
import { buildV2 } from './v2.ts';
import { buildV3 } from './v3.ts';

/** A document ready to be sent. */
export interface OpenApiDocument {
  readonly body: Buffer;
  readonly contentType: string;
  /** Upper-case hexadecimal digest of the body. */
  readonly hash: string;
  /** `hash` in quotes, for the ETag header. */
  readonly etag: string;
}

/** The published schemas of a server. Every document is made when it is first asked for, and kept. */
export interface OpenApi {
  /** `/openapi/v2`: everything in one document. */
  v2Json(): OpenApiDocument;
  /** The same in the Protobuf form of gnostic. */
  v2Protobuf(): OpenApiDocument;
  /** `/openapi/v3`: where the documents of the group versions are, with their hashes. */
  v3Index(): OpenApiDocument;
  /** `/openapi/v3/<path>` with `api/v1` or `apis/<group>/<version>`; undefined for what is not served. */
  v3(path: string): OpenApiDocument | undefined;
  /** All that `v3` knows, sorted. */
  v3Paths(): readonly string[];
}

/**
 * What the Protobuf form is sent as. Requests name it with `@` before the version (`names.mediaTypes`), which is not
 * allowed in a media type: clients fail on an answer that repeats it.
 */
const protobufContentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

function documentOf(body: Buffer, contentType: string): OpenApiDocument {
  const hash = createHash('sha256').update(body).digest('hex').toUpperCase();
  return { body, contentType, hash, etag: `"${hash}"` };
}

const jsonDocument = (value: unknown): OpenApiDocument =>
  documentOf(Buffer.from(JSON.stringify(value)), 'application/json');

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** Resources by the path of their group version, without the leading slash. */
function byGroupVersion(
  resources: readonly OpenApiResource[],
): ReadonlyMap<string, readonly OpenApiResource[]> {
  const groups = new Map<string, OpenApiResource[]>();
  for (const resource of resources) {
    const path = groupVersionPath(resource.group, resource.version).slice(1);
    const group = groups.get(path);
    if (group === undefined) groups.set(path, [resource]);
    else group.push(resource);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The OpenAPI documents of a set of resources. Nothing is built before it is asked for. When the set changes, make new
 * documents: their hashes differ exactly when their contents do.
 */
export function openApi(input: OpenApiInput): OpenApi {
  const groups = byGroupVersion(input.resources);
  const v3Documents = new Map(
    [...groups].map(([path, resources]) => [path, once(() => jsonDocument(buildV3(input, resources)))]),
  );
  return {
    // Each form builds the document anew: kept as values it would take several times the memory of its bytes.
    v2Json: once(() => jsonDocument(buildV2(input))),
    v2Protobuf: once(() => documentOf(encodeGnosticV2(buildV2(input)), protobufContentType)),
    v3Index: once(() => {
      const paths = [...v3Documents].map(([path, document]) => [
        path,
        { serverRelativeURL: `/openapi/v3/${path}?hash=${document().hash}` },
      ]);
      return jsonDocument({ paths: Object.fromEntries(paths) });
    }),
    v3: (path) => v3Documents.get(path)?.(),
    v3Paths: () => [...v3Documents.keys()],
  };
}
