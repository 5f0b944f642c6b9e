import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { appsV1Beta2, extensionsV1Beta1 } from '../shared/older-versions.ts';
import { daemonSetLens } from './extensions-v1beta1.lens.ts';
import { DaemonSet as ExtensionsDaemonSet } from './extensions-v1beta1.ts';
import { daemonSetStrategy } from './strategy.ts';
import { daemonSetTable } from './table.ts';
import { DaemonSet } from './v1.ts';

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
