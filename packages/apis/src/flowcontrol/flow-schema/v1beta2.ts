import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { conditionList, FlowSchemaCondition } from '../shared/conditions.ts';
import { checkConditionTypes } from '../shared/conditions-validation.ts';
import { FlowSchemaSpec } from './v1beta3.ts';

/** A strategic merge patch replaces all conditions; later versions merge them by type. */
export const FlowSchemaStatus = struct(
  'flowcontrol.v1beta2.FlowSchemaStatus',
  'How a flow schema does.',
  {
    conditions: f.list(1, FlowSchemaCondition, { doc: 'Aspects of its state, by type.', ...conditionList }),
  },
  { checks: [checkConditionTypes] },
);

/** Earlier versions are the same. */
export const FlowSchema = struct(
  'flowcontrol.v1beta2.FlowSchema',
  'Puts requests into flows and says with which priority they are served.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, FlowSchemaSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, FlowSchemaStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
