import { podReferences } from '@orch/auth';
import type { Pod } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import type { Refusal } from '../types.ts';

/** Reports whether the pod represents a static pod of a node, which the server never changes. */
export const isMirrorPod = ({ metadata }: Pod, { annotations }: Names): boolean =>
  metadata.annotations?.[annotations.configMirror] !== undefined;

/** A mirror pod must not make an account or secrets readable for its node. */
export function refusedMirrorPod(pod: Pod): Refusal | undefined {
  const { serviceAccountName = '', volumes = [] } = pod.spec ?? {};
  if (serviceAccountName !== '') return 'a mirror pod may not reference service accounts';
  if (podReferences(pod).some((reference) => reference.startsWith('secrets/')))
    return 'a mirror pod may not reference secrets';
  const hasToken = volumes.some((volume) =>
    (volume.projected?.sources ?? []).some((source) => source.serviceAccountToken !== undefined),
  );
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}
