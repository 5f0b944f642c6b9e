import type { Subresource } from '@orch/apis';
import type { Reply, ResourceContext } from '@orch/request';
import type { CoreObjects } from './core-objects.ts';

/** The target of a connection: as requested, unless admission plugins changed its options. */
export interface ConnectTarget {
  readonly rawQuery: string;
  /** The path below `proxy`, with its leading slash and not decoded. */
  readonly rest: string;
}

/** Serves subresources that connect to nodes, pods and services. */
export interface Connector {
  /** `kind` is that of the resource: `Pod`, `Service` or `Node`. Rejects with an `ApiError`. */
  connect(
    objects: CoreObjects,
    kind: string,
    subresource: Subresource,
    call: Pick<ResourceContext, 'info' | 'request'> & { readonly target: ConnectTarget },
  ): Promise<Reply>;
}
