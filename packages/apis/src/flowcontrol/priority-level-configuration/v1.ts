import { f, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { PriorityLevelConfigurationStatus } from '../shared/conditions.ts';
import { exemptField, LimitResponse, lendingFields } from './v1beta3.ts';
import { checkLevel } from './validation.ts';

/** A level may have no share of the seats: 0 differs from an absent value. */
export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol.v1.LimitedPriorityLevelConfiguration',
  'How many requests of a level are served at the same time, and what happens to further ones.',
  {
    nominalConcurrencyShares: f.int32(1, {
      doc: 'Share of the seats of a server, in proportion to those of all other levels.',
      presence: 'always',
      nullable: true,
      openapiRequired: false,
      default: 30,
      min: 0,
    }),
    limitResponse: f.struct(2, LimitResponse, {
      doc: 'What happens to requests beyond the limit.',
      presence: 'always',
      openapiRequired: { since: '1.37', is: true },
    }),
    ...lendingFields(undefined),
  },
);

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol.v1.PriorityLevelConfigurationSpec',
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

export const PriorityLevelConfiguration = struct(
  'flowcontrol.v1.PriorityLevelConfiguration',
  'A priority with which requests are served.',
  {
    metadata: metadataField,
    spec: specField(PriorityLevelConfigurationSpec, { openapiRequired: { since: '1.37', is: true } }),
    status: statusField(PriorityLevelConfigurationStatus),
  },
  { typeMeta: true },
);
