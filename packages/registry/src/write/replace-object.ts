import { type ApiObject, errors } from '@orch/machinery';
import type { WritePath } from '../context/paths.ts';
import type { Decoding } from '../convert/decoding.ts';
import { isLarge } from '../request/body.ts';
import { type DecodedObject, decodeObject } from '../request/decode-object.ts';
import type { UpdateRequest } from '../request/read-write-request.ts';
import { writeOptionsObject } from '../request/write-options.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { requireCreatePermission } from './additional-permission.ts';
import type { Changed } from './change.ts';
import { changeObject } from './change-object.ts';
import { createObject, type StoredState } from './create-object.ts';
import { checkName, checkNamespace } from './rules/object-meta.ts';
import type { UpdateRules } from './rules/update-rules.ts';
import { ownersBy, updated } from './update-object.ts';

/** The result of a write that changes an object or creates it. */
export type WriteOutcome =
  | { readonly kind: 'created'; readonly state: StoredState }
  | { readonly kind: 'changed'; readonly changed: Changed };

/** Replaces an object with the one that the client sent, or creates it if the kind permits that. */
export async function replaceObject(
  path: WritePath,
  resource: StoredResource,
  sent: UpdateRequest,
  rules: UpdateRules,
): Promise<{ readonly outcome: WriteOutcome; readonly warnings: readonly string[] }> {
  const { call, options, writer } = sent;
  const { info, request, user } = call;
  const { size } = sent.body;
  if (isLarge(size)) await path.turns.next();
  const source = new SentObject(resource, sent);
  const { warnings } = source;
  const owners = ownersBy(path, resource, writer);
  const changed = await changeObject(path, resource, {
    key: keyOf(resource, info),
    name: info.name,
    user,
    admittedAs: { operation: 'UPDATE', subresource: info.subresource },
    dryRun: options.dryRun,
    signal: request.signal,
    trace: call.trace,
    requestOptions: writeOptionsObject('UpdateOptions', request, path.names),
    size,
    decide(current) {
      const decoding = resource.codecs.forUpdateOf(resource.converter.fromHub(current.object));
      const { codec } = decoding;
      return updated(path, resource, current, {
        sent: source.decodedFor(decoding),
        codec,
        user,
        rules,
        owners,
      });
    },
  });
  if (changed !== undefined) return { outcome: { kind: 'changed', changed }, warnings };
  return { outcome: { kind: 'created', state: await create(path, resource, sent, source.next()) }, warnings };
}

async function create(
  path: WritePath,
  resource: StoredResource,
  { call, options, writer, body: { size } }: UpdateRequest,
  object: ApiObject,
): Promise<StoredState> {
  const { info, request, user } = call;
  const creates = resource.type.strategy.createOnUpdate && info.subresource === '';
  // An object with a resourceVersion or a uid refers to an existing one.
  if (!creates || (object.metadata.resourceVersion ?? '') !== '' || (object.metadata.uid ?? '') !== '') {
    throw errors.notFound(subjectOf(resource, info.name));
  }
  await requireCreatePermission(path, call);
  return createObject(path, resource, object, {
    namespace: info.namespace,
    user,
    writer,
    dryRun: options.dryRun,
    signal: request.signal,
    trace: call.trace,
    requestOptions: writeOptionsObject('CreateOptions', request, path.names),
    size,
  });
}

/** The object in the body of an update, decoded again for each attempt: preparing an object changes it. */
class SentObject {
  readonly warnings: readonly string[];
  readonly #resource: StoredResource;
  readonly #sent: UpdateRequest;
  #first: ApiObject | undefined;

  constructor(resource: StoredResource, sent: UpdateRequest) {
    this.#resource = resource;
    this.#sent = sent;
    const { object, warnings } = this.#decode(resource.codecs, sent.options.fieldValidation);
    this.#first = object;
    this.warnings = warnings;
  }

  /** An object that the caller may change. */
  next(): ApiObject {
    const object = this.#first;
    this.#first = undefined;
    return object ?? this.#decode(this.#resource.codecs, this.#sent.options.fieldValidation).object;
  }

  /** As `next`, with the disabled fields that the stored object already has. */
  decodedFor({ codec, finish }: Decoding): ApiObject {
    if (finish === undefined) return this.next();
    const { object } = this.#decode(codec, 'Ignore');
    finish(object);
    return object;
  }

  #decode(
    codecs: Parameters<typeof decodeObject>[1],
    strictness: Parameters<typeof decodeObject>[3],
  ): DecodedObject {
    const { type, apiVersion } = this.#resource;
    const { info } = this.#sent.call;
    const decoded = decodeObject(this.#sent.body, codecs, { kind: type.kind, apiVersion }, strictness);
    checkName(decoded.object, info.name);
    checkNamespace(decoded.object, this.#resource, info.namespace);
    return decoded;
  }
}
