import type * as core from '@orch/kinds/core';
import { defineResource, proxySubresource, statusSubresource } from '../../define-resource.ts';
import { fieldReader } from '../../field-reader.ts';
import type { ResourceType } from '../../resource-type.ts';
import { nodeStrategy } from './strategy.ts';
import { nodeTable } from './table.ts';
import { Node } from './v1.ts';

export { NodeProxyOptions } from './options.ts';

export const nodes: ResourceType = defineResource({
  group: '',
  resource: 'nodes',
  kind: 'Node',
  namespaced: false,
  shortNames: ['no'],
  versions: [{ version: 'v1', schema: Node }],
  table: nodeTable,
  strategy: nodeStrategy,
  subresources: [proxySubresource('NodeProxyOptions'), statusSubresource('Node')],
  fields: {
    'spec.unschedulable': fieldReader<core.Node>(['spec.unschedulable'], (object) =>
      String(object.spec?.unschedulable === true),
    ),
  },
});
