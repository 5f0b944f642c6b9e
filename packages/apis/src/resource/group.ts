import type { ResourceType } from '../resource-type.ts';
import { podSchedulingContexts, podSchedulings } from './pod-scheduling-context/index.ts';
import { resourceClaims } from './resource-claim/index.ts';
import { resourceClaimTemplates } from './resource-claim-template.ts';
import { resourceClasses } from './resource-class.ts';

export const resourceTypes: readonly ResourceType[] = [
  podSchedulingContexts,
  podSchedulings,
  resourceClaims,
  resourceClaimTemplates,
  resourceClasses,
];
