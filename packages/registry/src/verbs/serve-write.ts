import { errors } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import {
  readApply,
  readDelete,
  readPatchRequest,
  readPost,
  readUpdate,
  resourceKind,
} from '../request/read-write-request.ts';
import type { ReadPath, RequestPath, WritePath } from '../resource/paths.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { patchTarget } from '../write/patch-object.ts';
import { mainRules, type UpdateRules } from '../write/rules/update-rules.ts';
import { apply } from './apply.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';
import { patch } from './patch.ts';
import { update } from './update.ts';

/**
 * Parses a write request and executes its verb. `rules` define the part of the object that the path writes; all of it
 * when absent.
 */
export async function serveWrite(
  path: RequestPath & ReadPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
  rules?: UpdateRules,
): Promise<Reply> {
  switch (call.info.verb) {
    case 'create':
      return create(path, resource, await readPost(path, call, resourceKind(resource)));
    case 'update':
      return update(
        path,
        resource,
        await readUpdate(path, call, resourceKind(resource)),
        rules ?? mainRules(resource),
      );
    case 'patch':
      return patch(
        path,
        resource,
        await readPatchRequest(path, call, patchTarget(path, resource), resource.shapes.object),
        rules ?? mainRules(resource),
      );
    case 'apply':
      return apply(
        path,
        resource,
        await readApply(path, call, resource, resource.shapes.object),
        rules ?? mainRules(resource),
      );
    case 'delete':
      return remove(path, resource, await readDelete(path, call, resource.shapes.object));
    case 'deletecollection':
      return removeCollection(path, resource, await readDelete(path, call, resource.shapes.list));
    default:
      throw errors.methodNotAllowed(call.request.method);
  }
}
