import { type ApiObject, errors, formatTime } from '@orch/machinery';
import { type Codec, withResourceVersion } from '@orch/schema';
import type { ResourceContext } from '../../request/contexts.ts';
import type { Reply, UserInfo } from '../../request/types.ts';
import type { Decoding } from '../convert/decoding.ts';
import { entriesOf, type OwnersAfter, setOwners, type Writer } from '../convert/ownership.ts';
import { readBody } from '../request/body.ts';
import { type DecodedObject, decodeObject } from '../request/decode-object.ts';
import { formOf, queryOf } from '../request/reply.ts';
import { writeOptions, writerOf } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { type Change, type Changed, type Current, changeObject } from '../write/change-object.ts';
import { requireMayCreate } from '../write/may-create.ts';
import {
  checkName,
  checkNamespace,
  checkUpdatePreconditions,
  contentChanged,
  isReadyToGo,
  prepareUpdateMeta,
  storedMeta,
} from '../write/object-meta.ts';
import { mainRules, type UpdateRules } from '../write/update-rules.ts';
import { strategyContext, validateObject } from '../write/validate-object.ts';
import { createObject, objectReply } from './create.ts';

/** `update` (spec 4.2): 200, or 201 where the kind allows that a PUT creates. */
export async function update(
  context: RegistryContext,
  resource: StoredResource,
  { info, request, user }: ResourceContext,
  rules: UpdateRules = mainRules(resource),
): Promise<Reply> {
  const key = keyOf(resource, info);
  const query = queryOf(request);
  const options = writeOptions(query, 'UpdateOptions', context);
  const form = formOf(request, query, context.negotiator, 'object');
  const body = await readBody(request, {
    limitBytes: context.limits.bodyBytes,
    protobuf: resource.protobuf,
    reportDuplicates: options.fieldValidation !== 'Ignore',
  });
  const expected = { kind: resource.type.kind, apiVersion: resource.apiVersion };
  const checked = (decoded: DecodedObject): DecodedObject => {
    checkName(decoded.object, info.name);
    checkNamespace(decoded.object, resource, info.namespace);
    return decoded;
  };
  const read = () => checked(decodeObject(body, resource.codecs, expected, options.fieldValidation));
  const { warnings, object: first } = read();
  // Preparing an object changes it: further attempts read it anew.
  const objects = [first];
  const nextObject = (): ApiObject => objects.pop() ?? read().object;
  const sentOver = ({ codec, finish }: Decoding): ApiObject => {
    if (finish === undefined) return nextObject();
    const { object } = checked(decodeObject(body, codec, expected, 'Ignore'));
    finish(object);
    return object;
  };
  const { dryRun } = options;
  const writer = writerOf(request, info, options);
  const owners = ownersBy(context, resource, writer);
  const { signal } = request;
  const changed = await changeObject(context, resource, {
    key,
    name: info.name,
    user,
    admittedAs: { operation: 'UPDATE', subresource: info.subresource },
    dryRun,
    signal,
    decide(current) {
      const decoding = resource.codecs.over(resource.form.lower(current.object));
      const { codec } = decoding;
      return updated(context, resource, current, { sent: sentOver(decoding), codec, user, rules, owners });
    },
  });
  if (changed !== undefined) return changedReply(200, resource, changed, form, warnings);

  const object = nextObject();
  const creates = resource.type.strategy.createOnUpdate && info.subresource === '';
  // An object with a version, or an identity, is not meant to be made.
  if (!creates || (object.metadata.resourceVersion ?? '') !== '' || (object.metadata.uid ?? '') !== '') {
    throw errors.notFound(subjectOf(resource, info.name));
  }
  await requireMayCreate(context, { info, request, user });
  const { namespace } = info;
  return objectReply(
    201,
    resource,
    await createObject(context, resource, object, { namespace, user, writer, dryRun, signal }),
    form,
    warnings,
  );
}

export const changedReply = (
  status: number,
  resource: StoredResource,
  { json, rev }: Changed,
  form: Parameters<typeof objectReply>[3],
  warnings: readonly string[] = [],
): Reply => objectReply(status, resource, { json, resourceVersion: String(rev) }, form, warnings);

export interface Updating {
  /** In the version of the client, decoded and defaulted; it is used up. */
  readonly sent: ApiObject;
  /** That it was decoded with; it validates too. */
  readonly codec: Codec;
  readonly user: UserInfo;
  readonly rules: UpdateRules;
  readonly owners: OwnersAfter;
}

/** The owners after a write that is no apply, at the time of now. */
export const ownersBy = (context: RegistryContext, resource: StoredResource, writer: Writer): OwnersAfter =>
  resource.ownership.byUpdate(writer, formatTime(context.env.clock.now()));

/** Decides on an update: what is stored after it. */
export function updated(
  context: RegistryContext,
  resource: StoredResource,
  current: Current,
  { sent, ...rest }: Updating,
): Change {
  return updatedTo(context, resource, current, { next: resource.form.lift(sent), ...rest });
}

/** As `updated`, of an object in the hub version. */
export function updatedTo(
  context: RegistryContext,
  resource: StoredResource,
  current: Current,
  { next, codec, user, rules, owners }: Omit<Updating, 'sent'> & { readonly next: ApiObject },
): Change {
  const old = current.object;
  checkUpdatePreconditions(resource, next.metadata, old.metadata, current.rev);
  prepareUpdateMeta(next.metadata, old.metadata);
  const strategist = strategyContext(context, resource, user);
  rules.prepare(next, old, strategist);
  // What the client says of owners is judged when everything else is as it will be.
  const sentOwners = entriesOf(next.metadata);
  delete next.metadata.managedFields;
  const { strategy } = resource.type;
  if (strategy.generation === 'spec' && contentChanged(next, old)) {
    next.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  validateObject(resource, {
    next,
    old,
    codec,
    names: context.names,
    ofKind: () => rules.validate(next, old, strategist),
  });
  strategy.canonicalize?.(next, strategist);
  setOwners(next.metadata, sentOwners);
  setOwners(next.metadata, owners(next, old));
  return changeTo(resource, next, current);
}

/** Encodes an object and says what to do with it: remove it when its deletion waits for nothing more. */
export function changeTo(resource: StoredResource, next: ApiObject, current: Current): Change {
  next.metadata = storedMeta(next.metadata);
  const goes = isReadyToGo(next.metadata) && !isHeldByKind(resource, next);
  const encoded = resource.stored.encode(next);
  if (goes) return { kind: 'remove', hub: encoded.hub };
  return withResourceVersion(encoded.hub, current.rev).equals(current.json)
    ? { kind: 'keep', encoded }
    : { kind: 'write', encoded };
}

/** The kind itself keeps a deleted object (a namespace's own finalizers). */
export const isHeldByKind = (resource: StoredResource, object: ApiObject): boolean =>
  (resource.type.strategy.ownFinalizers?.(object) ?? []).length > 0;
