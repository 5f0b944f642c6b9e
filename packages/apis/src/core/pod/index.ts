import type * as core from '@orch/kinds/core';
import { defineResource, proxySubresource, statusSubresource } from '../../define-resource.ts';
import { fieldReader, textField } from '../../field-reader.ts';
import type { ResourceType, Subresource } from '../../resource-type.ts';
import { earlierPodStrategies, podStrategy } from './strategy.ts';
import { podTable, podTableWithCount } from './table.ts';
import { Pod } from './v1.ts';

export {
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
} from './options.ts';

export { qosClassOf } from './qos-class.ts';

const options = (kind: string) => ({ group: '', version: 'v1', kind }) as const;

const subresources: readonly Subresource[] = [
  { name: 'attach', kind: options('PodAttachOptions'), verbs: ['create', 'get'], behaviour: 'stream' },
  { name: 'binding', kind: options('Binding'), verbs: ['create'], behaviour: 'binding' },
  {
    name: 'ephemeralcontainers',
    kind: options('Pod'),
    verbs: ['get', 'patch', 'update'],
    behaviour: 'ephemeralcontainers',
    introduced: '1.23',
  },
  {
    name: 'eviction',
    kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    accepts: [{ group: 'policy', version: 'v1beta1', kind: 'Eviction' }],
    verbs: ['create'],
    behaviour: 'eviction',
  },
  { name: 'exec', kind: options('PodExecOptions'), verbs: ['create', 'get'], behaviour: 'stream' },
  { name: 'log', kind: options('Pod'), verbs: ['get'], behaviour: 'log' },
  {
    name: 'portforward',
    kind: options('PodPortForwardOptions'),
    verbs: ['create', 'get'],
    behaviour: 'stream',
  },
  proxySubresource('PodProxyOptions'),
  {
    name: 'resize',
    kind: options('Pod'),
    verbs: ['get', 'patch', 'update'],
    behaviour: 'resize',
    introduced: '1.32',
    gate: 'InPlacePodVerticalScaling',
  },
  statusSubresource('Pod'),
];

/** Until release 1.21, evictions were of the older version. */
const olderSubresources: readonly Subresource[] = subresources.map(({ accepts, ...one }) =>
  one.name === 'eviction' ? { ...one, kind: { ...one.kind, version: 'v1beta1' } } : one,
);

/** The selectable fields before release 1.28. */
const earlierFields = {
  'spec.nodeName': textField('spec.nodeName'),
  'spec.host': textField('spec.nodeName'),
  'spec.restartPolicy': textField('spec.restartPolicy'),
  'spec.schedulerName': textField('spec.schedulerName'),
  'spec.serviceAccountName': textField('spec.serviceAccountName'),
  'status.phase': textField('status.phase'),
  'status.podIP': textField('status.podIP'),
  'status.podIPs': fieldReader<core.Pod>(['status.podIPs'], (object) =>
    (object.status?.podIPs ?? []).map((address) => address.ip ?? '').join(','),
  ),
  'status.nominatedNodeName': textField('status.nominatedNodeName'),
};

export const pods: ResourceType = defineResource({
  group: '',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  shortNames: ['po'],
  categories: ['all'],
  versions: [{ version: 'v1', schema: Pod }],
  table: podTable,
  strategy: podStrategy,
  subresources,
  fields: {
    ...earlierFields,
    'spec.hostNetwork': fieldReader<core.Pod>(['spec.hostNetwork'], (object) =>
      String(object.spec?.hostNetwork === true),
    ),
  },
  indexedFields: ['spec.nodeName'],
  distinctFields: ['status.podIP', 'status.podIPs'],
  earlier: [
    ...Object.entries(earlierPodStrategies).map(([before, strategy]) => ({ before, change: { strategy } })),
    { before: '1.28', change: { fields: earlierFields } },
    { before: '1.22', change: { table: podTableWithCount, subresources: olderSubresources } },
  ],
});
