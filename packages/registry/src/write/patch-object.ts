import { PatchError } from '@orch/apply';
import { type ApiError, type ApiObject, errors, fieldError } from '@orch/machinery';
import { type Work, whenFulfilled } from '@orch/machinery/concurrency';
import { isJsonObject } from '@orch/machinery/json';
import type { ResourceContext } from '@orch/request';
import type { Codec, Decoded, DecodeOptions } from '@orch/schema';
import type { WritePath } from '../context/paths.ts';
import { type KindCodecs, refuseOversized } from '../convert/decoding.ts';
import { fromHubInTurns } from '../convert/version-converter.ts';
import type { ExpectedKind } from '../request/body.ts';
import { isUnknown, problemsOf, strictMessage } from '../request/decode-object.ts';
import type { Patch, PatchTarget } from '../request/patch-body.ts';
import type { PatchRequest } from '../request/read-write-request.ts';
import { addWarnings } from '../request/reply.ts';
import { type WriteOptions, writeOptionsObject } from '../request/write-options.ts';
import { keyOf, type StoredResource } from '../resource/served-resource.ts';
import type { Changed, Current, Proposal } from './change.ts';
import { changeObject } from './change-object.ts';
import { checkName, checkNamespace } from './rules/object-meta.ts';
import {
  checkPatchedIdentity,
  checkPatchedKind,
  invalidPatched,
  withExpectedKind,
} from './rules/patched-identity.ts';
import type { UpdateRules } from './rules/update-rules.ts';
import { ownersBy, updated } from './update-object.ts';

/** Options for decoding the result of a patch. */
export interface PatchDecoding {
  readonly codec: Codec;
  readonly expected: ExpectedKind;
  /** Reports unknown fields; without it they are dropped silently. */
  readonly codecs?: Codec | KindCodecs;
  /** The patch may name any kind and version, without effect. */
  readonly ignoresKind?: boolean;
}

/** The result of a patch, and messages about unknown fields. */
export interface Patched {
  readonly object: ApiObject;
  readonly unknown: readonly string[];
}

/** Applies a patch to a document and decodes the result (400, 413, 422). */
export function patchedObject(patch: Patch, document: unknown, decoding: PatchDecoding): Patched {
  const draft = patchedDraft(patch, { document, changed: applied(patch, document) }, decoding);
  return patchedOf(draft, decoding, decoding.codec.decode(draft.read, optionsOf(decoding)));
}

/** Like `patchedObject`, in pieces. */
export function* patchObjectInPieces(
  patch: Patch,
  document: unknown,
  decoding: PatchDecoding,
): Work<Patched> {
  const changed = yield* applying(patch, document);
  const draft = patchedDraft(patch, { document, changed }, decoding);
  yield;
  const decoded = yield* decoding.codec.decodeInPieces(draft.read, optionsOf(decoding));
  yield;
  return patchedOf(draft, decoding, decoded);
}

const optionsOf = ({ codecs, expected }: PatchDecoding): DecodeOptions => ({
  defaults: true,
  reportUnknown: codecs !== undefined,
  typeMeta: expected,
});

/** A patched document that is not decoded. */
interface PatchedDraft {
  readonly patch: Patch;
  readonly document: unknown;
  readonly result: Readonly<Record<string, unknown>>;
  /** Managed fields that the patch does not change. */
  readonly owners: unknown[] | undefined;
  /** The part of the result that is to be decoded. */
  readonly read: Readonly<Record<string, unknown>>;
}

function patchedDraft(
  patch: Patch,
  { document, changed }: { readonly document: unknown; readonly changed: unknown },
  { expected, ignoresKind = false }: PatchDecoding,
): PatchedDraft {
  if (!isJsonObject(changed))
    throw notAnObject(patch, `the result is not an object of kind ${expected.kind}`);
  const result = ignoresKind ? withExpectedKind(changed, expected) : changed;
  checkPatchedKind(result, expected);
  const owners = unchangedOwners(result, document);
  const read = owners === undefined ? result : withoutOwners(result);
  return { patch, document, result, owners, read };
}

function patchedOf(
  { patch, document, result, owners }: PatchedDraft,
  { codecs, expected }: PatchDecoding,
  { value, problems }: Decoded,
): Patched {
  if (owners !== undefined) value.metadata.managedFields = owners;
  const known = codecs === undefined ? problems : problemsOf(codecs, result, problems);
  const wrong = known.find((problem) => problem.kind === 'type');
  if (wrong !== undefined) throw notAnObject(patch, wrong.message);
  checkPatchedIdentity(value, document);
  refuseOversized(problems, expected.kind);
  const unknown = codecs === undefined ? [] : known.filter(isUnknown);
  return { object: value, unknown: unknown.map((problem) => problem.message) };
}

