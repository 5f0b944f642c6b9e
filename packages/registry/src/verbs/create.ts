import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { readPost, resourceKind } from '../request/read-write-request.ts';
import { writeOptionsObject } from '../request/write-options.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { createObject } from '../write/create-object.ts';
import { objectReply } from '../write/object-reply.ts';

/** `create` (spec 4.2): 201 with the object as stored. */
export async function create(
  path: RequestPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
): Promise<Reply> {
  const { info, request, user, trace } = call;
  const sent = await readPost(path, call, resourceKind(resource));
  const { object, options, writer, format, size } = sent;
  const created = await createObject(path, resource, object, {
    namespace: info.namespace,
    writer,
    dryRun: options.dryRun,
    user,
    signal: request.signal,
    trace,
    size,
    requestOptions: writeOptionsObject('CreateOptions', request, path.names),
  });
  return objectReply(201, resource, created, { format });
}
