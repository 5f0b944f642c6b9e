import type { Subresource } from '@orch/apis';
import { cloneJson, errors, fieldError, isJsonObject } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import { readObject } from '../request/decode-object.ts';
import { formOf, queryOf, successReply } from '../request/reply.ts';
import { writeOptions, writerOf } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { changeObject } from '../write/change-object.ts';
import { ownersBy, updated } from '../write/update-object.ts';
import { mainRules } from '../write/update-rules.ts';

/**
 * `rollback` of older versions: asks the controller to go back to an earlier revision, by writing `spec.rollbackTo`, which
 * these versions have.
 */
export async function rollback(
  context: RegistryContext,
  resource: StoredResource,
  { kind }: Subresource,
  { info, request, user }: ResourceContext,
): Promise<Reply> {
  const key = keyOf(resource, info);
  const query = queryOf(request);
  const options = writeOptions(query, 'CreateOptions', context);
  const { dryRun, fieldValidation } = options;
  const form = formOf(request, query, context.negotiator, 'plain');
  const { object: asked } = await readObject(
    request,
    context.auxiliary(kind.group, kind.version, kind.kind),
    { kind: kind.kind, apiVersion: context.names.apiVersion(kind.group, kind.version) },
    {
      limitBytes: context.limits.bodyBytes,
      protobuf: context.auxiliaryProtobuf(kind.group, kind.version, kind.kind),
      fieldValidation,
    },
  );
  const { name, updatedAnnotations, rollbackTo } = asked as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') {
    const subject = { group: context.names.group(kind.group), kind: kind.kind, name: info.name };
    throw errors.invalid(subject, [fieldError.required('name')]);
  }
  if (name !== info.name) {
    throw errors.badRequest(
      `the name of the object (${JSON.stringify(name)}) does not match that of the request (${JSON.stringify(info.name)})`,
    );
  }
  const changed = await changeObject(context, resource, {
    key,
    name,
    user,
    admittedAs: { operation: 'UPDATE', subresource: info.subresource },
    dryRun,
    signal: request.signal,
    decide(current) {
      const sent = cloneJson(resource.form.lower(current.object));
      if (isJsonObject(updatedAnnotations))
        sent.metadata.annotations = {
          ...sent.metadata.annotations,
          ...(updatedAnnotations as Record<string, string>),
        };
      sent['spec'] = { ...(sent['spec'] as object), rollbackTo: cloneJson(rollbackTo) };
      return updated(context, resource, current, {
        sent,
        codec: resource.codec,
        user,
        rules: mainRules(resource),
        owners: ownersBy(context, resource, writerOf(request, info, options)),
      });
    },
  });
  if (changed === undefined) throw errors.notFound(subjectOf(resource, name));
  return successReply(context, form, {
    code: 200,
    showCode: true,
    message: `rollback request for deployment ${JSON.stringify(name)} succeeded`,
  });
}
