import type { Toleration } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import { podSpecOf } from '../shared/pods.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

/** Prefix of quota resources, which are not resources of nodes. */
const QUOTA_PREFIX = 'requests.';

/**
 * `ExtendedResourceToleration`: nodes with special devices are reserved by taints that are named after the resource; pods
 * that request the resource tolerate them.
 */
export function extendedResourceToleration({ names }: { readonly names: Names }): AdmissionPlugin {
  const isExtended = (resource: string): boolean =>
    resource.includes('/') &&
    !resource.startsWith(names.labelPrefixes.domain) &&
    !resource.startsWith(QUOTA_PREFIX);
  return {
    name: 'ExtendedResourceToleration',
    handles: writesOf('', 'pods', 'CREATE', 'UPDATE'),
    mutate(write) {
      const spec = podSpecOf(write);
      if (spec === undefined) return undefined;
      const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
      const requested = containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {}));
      const present = spec.tolerations ?? [];
      const tolerated = new Set(present.filter(toleratesAll).map(({ key }) => key));
      const added = [...new Set(requested.filter(isExtended))]
        .toSorted()
        .filter((key) => !tolerated.has(key))
        .map((key) => ({ key, operator: 'Exists' }));
      if (added.length > 0) spec.tolerations = [...present, ...added];
      return undefined;
    },
  };
}

/** Reports whether a toleration is for all values and effects of its key. */
const toleratesAll = ({ operator, effect = '' }: Toleration): boolean =>
  operator === 'Exists' && effect === '';
