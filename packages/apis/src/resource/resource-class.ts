import { f, struct } from '@orch/schema';
import { NodeSelector } from '../core/shared/selectors.ts';
import { defineResource, strategyOf } from '../define-resource.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import type { ResourceType } from '../resource-type.ts';
import { onlyRelease126 } from './shared/life.ts';
import { ResourceClassParametersReference } from './shared/references.ts';
import { resourceClassTable } from './shared/tables.ts';

export const ResourceClass = struct(
  'resource.v1alpha2.ResourceClass',
  'A kind of resource that can be claimed, and the driver that provides it.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    driverName: f.string(2, {
      doc: 'Driver that provides it, a domain name.',
      presence: 'always',
      required: true,
      format: 'csiDriverName',
    }),
    parametersRef: f.struct(3, ResourceClassParametersReference, {
      doc: 'Object with what the driver needs to know.',
      presence: 'pointer',
    }),
    suitableNodes: f.struct(4, NodeSelector, {
      doc: 'Nodes on which it can be used; all when absent.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);

export const resourceClasses: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclasses',
  kind: 'ResourceClass',
  namespaced: false,
  versions: [
    { version: 'v1alpha2', schema: ResourceClass, introduced: '1.27' },
    { version: 'v1alpha1', schema: ResourceClass, ...onlyRelease126 },
  ],
  table: resourceClassTable,
  strategy: strategyOf({ generation: 'none' }),
});
