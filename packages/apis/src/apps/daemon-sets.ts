import { defineResource, statusSubresource } from '../define-resource.ts';
import { DaemonSet as ExtensionsDaemonSet } from '../extensions/v1beta1/daemon-set.ts';
import { daemonSetLens } from '../extensions/v1beta1/daemon-set-lens.ts';
import type { ResourceType } from '../resource-type.ts';
import { appsV1Beta2, extensionsV1Beta1 } from './older-versions.ts';
import { DaemonSet } from './v1/daemon-set.ts';
import { daemonSetStrategy } from './v1/strategy/daemon-set.ts';
import { daemonSetTable } from './v1/tables/workloads.ts';

export const daemonSets: ResourceType = defineResource({
  group: 'apps',
  resource: 'daemonsets',
  kind: 'DaemonSet',
  namespaced: true,
  shortNames: ['ds'],
  categories: ['all'],
  versions: [
    { version: 'v1', schema: DaemonSet, introduced: '1.9' },
    appsV1Beta2({ schema: DaemonSet }),
    extensionsV1Beta1({ schema: ExtensionsDaemonSet, lens: daemonSetLens }, '1.1'),
  ],
  table: daemonSetTable,
  strategy: daemonSetStrategy,
  subresources: [statusSubresource('DaemonSet', 'apps')],
});
