import { f, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { conditionList, FlowSchemaCondition } from '../shared/conditions.ts';
import { checkConditionTypes } from '../shared/conditions-validation.ts';
import { FlowSchemaSpec } from './v1beta3.ts';

/** A strategic merge patch replaces all conditions; later versions merge them by type. */
export const FlowSchemaStatus = struct(
  'flowcontrol.v1beta2.FlowSchemaStatus',
  'Observed state of a flow schema.',
  {
    conditions: f.list(1, FlowSchemaCondition, { doc: 'Aspects of its state, by type.', ...conditionList }),
  },
  { checks: [checkConditionTypes] },
);

/** Earlier versions are the same. */
export const FlowSchema = struct(
  'flowcontrol.v1beta2.FlowSchema',
  'Assigns requests to flows and priority levels.',
  {
    metadata: metadataField,
    spec: specField(FlowSchemaSpec),
    status: statusField(FlowSchemaStatus),
  },
  { typeMeta: true },
);
