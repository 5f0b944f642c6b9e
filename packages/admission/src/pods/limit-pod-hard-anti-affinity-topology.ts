import type { Names } from '@orch/machinery';
import { podSpecOf } from '../shared/pods.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

/**
 * `LimitPodHardAntiAffinityTopology`: a required anti-affinity to other pods holds for single nodes only: with a zone as its
 * topology, one pod could exclude all others from the zone.
 */
export const limitPodHardAntiAffinityTopology = ({ names }: { readonly names: Names }): AdmissionPlugin => ({
  name: 'LimitPodHardAntiAffinityTopology',
  handles: writesOf('', 'pods', 'CREATE', 'UPDATE'),
  validate(write) {
    const terms =
      podSpecOf(write)?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const { hostname } = names.labels;
    return terms.every(({ topologyKey }) => topologyKey === hostname)
      ? undefined
      : `affinity.podAntiAffinity.requiredDuringScheduling has a topologyKey other than ${JSON.stringify(hostname)}`;
  },
});
