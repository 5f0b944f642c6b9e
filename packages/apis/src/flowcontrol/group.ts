import { chain } from '@orch/schema';
import { defineResource, statusSubresource, strategyOf } from '../define-resource.ts';
import type { KindVersion, ResourceType, Strategy } from '../resource-type.ts';
import { keepStatus, statusRules } from '../status-strategy.ts';
import { FlowSchema as FlowSchemaV1Beta2 } from './flow-schema/v1beta2.ts';
import { FlowSchema } from './flow-schema/v1beta3.ts';
import { validateFlowSchema } from './flow-schema/validation/spec.ts';
import {
  PriorityLevelConfiguration as PriorityLevelConfigurationV1Beta2,
  priorityLevelLens,
} from './priority-level-configuration/v1beta2.ts';
import { PriorityLevelConfiguration } from './priority-level-configuration/v1beta3.ts';
import { validatePriorityLevel } from './priority-level-configuration/validation.ts';
import { earlierPriorityLevelTable, flowSchemaTable, priorityLevelTable } from './shared/tables.ts';

/** Both kinds came and went together. */
const versions = (
  schema: KindVersion['schema'],
  older: Required<Pick<KindVersion, 'schema' | 'lens'>>,
): readonly KindVersion[] => [
  { version: 'v1beta3', schema, introduced: '1.26', deprecated: '1.29', removed: '1.32' },
  { version: 'v1beta2', ...older, introduced: '1.23', deprecated: '1.26', removed: '1.29' },
  { version: 'v1beta1', ...older, introduced: '1.20', deprecated: '1.23', removed: '1.26' },
  { version: 'v1alpha1', ...older, introduced: '1.18', deprecated: '1.20', removed: '1.21' },
];

const strategy = (validate: NonNullable<Strategy['validate']>): Strategy =>
  strategyOf({
    generation: 'spec',
    resetStatus: true,
    prepareForCreate(next) {
      next['status'] = {};
    },
    prepareForUpdate: keepStatus,
    validate,
    through: { status: statusRules() },
  });

export const flowSchemas: ResourceType = defineResource({
  group: 'flowcontrol',
  resource: 'flowschemas',
  kind: 'FlowSchema',
  namespaced: false,
  // The JSON never differed; the lens that does nothing says that the merging of conditions did.
  versions: versions(FlowSchema, { schema: FlowSchemaV1Beta2, lens: chain() }),
  table: flowSchemaTable,
  strategy: strategy(validateFlowSchema),
  subresources: [statusSubresource('FlowSchema', 'flowcontrol', 'v1beta3')],
});

export const priorityLevelConfigurations: ResourceType = defineResource({
  group: 'flowcontrol',
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  namespaced: false,
  versions: versions(PriorityLevelConfiguration, {
    schema: PriorityLevelConfigurationV1Beta2,
    lens: priorityLevelLens,
  }),
  table: priorityLevelTable,
  strategy: strategy(validatePriorityLevel),
  subresources: [statusSubresource('PriorityLevelConfiguration', 'flowcontrol', 'v1beta3')],
  earlier: [{ before: '1.26', change: { table: earlierPriorityLevelTable } }],
});

/** The resources of flow control, in discovery order. */
export const flowcontrolTypes: readonly ResourceType[] = [flowSchemas, priorityLevelConfigurations];
