import type { Subresource } from '@orch/apis';
import type { Reply, ResourceContext } from '@orch/request';
import type { CoreObjects } from './core-objects.ts';

/** Serves subresources that lead through this server to something outside. */
export interface Connector {
  /** `kind` is that of the resource: `Pod`, `Service` or `Node`. Rejects with an `ApiError`. */
  connect(
    objects: CoreObjects,
    kind: string,
    subresource: Subresource,
    call: Pick<ResourceContext, 'info' | 'request'>,
  ): Promise<Reply>;
}
