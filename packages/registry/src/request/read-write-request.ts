import type { Subresource } from '@orch/apis';
import { atOnce, type Turns } from '@orch/machinery/concurrency';
import { encodeJson, encodeJsonInPieces, isLarge } from '@orch/machinery/json';
import {
  type ApiRequest,
  applyCborMediaType,
  type ProtobufKind,
  type ResourceContext,
  type Shape,
} from '@orch/request';
import type { Codec } from '@orch/schema';
import type { RequestPath } from '../context/paths.ts';
import type { KindCodecs } from '../convert/decoding.ts';
import { trackingIn, type Writer } from '../convert/ownership.ts';
import type { ResponseFormat } from '../encode/response-format.ts';
import type { ServedResource } from '../resource/served-resource.ts';
import {
  bodyBytes,
  type ExpectedKind,
  mediaTypeOf,
  type ParsedBody,
  readBody,
  readCborBody,
} from './body.ts';
import { type DecodedObject, decodeObject, decodeObjectInPieces } from './decode-object.ts';
import { type DeleteOptions, readDeleteOptions } from './delete-options.ts';
import { type Patch, type PatchTarget, patchApplier, readPatch, refusePatchType } from './patch-body.ts';
import { addWarnings, queryOf, responseFormatOf } from './reply.ts';
import {
  type ApplyOptions,
  applyOptions,
  type OptionsKind,
  type WriteOptions,
  writeOptions,
  writerOf,
} from './write-options.ts';

type KindRef = Subresource['kind'];

/** A write request whose options were parsed and whose body was read. */
interface ParsedRequest<Options> {
  readonly call: ResourceContext;
  readonly options: Options;
  readonly format: ResponseFormat;
}

/** A write that sets owners of fields. */
interface OwnedRequest<Options extends WriteOptions = WriteOptions> extends ParsedRequest<Options> {
  readonly writer: Writer;
}

export interface PostRequest extends OwnedRequest, Pick<DecodedObject, 'object'> {
  /** Bytes of the body. */
  readonly size: number;
}

export interface UpdateRequest extends OwnedRequest {
  /** Not decoded yet: each attempt decodes a separate object. */
  readonly body: ParsedBody;
}

export interface PatchRequest extends OwnedRequest {
  readonly patch: Patch;
}

export interface ApplyRequest extends OwnedRequest<ApplyOptions> {
  /** The configuration, not parsed yet. */
  readonly bytes: Buffer;
}

export interface DeleteRequest extends ParsedRequest<DeleteOptions> {}

/** The kind of a request body, and of the object in the reply. */
export interface BodyKind {
  readonly expected: ExpectedKind;
  readonly codecs: Codec | KindCodecs;
  /** Undefined where it has no Protobuf encoding. */
  readonly protobuf: ProtobufKind | undefined;
  /** Whether objects can be returned as tables: objects of resources can, others only without a table. */
  readonly shape: Shape;
}

/** A kind that all resources share; each has a Protobuf encoding. */
export interface AuxiliaryKind extends BodyKind {
  readonly protobuf: ProtobufKind;
}

/** Objects of the resource itself. */
export const resourceKind = (resource: ServedResource): BodyKind => ({
  expected: { kind: resource.type.kind, apiVersion: resource.apiVersion },
  codecs: resource.codecs,
  protobuf: resource.type.jsonOnly === true ? undefined : resource.protobuf,
  shape: resource.shapes.object,
});

/** Objects of a kind that a subresource takes, also in the further versions that it `accepts`. */
export function auxiliaryKind(
  path: RequestPath,
  { group, version, kind }: KindRef,
  accepts: readonly KindRef[] = [],
): AuxiliaryKind {
  const apiVersionOf = (of: KindRef): string => path.names.apiVersion(of.group, of.version);
  return {
    expected: {
      kind,
      apiVersion: path.names.apiVersion(group, version),
      otherApiVersions: accepts.map(apiVersionOf),
    },
    codecs: path.auxiliary(group, version, kind),
    protobuf: path.auxiliaryProtobuf(group, version, kind),
    shape: 'plain',
  };
}

