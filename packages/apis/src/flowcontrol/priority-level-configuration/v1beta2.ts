import { f, type Lens, move, struct, within } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { conditionList, PriorityLevelConfigurationCondition } from '../shared/conditions.ts';
import { checkConditionTypes } from '../shared/conditions-validation.ts';
import { exemptField, LimitResponse, lendingFields } from './v1beta3.ts';
import { checkLevel } from './validation.ts';

export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol.v1beta2.LimitedPriorityLevelConfiguration',
  'How many requests of a level are served at the same time, and what happens to further ones.',
  {
    assuredConcurrencyShares: f.int32(1, {
      doc: 'Share of the seats of a server, in proportion to those of all other levels.',
      presence: 'always',
      openapiRequired: false,
      default: 30,
      min: 1,
    }),
    limitResponse: f.struct(2, LimitResponse, {
      doc: 'What happens to requests beyond the limit.',
      presence: 'always',
    }),
    ...lendingFields('1.26'),
  },
);

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol.v1beta2.PriorityLevelConfigurationSpec',
  'Whether and how requests of a level are limited.',
  {
    type: f.string(1, { doc: 'Exempt or Limited.', presence: 'always' }),
    limited: f.struct(2, LimitedPriorityLevelConfiguration, {
      doc: 'The limits, for Limited.',
      presence: 'pointer',
      validatedIf: ({ type }) => type === 'Limited',
    }),
    exempt: exemptField,
  },
  {
    checks: [checkLevel],
    unions: [{ discriminator: 'type', fields: { limited: 'Limited', exempt: 'Exempt' } }],
  },
);

export const PriorityLevelConfigurationStatus = struct(
  'flowcontrol.v1beta2.PriorityLevelConfigurationStatus',
  'Observed state of a priority level.',
  {
    conditions: f.list(1, PriorityLevelConfigurationCondition, {
      doc: 'Aspects of its state, by type.',
      ...conditionList,
    }),
  },
  { checks: [checkConditionTypes] },
);

/** Earlier versions are the same. */
export const PriorityLevelConfiguration = struct(
  'flowcontrol.v1beta2.PriorityLevelConfiguration',
  'A priority with which requests are served.',
  {
    metadata: metadataField,
    spec: specField(PriorityLevelConfigurationSpec),
    status: statusField(PriorityLevelConfigurationStatus),
  },
  { typeMeta: true },
);

/** Shares were called assured before levels could lend them. */
export const priorityLevelLens: Lens = within(
  'spec.limited',
  move('assuredConcurrencyShares', 'nominalConcurrencyShares'),
);
