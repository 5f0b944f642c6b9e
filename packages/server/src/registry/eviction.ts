import type { Subresource } from '@orch/apis';
import { errors, isJsonObject } from '@orch/machinery';
import type { ApiRequest, Reply, ResourceRequest } from '../pipeline/types.ts';
import { readObject } from './decode-object.ts';
import { deleteOptionsContext, removeObject } from './delete.ts';
import { defaultDeleteOptions, deleteOptionsOf } from './delete-options.ts';
import { checkName, checkNamespace } from './object-meta.ts';
import type { RegistryContext } from './registry-context.ts';
import { formOf, queryOf, successReply } from './reply.ts';
import { keyOf, type StoredResource, subjectOf } from './served-resource.ts';
import { writeOptions } from './write-options.ts';

/** `pods/eviction`: a delete that asks for permission first. Takes every version of Eviction that the release knows. */
export async function evict(
  context: RegistryContext,
  pods: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
  subresource: Subresource,
): Promise<Reply> {
  const key = keyOf(pods, info);
  const query = queryOf(request);
  const { dryRun, fieldValidation } = writeOptions(query, 'CreateOptions', context.names, context.release);
  const form = formOf(request, query, context.negotiator, 'plain');
  const { kind, accepts = [] } = subresource;
  const apiVersionOf = (of: Subresource['kind']): string => context.names.apiVersion(of.group, of.version);
  const { object: eviction } = await readObject(
    request,
    context.auxiliary(kind.group, kind.version, kind.kind),
    { kind: kind.kind, apiVersion: apiVersionOf(kind), otherApiVersions: accepts.map(apiVersionOf) },
    {
      limitBytes: context.limits.bodyBytes,
      protobuf: context.auxiliaryProtobuf(kind.group, kind.version, kind.kind),
      fieldValidation,
    },
  );
  checkName(eviction, info.name);
  checkNamespace(eviction, pods, info.namespace);
  const given = eviction['deleteOptions'];
  const asked = isJsonObject(given)
    ? deleteOptionsOf(given, deleteOptionsContext(context))
    : defaultDeleteOptions;
  const options = dryRun ? { ...asked, dryRun } : asked;
  const evicted = await removeObject(context, pods, {
    key,
    name: info.name,
    options,
    signal: request.signal,
  });
  if (evicted === undefined) throw errors.notFound(subjectOf(pods, info.name));
  return successReply(context, form, { code: 201, showCode: true });
}
