import type { Release, ResourceType, ServerFeatures } from '@orch/apis';
import {
  applyJsonPatch,
  applyJsonPatchInPieces,
  applyMergePatch,
  applyMergePatchInPieces,
  type StrategicMerge,
} from '@orch/apply';
import { errors } from '@orch/machinery';
import type { Turns, Work } from '@orch/machinery/concurrency';
import {
  findDuplicateKeys,
  findDuplicateKeysInPieces,
  isJsonObject,
  isLarge,
  JsonSyntaxError,
  parseJson,
  parseJsonInPieces,
} from '@orch/machinery/json';
import { type ApiRequest, applyCborMediaType, applyMediaType } from '@orch/request';
import type { StructSchema } from '@orch/schema';
import { trackingIn } from '../convert/ownership.ts';
import { bodyBytes, mediaTypeOf, notJson } from './body.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

/** Maximum number of bytes of a patch in a message about its result. */
const MAX_SHOWN_BYTES = 256;

/** A parsed patch; it is applied without changing the document. */
export interface Patch {
  apply(document: unknown): unknown;
  applyInPieces(document: unknown): Work<unknown>;
  /** For the message about a result that is not an object of the kind. */
  readonly text: string;
  /** Bytes as sent. */
  readonly size: number;
  /** Paths of fields that occur more than once in the patch; empty unless `reportDuplicates` is set. */
  readonly duplicates: readonly string[];
}

/** The kind that a patch is parsed for. */
export interface PatchTarget {
  readonly type: PatchedType;
  readonly schema: StructSchema;
  readonly strategic: StrategicMerge;
  /** Whether the kind has declared integer types, whose fields refuse `5.0` and `1e2` in a merge patch or a JSON patch. */
  readonly hasIntegers: boolean;
}

export interface ReadPatchOptions {
  readonly release: Release;
  readonly features: ServerFeatures;
  readonly limitBytes: number;
  readonly reportDuplicates: boolean;
  /** Large patches are parsed in a turn. */
  readonly turns: Turns;
}

/** Applies patches of one media type to a kind. */
interface Applier {
  apply(document: unknown, patch: unknown): unknown;
  applyInPieces(document: unknown, patch: unknown): Work<unknown>;
}

/** Applies each media type of a patch to a kind. */
const appliers: Readonly<Record<string, (target: PatchTarget) => Applier>> = {
  [JSON_PATCH]: () => ({ apply: applyJsonPatch, applyInPieces: applyJsonPatchInPieces }),
  [MERGE_PATCH]: () => ({ apply: applyMergePatch, applyInPieces: applyMergePatchInPieces }),
  [STRATEGIC_PATCH]: ({ strategic, schema }) => ({
    apply: (document, patch) => strategic.apply(document, withoutType(patch), schema),
    applyInPieces: (document, patch) => strategic.applyInPieces(document, withoutType(patch), schema),
  }),
};

/** Drops the kind and version of a strategic merge patch: clients send those of the main object to `/scale`. */
function withoutType(patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const { kind, apiVersion, ...rest } = patch;
  return {
    ...(typeof kind === 'string' || kind === undefined ? {} : { kind }),
    ...(typeof apiVersion === 'string' || apiVersion === undefined ? {} : { apiVersion }),
    ...rest,
  };
}

type PatchedType = Pick<ResourceType, 'lacksMergeKeys'>;

/** The target of a patch. */
interface PatchPlace {
  readonly type: PatchedType;
  readonly release: Release;
  readonly features: ServerFeatures;
}

/** Refuses a media type of patches that is not served for a resource: 415. */
export function refusePatchType(request: ApiRequest, { type, release, features }: PatchPlace): never {
  const served = Object.keys(appliers).filter((each) => isServed(each, type));
  const apply = features.cbor ? [applyMediaType, applyCborMediaType] : [applyMediaType];
  throw errors.unsupportedMediaType(mediaTypeOf(request), [
    ...served,
    ...(trackingIn(release) === 'never' ? [] : apply),
  ]);
}

const isServed = (mediaType: string, { lacksMergeKeys = false }: PatchedType): boolean =>
  Object.hasOwn(appliers, mediaType) && !(lacksMergeKeys && mediaType === STRATEGIC_PATCH);

/** The function that applies the patch of a request. Throws a 415 for a media type that is not served. */
export function patchApplier(request: ApiRequest, place: PatchPlace): (target: PatchTarget) => Applier {
  const mediaType = mediaTypeOf(request);
  const applier = isServed(mediaType, place.type) ? appliers[mediaType] : undefined;
  if (applier === undefined) refusePatchType(request, place);
  return applier;
}

/** Reads the patch of a request: 415 for a media type that is not served, 400 for a malformed patch. */
export async function readPatch(
  request: ApiRequest,
  target: PatchTarget,
  { release, features, limitBytes, reportDuplicates, turns }: ReadPatchOptions,
): Promise<Patch> {
  const applier = patchApplier(request, { type: target.type, release, features });
  const bytes = await bodyBytes(request, limitBytes);
  const large = isLarge(bytes.length);
  if (large) await turns.begin();
  const mediaType = mediaTypeOf(request);
  const keepSpelling = target.hasIntegers && mediaType !== STRATEGIC_PATCH;
  const patch = large ? await turns.run(patchInPieces(bytes, keepSpelling)) : parsePatch(bytes, keepSpelling);
  if (mediaType === JSON_PATCH && !Array.isArray(patch)) {
    throw errors.malformedRequest('a JSON patch must be an array of operations');
  }
  const toTarget = applier(target);
  return {
    apply: (document) => toTarget.apply(document, patch),
    applyInPieces: (document) => toTarget.applyInPieces(document, patch),
    // Only messages about an invalid result show it.
    get text() {
      return bytes.toString('utf8', 0, MAX_SHOWN_BYTES);
    },
    size: bytes.length,
    duplicates: reportDuplicates ? await duplicatesIn(bytes, turns) : [],
  };
}

const duplicatesIn = (bytes: Buffer, turns: Turns): string[] | Promise<string[]> =>
  isLarge(bytes.length) ? turns.run(findDuplicateKeysInPieces(bytes)) : findDuplicateKeys(bytes);

function parsePatch(bytes: Buffer, keepSpelling: boolean): unknown {
  if (bytes.length === 0) throw errors.malformedRequest('the request has no body');
  try {
    return parseJson(bytes, { finite: true, keepSpelling });
  } catch (cause) {
    throw asRefusal(cause);
  }
}

function* patchInPieces(bytes: Buffer, keepSpelling: boolean): Work<unknown> {
  try {
    return yield* parseJsonInPieces(bytes, { finite: true, keepSpelling });
  } catch (cause) {
    throw asRefusal(cause);
  }
}

const asRefusal = (cause: unknown): unknown =>
  cause instanceof JsonSyntaxError ? notJson('the patch', cause) : cause;
