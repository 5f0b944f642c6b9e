import { chain } from '@orch/schema';
import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { strategy, versions } from '../shared/define.ts';
import { flowSchemaTable } from './table.ts';
import { FlowSchema as FlowSchemaV1Beta2 } from './v1beta2.ts';
import { FlowSchema } from './v1beta3.ts';
import { validateFlowSchema } from './validation/spec.ts';

export const flowSchemas: ResourceType = defineResource({
  group: 'flowcontrol',
  resource: 'flowschemas',
  kind: 'FlowSchema',
  namespaced: false,
  // The JSON is the same in all versions, but conditions are merged differently, so the lens is empty.
  versions: versions('FlowSchema', {
    v1beta3: FlowSchema,
    v1: FlowSchema,
    older: { schema: FlowSchemaV1Beta2, lens: chain() },
  }),
  table: flowSchemaTable,
  strategy: strategy(validateFlowSchema),
  subresources: [statusSubresource('FlowSchema', 'flowcontrol', 'v1beta3')],
});
