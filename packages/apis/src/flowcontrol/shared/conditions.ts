import { f, struct } from '@orch/schema';
import { checkConditionTypes } from './conditions-validation.ts';

const conditionFields = {
  type: f.string(1, { doc: 'Type of the condition.', openapiRequired: { since: '1.37', is: true } }),
  status: f.string(2, { doc: 'Whether it holds: True, False or Unknown.' }),
  lastTransitionTime: f.time(3, {
    doc: 'When the status last changed from one value to another.',
    presence: 'always',
  }),
  reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
  message: f.string(5, { doc: 'Human-readable details.' }),
};

export const FlowSchemaCondition = struct(
  'flowcontrol.v1beta3.FlowSchemaCondition',
  'One aspect of the state of a flow schema.',
  conditionFields,
);

export const PriorityLevelConfigurationCondition = struct(
  'flowcontrol.v1beta3.PriorityLevelConfigurationCondition',
  'One aspect of the state of a priority level.',
  conditionFields,
);

/** The merge rules of lists of conditions, by type. */
export const conditionList = { listType: 'map', mapKeys: ['type'] } as const;

export const FlowSchemaStatus = struct(
  'flowcontrol.v1beta3.FlowSchemaStatus',
  'Observed state of a flow schema.',
  {
    conditions: f.list(1, FlowSchemaCondition, {
      doc: 'Aspects of its state, by type.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
      ...conditionList,
    }),
  },
  { checks: [checkConditionTypes] },
);

export const PriorityLevelConfigurationStatus = struct(
  'flowcontrol.v1beta3.PriorityLevelConfigurationStatus',
  'Observed state of a priority level.',
  {
    conditions: f.list(1, PriorityLevelConfigurationCondition, {
      doc: 'Aspects of its state, by type.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
      ...conditionList,
    }),
  },
  { checks: [checkConditionTypes] },
);
