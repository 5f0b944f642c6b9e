import type { GroupDeclaration } from '../group-declaration.ts';
import { podSchedulings } from './pod-scheduling.ts';
import { podSchedulingContexts } from './pod-scheduling-context.ts';
import { resourceClaims } from './resource-claim/index.ts';
import { resourceClaimTemplates } from './resource-claim-template.ts';
import { resourceClasses } from './resource-class.ts';

export const resourceGroup: GroupDeclaration = {
  key: 'resource',
  priority: 15_900,
  versionPriorities: { v1alpha1: 9, v1alpha2: 9 },
  types: [podSchedulingContexts, podSchedulings, resourceClaims, resourceClaimTemplates, resourceClasses],
};
