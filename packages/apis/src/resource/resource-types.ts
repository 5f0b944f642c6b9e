import type { ResourceType } from '../resource-type.ts';
import { podSchedulingContexts, podSchedulings } from './v1alpha2/pod-scheduling-context.ts';
import { resourceClaims } from './v1alpha2/resource-claim.ts';
import { resourceClaimTemplates } from './v1alpha2/resource-claim-template.ts';
import { resourceClasses } from './v1alpha2/resource-class.ts';

export const resourceTypes: readonly ResourceType[] = [
  podSchedulingContexts,
  podSchedulings,
  resourceClaims,
  resourceClaimTemplates,
  resourceClasses,
];
