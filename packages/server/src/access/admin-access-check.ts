import { atLeast, type Release } from '@orch/apis';
import type { ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate } from '@orch/kinds/resource';
import { type ApiObject, errors, fieldError, type Names } from '@orch/machinery';
import type { HookedWrite, ServerContext, WriteHooks } from '@orch/registry';

export interface AdminAccessCheckOptions {
  readonly names: Names;
  readonly release: Release;
  readonly objects: () => ServerContext['objects'];
}

/** The first release whose namespaces permit administrative access to devices. */
const SINCE: Release = '1.33';

/** The path of the request for administrative access in a new object, or in the first allocation of one. */
type RequestedAccess = (write: {
  readonly next: ApiObject;
  readonly old: ApiObject | undefined;
}) => string | undefined;

const requestedBy: Readonly<Record<string, RequestedAccess>> = {
  resourceclaims: ({ next, old }) =>
    old === undefined ? requestedIn((next as ResourceClaim).spec) : allocatedIn(next, old),
  resourceclaimtemplates: ({ next, old }) =>
    old === undefined ? requestedIn((next as ResourceClaimTemplate).spec?.spec) : undefined,
};

/**
 * Administrative access to devices, which others may be using: claims request or get it only in namespaces that an administrator has
 * labelled. Undefined for other kinds.
 */
export function adminAccessCheck(
  { group, resource }: { readonly group: string; readonly resource: string },
  { names, release, objects }: AdminAccessCheckOptions,
): WriteHooks | undefined {
  const requested = group === 'resource' ? requestedBy[resource] : undefined;
  if (requested === undefined || !atLeast(release, SINCE)) return undefined;
  const label = names.labels.deviceAdminAccess;
  return {
    onlyRefuses: true,
    async begin({ next, old, signal }: HookedWrite): Promise<undefined> {
      const path = next === undefined ? undefined : requested({ next, old });
      if (next === undefined || path === undefined) return undefined;
      const { name = '', namespace = '' } = next.metadata;
      const namespaces = objects().resource('', 'namespaces');
      const isPermitted = (): boolean =>
        namespaces?.cached({ namespace: '', name: namespace })?.metadata.labels?.[label] === 'true';
      if (isPermitted()) return undefined;
      // The cache may lag behind a label that was set a moment ago.
      await namespaces?.cache.waitFresh({ kind: 'mostRecent' }, signal);
      if (isPermitted()) return undefined;
      throw errors.invalid(
        {
          group: names.group(group),
          kind: resource === 'resourceclaims' ? 'ResourceClaim' : 'ResourceClaimTemplate',
          name,
        },
        [
          fieldError.forbidden(
            path,
            `administrative access to devices requires the label ${label}: true on the namespace`,
          ),
        ],
      );
    },
  };
}

function requestedIn(spec: ResourceClaimSpec | undefined): string | undefined {
  const at = (spec?.devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true);
  return at < 0 ? undefined : `spec.devices.requests[${at}].adminAccess`;
}

/** An allocation does not change, so one that has the access already is not checked again. */
function allocatedIn(next: ApiObject, old: ApiObject): string | undefined {
  const grantedAt = ({ status }: ResourceClaim): number =>
    (status?.allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
  const at = grantedAt(next as ResourceClaim);
  return at < 0 || grantedAt(old as ResourceClaim) >= 0
    ? undefined
    : `status.allocation.devices.results[${at}].adminAccess`;
}
