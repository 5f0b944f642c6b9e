import type { GroupDeclaration } from '../group-declaration.ts';
import { podSchedulings } from './classic/pod-scheduling.ts';
import { podSchedulingContexts } from './classic/pod-scheduling-context.ts';
import { classicResourceClaims } from './classic/resource-claim/index.ts';
import { resourceClaimParameters } from './classic/resource-claim-parameters.ts';
import { classicResourceClaimTemplates } from './classic/resource-claim-template.ts';
import { resourceClasses } from './classic/resource-class.ts';
import { resourceClassParameters } from './classic/resource-class-parameters.ts';
import { classicResourceSlices } from './classic/resource-slice.ts';
import { deviceClasses } from './device-class/index.ts';
import { deviceTaintRules } from './device-taint-rule/index.ts';
import { resourceClaims } from './resource-claim/index.ts';
import { resourceClaimTemplates } from './resource-claim-template/index.ts';
import { resourcePoolStatusRequests } from './resource-pool-status-request/index.ts';
import { resourceSlices } from './resource-slice/index.ts';

export const resourceGroup: GroupDeclaration = {
  key: 'resource',
  priority: 16_200,
  versionPriorities: { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1, v1alpha1: 9, v1alpha2: 9 },
  types: [
    deviceClasses,
    deviceTaintRules,
    podSchedulingContexts,
    podSchedulings,
    classicResourceClaims,
    resourceClaimParameters,
    resourceClaims,
    classicResourceClaimTemplates,
    resourceClaimTemplates,
    resourceClasses,
    resourceClassParameters,
    resourcePoolStatusRequests,
    classicResourceSlices,
    resourceSlices,
  ],
};
