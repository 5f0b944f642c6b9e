import { type ApiObject, errors } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import { isLarge } from '@orch/machinery/json';
import type { WritePath } from '../context/paths.ts';
import type { Decoding } from '../convert/decoding.ts';
import { type DecodedObject, decodeObject, decodeObjectInPieces } from '../request/decode-object.ts';
import type { UpdateRequest } from '../request/read-write-request.ts';
import { addWarnings } from '../request/reply.ts';
import { writeOptionsObject } from '../request/write-options.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { requireCreatePermission } from './additional-permission.ts';
import type { Changed, Proposal } from './change.ts';
import { changeObject } from './change-object.ts';
import { createObject, type StoredState } from './create-object.ts';
import { checkNamespace, requireName } from './rules/object-meta.ts';
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
): Promise<WriteOutcome> {
  const { call, options, writer } = sent;
  const { info, request, user } = call;
  const { size } = sent.body;
  const source = new SentObject(path, resource, sent);
  const first = source.first();
  if (first instanceof Promise) await first;
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
      const update = (object: ApiObject): Proposal | Promise<Proposal> =>
        updated(path, resource, current, { sent: object, codec, user, rules, owners, trace: call.trace });
      return whenFulfilled(source.decodedFor(decoding), update);
    },
  });
  if (changed !== undefined) return { kind: 'changed', changed };
  return { kind: 'created', state: await create(path, resource, sent, await source.next()) };
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
  readonly #path: WritePath;
  readonly #resource: StoredResource;
  readonly #sent: UpdateRequest;
  #first: ApiObject | undefined;

  constructor(path: WritePath, resource: StoredResource, sent: UpdateRequest) {
    this.#path = path;
    this.#resource = resource;
    this.#sent = sent;
  }

  /** Decodes the object for the first time, with warnings. A promise where it is large. */
  first(): void | Promise<void> {
    const take = ({ object, warnings }: DecodedObject): void => {
      this.#first = object;
      addWarnings(this.#sent.call.trace, warnings);
    };
    const decoded = this.#decode(this.#resource.codecs, this.#sent.options.fieldValidation);
    return decoded instanceof Promise ? decoded.then(take) : take(decoded);
  }

  /** An object that the caller may change. */
  next(): ApiObject | Promise<ApiObject> {
    const object = this.#first;
    this.#first = undefined;
    if (object !== undefined) return object;
    return objectIn(this.#decode(this.#resource.codecs, this.#sent.options.fieldValidation));
  }

  /** As `next`, with the disabled fields that the stored object already has, and without the empty ones that it lacks. */
  decodedFor({ codec, finish }: Decoding): ApiObject | Promise<ApiObject> {
    if (codec === this.#resource.codecs.codec) return this.next();
    return objectIn(this.#decode(codec, 'Ignore'), finish);
  }

  #decode(
    codecs: Parameters<typeof decodeObject>[1],
    strictness: Parameters<typeof decodeObject>[3],
  ): DecodedObject | Promise<DecodedObject> {
    const { type, apiVersion } = this.#resource;
    const { body } = this.#sent;
    const expected = { kind: type.kind, apiVersion };
    if (!isLarge(body.size)) return this.#checked(decodeObject(body, codecs, expected, strictness));
    const decoded = this.#path.turns.run(decodeObjectInPieces(body, codecs, expected, strictness));
    return decoded instanceof Promise ? decoded.then((all) => this.#checked(all)) : this.#checked(decoded);
  }

  #checked(decoded: DecodedObject): DecodedObject {
    const { info } = this.#sent.call;
    requireName(decoded.object, info.name);
    checkNamespace(decoded.object, this.#resource, info.namespace);
    return decoded;
  }
}

/** The decoded object after a last change. */
function objectIn(
  decoded: DecodedObject | Promise<DecodedObject>,
  finish: (object: ApiObject) => void = () => undefined,
): ApiObject | Promise<ApiObject> {
  if (decoded instanceof Promise) return decoded.then((all) => objectIn(all, finish));
  finish(decoded.object);
  return decoded.object;
}
