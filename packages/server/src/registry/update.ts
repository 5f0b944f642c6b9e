import { type ApiObject, encodeJson, errors } from '@orch/machinery';
import { withResourceVersion } from '@orch/schema';
import type { ApiRequest, Reply, ResourceRequest } from '../pipeline/types.ts';
import { readBody } from './body.ts';
import { type Change, type Changed, type Current, changeObject } from './change-object.ts';
import { createObject, objectReply } from './create.ts';
import { decodeObject } from './decode-object.ts';
import {
  checkName,
  checkNamespace,
  checkUpdatePreconditions,
  contentChanged,
  isReadyToGo,
  prepareUpdateMeta,
  storedMeta,
} from './object-meta.ts';
import type { RegistryContext } from './registry-context.ts';
import { formOf, queryOf } from './reply.ts';
import { keyOf, type StoredResource, subjectOf } from './served-resource.ts';
import { mainRules, type UpdateRules } from './update-rules.ts';
import { strategyContext, validateObject } from './validate-object.ts';
import { writeOptions } from './write-options.ts';

/** `update` (spec 4.2): 200, or 201 where the kind allows that a PUT creates. */
export async function update(
  context: RegistryContext,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
  rules: UpdateRules = mainRules(resource),
): Promise<Reply> {
  const key = keyOf(resource, info);
  const query = queryOf(request);
  const options = writeOptions(query, 'UpdateOptions', context.names, context.release);
  const form = formOf(request, query, context.negotiator, 'object');
  const body = await readBody(request, {
    limitBytes: context.limits.bodyBytes,
    protobuf: resource.protobuf,
    reportDuplicates: options.fieldValidation !== 'Ignore',
  });
  const expected = { kind: resource.type.kind, apiVersion: resource.apiVersion };
  const read = () => {
    const decoded = decodeObject(body, resource.codec, expected, options.fieldValidation);
    checkName(decoded.object, info.name);
    checkNamespace(decoded.object, resource, info.namespace);
    return decoded;
  };
  const { warnings, object: first } = read();
  // Preparing an object changes it: further attempts read it anew.
  const objects = [first];
  const nextObject = (): ApiObject => objects.pop() ?? read().object;
  const { dryRun } = options;
  const { signal } = request;
  const changed = await changeObject(context, resource, {
    key,
    name: info.name,
    dryRun,
    signal,
    decide: (current) => updated(context, resource, nextObject(), current, rules),
  });
  if (changed !== undefined) return changedReply(200, resource, changed, form, warnings);

  const object = nextObject();
  const creates = resource.type.strategy.createOnUpdate && info.subresource === '';
  // An object with a version, or an identity, is not meant to be made.
  if (!creates || (object.metadata.resourceVersion ?? '') !== '' || (object.metadata.uid ?? '') !== '') {
    throw errors.notFound(subjectOf(resource, info.name));
  }
  const { namespace } = info;
  return objectReply(
    201,
    resource,
    await createObject(context, resource, object, { namespace, dryRun, signal }),
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

/** Decides on an update: what is stored after it. The object that the client sent is this function's to change. */
export function updated(
  context: RegistryContext,
  resource: StoredResource,
  next: ApiObject,
  current: Current,
  rules: UpdateRules,
): Change {
  const old = current.object;
  checkUpdatePreconditions(resource, next.metadata, old.metadata, current.rev);
  prepareUpdateMeta(next.metadata, old.metadata);
  const strategist = strategyContext(context);
  rules.prepare(next, old, strategist);
  const { strategy } = resource.type;
  if (strategy.generation === 'spec' && contentChanged(next, old)) {
    next.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  validateObject(resource, next, old, strategist, () => rules.validate(next, old, strategist));
  strategy.canonicalize?.(next, strategist);
  return changeTo(resource, next, current);
}

/** Encodes an object and says what to do with it: remove it when its deletion waits for nothing more. */
export function changeTo(resource: StoredResource, next: ApiObject, current: Current): Change {
  next.metadata = storedMeta(next.metadata);
  next.apiVersion = resource.storedApiVersion;
  const value = encodeJson(next);
  if (isReadyToGo(next.metadata) && !isHeldByKind(resource, next)) return { kind: 'remove', value };
  return withResourceVersion(value, current.rev).equals(current.json)
    ? { kind: 'keep' }
    : { kind: 'write', value };
}

/** The kind itself keeps a deleted object (a namespace's own finalizers). */
export const isHeldByKind = (resource: StoredResource, object: ApiObject): boolean =>
  (resource.type.strategy.ownFinalizers?.(object) ?? []).length > 0;
