import type { Answer, ResourceContext } from '@orch/request';
import type { ServedResource } from '../resource/served-resource.ts';
import type { LocalPrograms } from './local-programs.ts';
import type { RequestPath, WritePath } from './paths.ts';

/** The context for serving a resource that is not stored. */
export interface VirtualPath extends RequestPath, WritePath {
  /** Programs of this process, for the status of components. */
  readonly localPrograms: LocalPrograms;
}

/** Serves a resource that is not stored. The verb of the request is one that the resource has. */
export type VirtualResource = (path: VirtualPath, resource: ServedResource, call: ResourceContext) => Answer;

/** Handlers by `group/resource`, the group by its key in the names table: `authorization/subjectaccessreviews`. */
export type VirtualResources = Readonly<Record<string, VirtualResource>>;

export const virtualKey = ({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): string => `${group}/${resource}`;
