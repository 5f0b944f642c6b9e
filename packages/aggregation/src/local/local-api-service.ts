import type { APIService } from '@orch/kinds/apiregistration';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { InternalResource } from '@orch/registry';

/** The fields of a local API service about a group version that this server serves itself. */
export interface LocalGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

export const apiServiceName = ({ group, version }: Pick<LocalGroupVersion, 'group' | 'version'>): string =>
  `${version}.${group}`;

/** The API service of a group version of this server, in the hub version. `management` is the value of its label. */
export function localApiService(served: LocalGroupVersion, management: string, names: Names): APIService {
  const { group, version, groupPriorityMinimum, versionPriority } = served;
  return {
    kind: 'APIService',
    apiVersion: names.apiVersion('apiregistration', 'v1'),
    metadata: {
      name: apiServiceName(served),
      labels: { [names.labels.aggregatorAutomanaged]: management },
    },
    spec: { ...(group === '' ? {} : { group }), version, groupPriorityMinimum, versionPriority },
  };
}

/** Corrects the spec of a stored API service, as long as `isOwn` holds for it. */
export async function correctSpec(
  resource: InternalResource<APIService>,
  { wanted, isOwn }: { readonly wanted: APIService; readonly isOwn: (current: APIService) => boolean },
  signal: AbortSignal,
): Promise<void> {
  const { name = '' } = wanted.metadata;
  await resource.change(
    { namespace: '', name },
    (current) => {
      if (isOwn(current) && !jsonEquals(current.spec, wanted.spec))
        Object.assign(current, { spec: wanted.spec });
    },
    signal,
  );
}
