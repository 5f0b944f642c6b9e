import type { Subresource } from '@orch/apis';
import { type ApiObject, errors, fieldError } from '@orch/machinery';
import { cloneJson, isJsonObject } from '@orch/machinery/json';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { auxiliaryKind, readPost } from '../request/read-write-request.ts';
import { successReply } from '../request/reply.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { admitPosted } from '../write/admit-posted.ts';
import { changeObject } from '../write/change-object.ts';
import { mainRules } from '../write/rules/update-rules.ts';
import { ownersBy, updated } from '../write/update-object.ts';

/**
 * `rollback` of older versions: requests a return to an earlier revision from the controller, by writing `spec.rollbackTo`,
 * a field of these versions.
 */
export async function rollback(
  path: RequestPath & WritePath,
  resource: StoredResource,
  { kind }: Subresource,
  call: ResourceContext,
): Promise<Reply> {
  const { info, request, user } = call;
  const { object: body, options, format, writer } = await readPost(path, call, auxiliaryKind(path, kind));
  checkRollback(path, kind, body, info.name);
  await admitPosted(path, resource, { call, object: body, name: info.name, dryRun: options.dryRun });
  const { updatedAnnotations, rollbackTo } = body as Readonly<Record<string, unknown>>;
  const changed = await changeObject(path, resource, {
    key: keyOf(resource, info),
    name: info.name,
    user,
    admittedAs: 'nothing',
    dryRun: options.dryRun,
    signal: request.signal,
    trace: call.trace,
    decide(current) {
      const sent = cloneJson(resource.converter.fromHub(current.object));
      if (isJsonObject(updatedAnnotations))
        sent.metadata.annotations = {
          ...sent.metadata.annotations,
          ...(updatedAnnotations as Record<string, string>),
        };
      sent['spec'] = { ...(sent['spec'] as object), rollbackTo: cloneJson(rollbackTo) };
      return updated(path, resource, current, {
        sent,
        codec: resource.codec,
        user,
        rules: mainRules(resource),
        owners: ownersBy(path, resource, writer),
      });
    },
  });
  if (changed === undefined) throw errors.notFound(subjectOf(resource, info.name));
  return successReply(path, format, {
    code: 200,
    showCode: true,
    message: `rollback request for deployment ${JSON.stringify(info.name)} succeeded`,
  });
}

/** Checks that the body names the object of the path (400, 422). */
function checkRollback(
  { names }: RequestPath,
  { group, kind }: Subresource['kind'],
  body: ApiObject,
  expected: string,
): void {
  const { name } = body as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') {
    const subject = { group: names.group(group), kind, name: expected };
    throw errors.invalid(subject, [fieldError.required('name')]);
  }
  if (name !== expected) {
    throw errors.badRequest(
      `the name of the object (${JSON.stringify(name)}) does not match that of the request (${JSON.stringify(expected)})`,
    );
  }
}
