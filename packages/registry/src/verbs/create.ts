import type { Reply, ResourceContext } from '@orch/request';
import { readObject } from '../request/decode-object.ts';
import { formOf, queryOf } from '../request/reply.ts';
import { writeOptions, writerOf } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { createObject } from '../write/create-object.ts';
import { objectReply } from '../write/object-reply.ts';

/** `create` (spec 4.2): 201 with the object as stored. */
export async function create(
  context: RegistryContext,
  resource: StoredResource,
  { info, request, user }: ResourceContext,
): Promise<Reply> {
  const query = queryOf(request);
  const options = writeOptions(query, 'CreateOptions', context);
  const form = formOf(request, query, context.negotiator, 'object');
  const { object, warnings } = await readObject(
    request,
    resource.codecs,
    { kind: resource.type.kind, apiVersion: resource.apiVersion },
    {
      limitBytes: context.limits.bodyBytes,
      protobuf: resource.protobuf,
      fieldValidation: options.fieldValidation,
    },
  );
  const { namespace } = info;
  const created = await createObject(context, resource, object, {
    namespace,
    writer: writerOf(request, info, options),
    dryRun: options.dryRun,
    user,
    signal: request.signal,
  });
  return objectReply(201, resource, created, form, warnings);
}