/**
 * The managed fields of the document, when the patch does not change them. They are a large part of many objects and need
 * not be decoded again only to be compared.
 */
function unchangedOwners(result: unknown, document: unknown): unknown[] | undefined {
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
    throw asPatchRefusal(cause);
  }
}

function* applying(patch: Patch, document: unknown): Work<unknown> {
  try {
    return yield* patch.applyInPieces(document);
  } catch (cause) {
    throw asPatchRefusal(cause);
  }
}

function asPatchRefusal(cause: unknown): unknown {
  if (!(cause instanceof PatchError)) return cause;
  const withoutValues = `${cause.part} cannot be carried out`;
  switch (cause.code) {
    case 'malformed':
      return errors.badRequest(cause.message, withoutValues);
    case 'failed':
    case 'testFailed':
      return errors.unprocessable(cause.message, [], () => ({ message: withoutValues }));
    case 'tooLarge':
      return errors.objectTooLarge(cause.message);
  }
}

/** `why` names fields, or is the message of a codec, which reports no values of kinds that hold credentials. */
const notAnObject = (patch: Patch, why: string): ApiError =>
  invalidPatched(fieldError.invalid('patch', patch.text, why));

/** Warns about unknown fields of a patched object, and about duplicate ones of the patch; refuses them where validation is strict (422). */
export function fieldWarnings(
  patch: Patch,
  { fieldValidation }: WriteOptions,
  trace: ResourceContext['trace'],
): (unknown: readonly string[]) => void {
  const duplicates = patch.duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`);
  return (unknown) => {
    const warnings = [...unknown, ...duplicates];
    if (fieldValidation === 'Strict' && warnings.length > 0)
      throw notAnObject(patch, strictMessage(warnings));
    addWarnings(trace, warnings);
  };
}

/** The kind that the patches of a resource are parsed for. */
export const patchTarget = ({ strategic }: WritePath, { type, schema }: StoredResource): PatchTarget => ({
  type,
  schema,
  strategic,
  hasIntegers: type.jsonOnly !== true,
});

/**
 * Changes an object by a patch, which is applied again to each newer state of the object; a patch that sets another
 * resourceVersion, or tests it, fails then.
 */
export async function patchObject(
  path: WritePath,
  resource: StoredResource,
  { call, options, writer, patch }: PatchRequest,
  rules: UpdateRules,
): Promise<Changed | undefined> {
  const { info, request, user } = call;
  const { codecs } = resource;
  const validates = options.fieldValidation !== 'Ignore';
  const warn = fieldWarnings(patch, options, call.trace);
  const expected = { kind: resource.type.kind, apiVersion: resource.apiVersion };
  // As in other servers of this API: only the status of a custom object is taken from such a patch.
  const ignoresKind = resource.type.lacksMergeKeys === true && info.subresource === 'status';
  const owners = ownersBy(path, resource, writer);
  const decideOn = (document: ApiObject, current: Current): Proposal | Promise<Proposal> => {
    const { codec, finish } = codecs.forUpdateOf(document);
    const decoding = { codec, expected, ignoresKind, ...(validates ? { codecs } : {}) };
    const update = ({ object: sent, unknown }: Patched): Proposal | Promise<Proposal> => {
      warn(unknown);
      finish?.(sent);
      checkName(sent, info.name);
      checkNamespace(sent, resource, info.namespace);
      return updated(path, resource, current, { sent, codec, user, rules, owners, trace: call.trace });
    };
    if (!current.isLarge) return update(patchedObject(patch, document, decoding));
    const patched = path.turns.run(patchObjectInPieces(patch, document, decoding));
    return patched instanceof Promise ? patched.then(update) : update(patched);
  };
  return await changeObject(path, resource, {
    key: keyOf(resource, info),
    name: info.name,
    user,
    admittedAs: { operation: 'UPDATE', subresource: info.subresource },
    dryRun: options.dryRun,
    signal: request.signal,
    trace: call.trace,
    requestOptions: writeOptionsObject('UpdateOptions', request, path.names),
    size: patch.size,
    decide: (current) =>
      // Patches do not modify their document, and decoding copies: it may share values with the stored object.
      whenFulfilled(fromHubInTurns(path, resource.converter, current.object), decideOn, current),
  });
}
