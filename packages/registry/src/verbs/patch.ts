import type { ResourceType } from '@orch/apis';
import { applyJsonPatch, applyMergePatch, PatchError, type StrategicMerge } from '@orch/apply';
import {
  type ApiError,
  type ApiObject,
  errors,
  fieldError,
  findDuplicateKeys,
  isJsonObject,
  JsonSyntaxError,
  messageWithoutValue,
  parseJson,
} from '@orch/machinery';
import type { ApiRequest, Reply, ResourceContext } from '@orch/request';
import type { Codec, StructSchema } from '@orch/schema';
import type { KindCodecs } from '../convert/decoding.ts';
import { bodyBytes, checkKind, type ExpectedKind, mediaTypeOf, notJson } from '../request/body.ts';
import { isUnknown, knownProblems, strictError } from '../request/decode-object.ts';
import { formOf, queryOf } from '../request/reply.ts';
import { writeOptions, writerOf } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { changeObject } from '../write/change-object.ts';
import { checkName, checkNamespace } from '../write/object-meta.ts';
import { changedReply } from '../write/object-reply.ts';
import { ownersBy, updated } from '../write/update-object.ts';
import { mainRules, type UpdateRules } from '../write/update-rules.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

/** A patch that was read; `apply` is pure. */
export interface Patch {
  apply(document: unknown): unknown;
  /** For the message about a result that is no object of the kind. */
  readonly text: string;
  /** Paths of members that the patch says twice; empty unless asked for. */
  readonly duplicates: readonly string[];
}

/** What a request's patch is read for. */
export interface PatchTarget {
  readonly type: PatchedType;
  readonly schema: StructSchema;
  readonly strategic: StrategicMerge;
  readonly limitBytes: number;
  readonly reportDuplicates?: boolean;
}

type ApplyPatch = (document: unknown, patch: unknown) => unknown;

/** How each media type of a patch is applied to a kind. */
const appliers: Readonly<Record<string, (target: PatchTarget) => ApplyPatch>> = {
  [JSON_PATCH]: () => applyJsonPatch,
  [MERGE_PATCH]: () => applyMergePatch,
  [STRATEGIC_PATCH]:
    ({ strategic, schema }) =>
    (document, patch) =>
      strategic.apply(document, patch, schema),
};

type PatchedType = Pick<ResourceType, 'lacksMergeKeys'>;

/** Refuses a kind of patch that is not served for a resource: 415. */
export function refusePatchType(request: ApiRequest, type: PatchedType): never {
  const served = Object.keys(appliers).filter((each) => isServed(each, type));
  throw errors.unsupportedMediaType(mediaTypeOf(request), served);
}

const isServed = (mediaType: string, { lacksMergeKeys = false }: PatchedType): boolean =>
  Object.hasOwn(appliers, mediaType) && !(lacksMergeKeys && mediaType === STRATEGIC_PATCH);

/** How the patch of a request is applied: 415 for a media type that is not served. */
function applierOf(request: ApiRequest, type: PatchedType): (target: PatchTarget) => ApplyPatch {
  const mediaType = mediaTypeOf(request);
  const applier = isServed(mediaType, type) ? appliers[mediaType] : undefined;
  if (applier === undefined) refusePatchType(request, type);
  return applier;
}

/** Reads the patch of a request: 415 for a kind of patch that is not served, 400 for one that cannot be read. */
export async function readPatch(request: ApiRequest, target: PatchTarget): Promise<Patch> {
  const applier = applierOf(request, target.type);
  const mediaType = mediaTypeOf(request);
  const bytes = await bodyBytes(request, target.limitBytes);
  const patch = parsePatch(bytes);
  if (mediaType === JSON_PATCH && !Array.isArray(patch)) {
    throw errors.malformedRequest('a JSON patch must be an array of operations');
  }
  const apply = applier(target);
  return {
    apply: (document) => apply(document, patch),
    text: bytes.toString('utf8', 0, 256),
    duplicates: target.reportDuplicates === true ? findDuplicateKeys(bytes) : [],
  };
}

function parsePatch(bytes: Buffer): unknown {
  if (bytes.length === 0) throw errors.malformedRequest('the request has no body');
  try {
    return parseJson(bytes);
  } catch (cause) {
    if (cause instanceof JsonSyntaxError) throw notJson('the patch', cause);
    throw cause;
  }
}

/** How the result of a patch is read. */
export interface PatchReading {
  readonly codec: Codec;
  readonly expected: ExpectedKind;
  /** Where members that the kind does not have are reported; they are dropped in silence when absent. */
  readonly codecs?: KindCodecs;
}

/** What came out of a patch, and paths of members that the kind does not have. */
export interface Patched {
  readonly object: ApiObject;
  readonly unknown: readonly string[];
}

