import type { Answer, ResourceContext } from '@orch/request';
import type { RegistryContext } from './registry-context.ts';
import type { ServedResource } from './served-resource.ts';

/** Serves a resource that is not stored. The verb of the request is one that the resource has. */
export type VirtualResource = (
  context: RegistryContext,
  resource: ServedResource,
  call: ResourceContext,
) => Answer;

/** Handlers by `group/resource`, the group by its key in the names table: `authorization/subjectaccessreviews`. */
export type VirtualResources = Readonly<Record<string, VirtualResource>>;

export const virtualKey = ({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): string => `${group}/${resource}`;
