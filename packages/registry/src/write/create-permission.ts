import { forbidden, type ResourceContext } from '@orch/request';
import type { WritePath } from '../resource/paths.ts';

/** Requires the permission to create, for an update or an apply that creates its object (403). */
export async function requireCreatePermission(
  { authorizer }: Pick<WritePath, 'authorizer'>,
  { info, user, request }: ResourceContext,
): Promise<void> {
  const { group, version, resource, namespace, name } = info;
  const attributes = {
    user,
    isResource: true,
    verb: 'create',
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
