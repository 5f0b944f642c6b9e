import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { common, podSchedulingOf } from './shared/pod-scheduling.ts';

export const PodSchedulingContext = podSchedulingOf('v1alpha3', 'PodSchedulingContext');

/** The current resource of `podSchedulings`, which were renamed in the second version. */
export const podSchedulingContexts: ResourceType = defineResource({
  ...common,
  resource: 'podschedulingcontexts',
  kind: 'PodSchedulingContext',
  versions: [
    { version: 'v1alpha3', schema: PodSchedulingContext, introduced: '1.31', removed: '1.32' },
    { version: 'v1alpha2', schema: PodSchedulingContext, introduced: '1.27', removed: '1.31' },
  ],
  subresources: [statusSubresource('PodSchedulingContext', 'resource', 'v1alpha3')],
});
