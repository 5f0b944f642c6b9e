import type { ResourceType } from '../resource-type.ts';
import { podSchedulings } from './pod-scheduling.ts';
import { podSchedulingContexts } from './pod-scheduling-context.ts';
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
