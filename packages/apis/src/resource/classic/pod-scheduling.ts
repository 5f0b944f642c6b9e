import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { onlyRelease126 } from './shared/life.ts';
import { common, podSchedulingOf } from './shared/pod-scheduling.ts';

export const PodScheduling = podSchedulingOf('v1alpha1', 'PodScheduling');

export const podSchedulings: ResourceType = defineResource({
  ...common,
  resource: 'podschedulings',
  kind: 'PodScheduling',
  versions: [
    {
      version: 'v1alpha1',
      schema: PodScheduling,
      ...onlyRelease126,
      replacement: { group: 'resource', version: 'v1alpha2', kind: 'PodSchedulingContext' },
    },
  ],
  subresources: [statusSubresource('PodScheduling', 'resource', 'v1alpha1')],
});
