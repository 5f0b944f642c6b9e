import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
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
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    spec: f.struct(2, FlowSchemaSpec, { doc: 'Desired state of the object.', presence: 'always' }),
    status: f.struct(3, FlowSchemaStatus, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
