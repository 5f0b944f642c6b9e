import { forbidden, type ResourceContext } from '@orch/request';
import type { WritePath } from '../context/paths.ts';

/** Requires the permission to create, for an update or an apply that creates its object (403). */
export const requireCreatePermission = (
  path: Pick<WritePath, 'authorizer'>,
  call: ResourceContext,
): Promise<void> => requirePermission(path, call, 'create');

/** Requires the permission to delete objects that cannot be decrypted, without their finalizers and dependents (403). */
export const requireUnsafeDeletePermission = (
  path: Pick<WritePath, 'authorizer'>,
  call: ResourceContext,
): Promise<void> => requirePermission(path, call, 'unsafe-delete-ignore-read-errors');

/** Requires a verb on the object of a request, in addition to that of the request. */
async function requirePermission(
  { authorizer }: Pick<WritePath, 'authorizer'>,
  { info, user, request }: ResourceContext,
  verb: string,
): Promise<void> {
  const { group, version, resource, namespace, name } = info;
  const attributes = {
    user,
    isResource: true,
    verb,
    group,
    version,
    resource,
    subresource: '',
    namespace,
    name,
  } as const;
  const decision = await authorizer.authorize(attributes, request);
  if (decision.verdict !== 'allow') throw forbidden(attributes, decision);
}