/** Reads a POST of an object (400, 406, 413, 415, 422). */
export async function readPost(
  path: RequestPath,
  call: ResourceContext,
  kind: BodyKind,
): Promise<PostRequest> {
  const parsed = parseOwned(path, call, 'CreateOptions', kind.shape);
  const { fieldValidation } = parsed.options;
  const body = await readBodyOf(path, call.request, kind, parsed.options);
  const { size } = body;
  const { codecs, expected } = kind;
  const { object, warnings } = isLarge(size)
    ? await path.turns.run(decodeObjectInPieces(body, codecs, expected, fieldValidation))
    : decodeObject(body, codecs, expected, fieldValidation);
  addWarnings(call.trace, warnings);
  return { ...parsed, object, size };
}

/** Reads a PUT of an object (406, 413, 415, 422; 400 for a malformed body). */
export async function readUpdate(
  path: RequestPath,
  call: ResourceContext,
  kind: BodyKind,
): Promise<UpdateRequest> {
  const parsed = parseOwned(path, call, 'UpdateOptions', kind.shape);
  return { ...parsed, body: await readBodyOf(path, call.request, kind, parsed.options) };
}

/** Reads a PATCH other than an apply (406, 413, 415, 422; 400 for a malformed patch). */
export async function readPatchRequest(
  path: RequestPath,
  call: ResourceContext,
  target: PatchTarget,
  shape: Shape,
): Promise<PatchRequest> {
  // Before the options: which of them are allowed depends on the media type.
  patchApplier(call.request, { type: target.type, ...path });
  const parsed = parseOwned(path, call, 'PatchOptions', shape);
  const patch = await readPatch(call.request, target, {
    release: path.release,
    features: path.features,
    limitBytes: path.limits.bodyBytes,
    reportDuplicates: parsed.options.fieldValidation !== 'Ignore',
    turns: path.turns,
  });
  return { ...parsed, patch };
}

/** Reads an apply (400, 406, 413, 422); 415 in releases without field ownership. */
export async function readApply(
  path: RequestPath,
  call: ResourceContext,
  { type }: ServedResource,
  shape: Shape,
): Promise<ApplyRequest> {
  const { info, request } = call;
  const isCbor = mediaTypeOf(request) === applyCborMediaType;
  if (trackingIn(path.release) === 'never' || (isCbor && !path.features.cbor))
    refusePatchType(request, { type, ...path });
  const query = queryOf(request);
  const options = applyOptions(query, path);
  const format = responseFormatOf(request, query, path.negotiator, shape);
  const sent = await bodyBytes(request, path.limits.bodyBytes);
  const bytes = isCbor ? await jsonOfCbor(sent, path.turns) : sent;
  return { call, options, format, writer: writerOf(request, info, options), bytes };
}

/** An applied configuration in CBOR as JSON, which is what an apply compares and parses. */
async function jsonOfCbor(bytes: Buffer, turns: Turns): Promise<Buffer> {
  if (!isLarge(bytes.length)) return encodeJson(atOnce(readCborBody(bytes, {})));
  await turns.begin();
  const value = await turns.run(readCborBody(bytes, {}));
  return await turns.run(encodeJsonInPieces(value));
}

/** Reads a DELETE of an object or, with the shape `list`, of a collection (400, 406, 413, 415, 422). */
export async function readDelete(
  path: RequestPath,
  call: ResourceContext,
  shape: Shape,
): Promise<DeleteRequest> {
  const { request } = call;
  const query = queryOf(request);
  const format = responseFormatOf(request, query, path.negotiator, shape);
  return { call, format, options: await readDeleteOptions(request, query, path) };
}

function parseOwned(
  path: RequestPath,
  call: ResourceContext,
  optionsKind: OptionsKind,
  shape: Shape,
): OwnedRequest {
  const { info, request } = call;
  const query = queryOf(request);
  const options = writeOptions(query, optionsKind, path);
  const format = responseFormatOf(request, query, path.negotiator, shape);
  return { call, options, format, writer: writerOf(request, info, options) };
}

const readBodyOf = (
  { limits, features, turns, yaml }: RequestPath,
  request: ApiRequest,
  { protobuf }: BodyKind,
  { fieldValidation }: WriteOptions,
): Promise<ParsedBody> =>
  readBody(request, {
    limitBytes: limits.bodyBytes,
    protobuf,
    cbor: features.cbor,
    reportDuplicates: fieldValidation !== 'Ignore',
    turns,
    yaml,
  });
