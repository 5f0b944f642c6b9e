import type { Names } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import type { CodecOptions } from '../codec.ts';
import type { Field, StructSchema } from '../schema.ts';
import type { DefinitionHome } from './definition-home.ts';

/** A kind as clients name it: the group as served (`''` for core). */
export interface OpenApiKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * The responses of a path below an object:
 * - `object`: reads, writes or creates an object of the kind of the subresource (status, scale, binding, eviction, token);
 * - `text`: plain text (log);
 * - `stream`: hands the connection over, GET and POST (exec, attach, portforward);
 * - `proxy`: passes requests of every method on, with any path behind it.
 */
export type OpenApiSubresourceType = 'object' | 'text' | 'stream' | 'proxy';

export interface OpenApiSubresource {
  readonly name: string;
  readonly kind: OpenApiKind;
  readonly verbs: readonly string[];
  readonly type: OpenApiSubresourceType;
  /** The schema of the object that is read and written; for the other types its scalar fields are the query parameters. */
  readonly schema?: StructSchema;
  /** Name under which the schema is published; its own name when absent. */
  readonly home?: DefinitionHome;
}

/** One served resource in one version, as its documentation needs it. */
export interface OpenApiResource extends OpenApiKind {
  /** Plural name in the path. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** API verbs: `create`, `delete`, `deletecollection`, `get`, `list`, `patch`, `update`, `watch`. */
  readonly verbs: readonly string[];
  readonly schema: StructSchema;
  /** Name under which the schema is published; its own name when absent. */
  readonly home?: DefinitionHome;
  /** Delete returns the object rather than a Status. */
  readonly deleteReturnsObject?: boolean;
  readonly subresources: readonly OpenApiSubresource[];
}

/** The kinds that every group version shares. */
export interface OpenApiMetaKinds {
  readonly listMeta: StructSchema;
  readonly deleteOptions: StructSchema;
  readonly status: StructSchema;
  readonly watchEvent: StructSchema;
  readonly apiVersions: StructSchema;
  readonly apiGroupList: StructSchema;
  readonly apiGroup: StructSchema;
  readonly apiResourceList: StructSchema;
  /** Body of `/version`, which is not a kind. */
  readonly versionInfo: StructSchema;
}

/** The input of the documents. */
export interface OpenApiInput {
  readonly names: Names;
  readonly title: string;
  /** Version of the API that the server presents: `v1.24.0`. */
  readonly version: string;
  readonly resources: readonly OpenApiResource[];
  readonly meta: OpenApiMetaKinds;
  /** Media types of objects in responses, the preferred first. */
  readonly objectMediaTypes: readonly string[];
  /** Further media types of lists, which can be watched. */
  readonly streamMediaTypes: readonly string[];
  readonly patchMediaTypes: readonly string[];
  /** Whether writes take the `fieldValidation` parameter: newer clients then leave validation to the server. */
  readonly fieldValidation: boolean;
  /** Whether patches declare the response 201 for a created object. */
  readonly patchCreates: boolean;
  /** Whether the values of strings are listed; true when absent. */
  readonly listedValues?: boolean;
  /** Fields that are left out, as in the codecs. */
  readonly includes?: CodecOptions['includes'];
  /** A sentence to add to the description of a field: how the server handles it. */
  readonly noteOn?: (field: Field) => string | undefined;
  /** The turns in which documents are built; when absent, one in each iteration of the event loop. */
  readonly turns?: Turns;
}