/** Applies a patch to a document and decodes the result (400, 413, 422). */
export function patchedObject(
  patch: Patch,
  document: unknown,
  { codec, expected, codecs }: PatchReading,
): Patched {
  const result = applied(patch, document);
  if (!isJsonObject(result)) throw notAnObject(patch, `the result is no object of kind ${expected.kind}`);
  checkKind(result, expected);
  const reportUnknown = codecs !== undefined;
  const owners = untouchedOwners(result, document);
  const read = owners === undefined ? result : withoutOwners(result);
  const { value, problems } = codec.decode(read, { defaults: true, reportUnknown, typeMeta: expected });
  if (owners !== undefined) value.metadata.managedFields = owners;
  const wrong = problems.find((problem) => problem.kind === 'type');
  if (wrong !== undefined) throw notAnObject(patch, wrong.message);
  const unknown = codecs === undefined ? [] : knownProblems(codecs, result, problems).filter(isUnknown);
  return { object: value, unknown: unknown.map((problem) => problem.message) };
}

/**
 * The owners of fields, where the patch leaves them to what they were: they make a good part of an object, and need not be
 * read again only to be compared.
 */
function untouchedOwners(result: unknown, document: unknown): unknown[] | undefined {
  const owners = ownersIn(result);
  return owners === ownersIn(document) ? owners : undefined;
}

function ownersIn(object: unknown): unknown[] | undefined {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const owners = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  return Array.isArray(owners) ? owners : undefined;
}

function withoutOwners(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { managedFields: _owners, ...metadata } = object['metadata'] as Readonly<Record<string, unknown>>;
  return { ...object, metadata };
}

function applied(patch: Patch, document: unknown): unknown {
  try {
    return patch.apply(document);
  } catch (cause) {
    if (!(cause instanceof PatchError)) throw cause;
    const withoutValues = `${cause.part} cannot be carried out`;
    switch (cause.code) {
      case 'malformed':
        throw errors.badRequest(cause.message, withoutValues);
      case 'failed':
        throw errors.unprocessable(cause.message, [], () => ({ message: withoutValues }));
      case 'tooLarge':
        throw errors.objectTooLarge(cause.message);
    }
  }
}

/** `why` is what a codec says, which shows no values of a kind that holds credentials. */
function notAnObject(patch: Patch, why: string): ApiError {
  const invalid = fieldError.invalid('patch', patch.text, why);
  const { type: reason, field } = invalid;
  const saying = (message: string) => ({
    message: `the patched object is invalid: ${field}: ${message}`,
    details: { causes: [{ reason, message, field }] },
  });
  const { message, details } = saying(invalid.message);
  return errors.unprocessable(message, details.causes, () => saying(messageWithoutValue(invalid)));
}

/**
 * `patch` (spec 4.2) with a JSON patch, a merge patch or a strategic merge patch: 200 with the object. It is applied anew to whatever comes in
 * between; a patch that sets another resourceVersion, or tests it, fails then.
 */
export async function patch(
  context: RegistryContext,
  resource: StoredResource,
  { info, request, user }: ResourceContext,
  rules: UpdateRules = mainRules(resource),
): Promise<Reply> {
  const key = keyOf(resource, info);
  const query = queryOf(request);
  // Before the options: which of them are allowed depends on the kind of patch.
  applierOf(request, resource.type);
  const options = writeOptions(query, 'PatchOptions', context);
  const form = formOf(request, query, context.negotiator, 'object');
  const { schema } = resource;
  const validates = options.fieldValidation !== 'Ignore';
  const read = await readPatch(request, {
    type: resource.type,
    schema,
    strategic: context.strategic,
    limitBytes: context.limits.bodyBytes,
    reportDuplicates: validates,
  });
  const duplicates = read.duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`);
  let remarks: readonly string[] = duplicates;
  const expected = { kind: resource.type.kind, apiVersion: resource.apiVersion };
  const owners = ownersBy(context, resource, writerOf(request, info, options));
  const changed = await changeObject(context, resource, {
    key,
    name: info.name,
    user,
    admittedAs: { operation: 'UPDATE', subresource: info.subresource },
    dryRun: options.dryRun,
    signal: request.signal,
    decide(current) {
      // Patches leave their document as it is, and decoding copies: it may share what it has with the stored object.
      const document = resource.form.lower(current.object);
      const { codec, finish } = resource.codecs.over(document);
      const { codecs } = resource;
      const reading = { codec, expected, ...(validates ? { codecs } : {}) };
      const { object: sent, unknown } = patchedObject(read, document, reading);
      remarks = [...unknown, ...duplicates];
      if (options.fieldValidation === 'Strict' && remarks.length > 0) throw strictError(remarks);
      finish?.(sent);
      checkName(sent, info.name);
      checkNamespace(sent, resource, info.namespace);
      return updated(context, resource, current, { sent, codec, user, rules, owners });
    },
  });
  if (changed === undefined) throw errors.notFound(subjectOf(resource, info.name));
  return changedReply(200, resource, changed, form, remarks);
}
