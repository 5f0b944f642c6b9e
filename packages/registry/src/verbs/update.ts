import { type ApiObject, errors } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import type { Decoding } from '../convert/decoding.ts';
import { readBody } from '../request/body.ts';
import { type DecodedObject, decodeObject } from '../request/decode-object.ts';
import { formOf, queryOf } from '../request/reply.ts';
import { writeOptions, writerOf } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { changeObject } from '../write/change-object.ts';
import { createObject } from '../write/create-object.ts';
import { requireMayCreate } from '../write/may-create.ts';
import { checkName, checkNamespace } from '../write/object-meta.ts';
import { changedReply, objectReply } from '../write/object-reply.ts';
import { ownersBy, updated } from '../write/update-object.ts';
import { mainRules, type UpdateRules } from '../write/update-rules.ts';

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
