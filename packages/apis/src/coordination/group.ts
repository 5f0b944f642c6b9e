import type { GroupDeclaration } from '../group-declaration.ts';
import { leases } from './lease/index.ts';
import { leaseCandidates } from './lease-candidate/index.ts';

export const coordinationGroup: GroupDeclaration = {
  key: 'coordination',
  priority: 16_500,
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha2: 12, v1alpha1: 9 },
  returnedVersions: { v1beta1: { since: '1.33', priority: 13 } },
  types: [leaseCandidates, leases],
};
