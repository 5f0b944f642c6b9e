import type { Names } from '@orch/machinery';
import { finalizerPlugin } from '../shared/added-finalizer.ts';
import type { AdmissionPlugin } from '../types.ts';

export interface PodGroupProtectionParts {
  readonly names: Names;
  /** Whether new groups get the finalizer. */
  readonly protectsPodGroups: boolean;
}

/** `PodGroupProtection`: new PodGroups get a finalizer that keeps them while active pods name them. */
export const podGroupProtection = ({ names, protectsPodGroups }: PodGroupProtectionParts): AdmissionPlugin =>
  finalizerPlugin('PodGroupProtection', ({ group, resource }) =>
    protectsPodGroups && group === 'scheduling' && resource === 'podgroups'
      ? names.finalizers.podGroupProtection
      : undefined,
  );
