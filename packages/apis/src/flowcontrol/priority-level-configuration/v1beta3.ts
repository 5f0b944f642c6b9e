import { f, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { PriorityLevelConfigurationStatus } from '../shared/conditions.ts';
import { checkLevel, checkQueuing, checkResponse } from './validation.ts';

const QueuingConfiguration = struct(
  'flowcontrol.v1beta3.QueuingConfiguration',
  'How requests wait.',
  {
    queues: f.int32(1, {
      doc: 'Number of queues. With one, all requests wait in the order in which they came.',
      presence: 'always',
      openapiRequired: false,
      default: 64,
      min: 1,
      max: 10_000_000,
    }),
    handSize: f.int32(2, {
      doc: 'Number of queues of a flow, of which each request joins the shortest: few isolate heavy flows, many balance the load.',
      presence: 'always',
      openapiRequired: false,
      default: 8,
      min: 1,
    }),
    queueLengthLimit: f.int32(3, {
      doc: 'Maximum number of requests that wait in one queue.',
      presence: 'always',
      openapiRequired: false,
      default: 50,
      min: 1,
    }),
  },
  { checks: [checkQueuing] },
);

export const LimitResponse = struct(
  'flowcontrol.v1beta3.LimitResponse',
  'What happens to requests that cannot be served immediately.',
  {
    type: f.string(1, { doc: 'Queue or Reject.', presence: 'always' }),
    queuing: f.struct(2, QueuingConfiguration, {
      doc: 'How they wait, for Queue.',
      presence: 'pointer',
      validatedIf: ({ type }) => type === 'Queue',
    }),
  },
  {
    checks: [checkResponse],
    unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }],
  },
);

/** Fields introduced with lending between priority levels. */
export const lendingFields = (since: string | undefined) => {
  const release = since === undefined ? {} : { since };
  return {
    lendablePercent: f.int32(3, {
      doc: 'Part of its seats that other levels may borrow, in percent.',
      presence: 'pointer',
      default: 0,
      min: 0,
      max: 100,
      ...release,
    }),
    borrowingLimitPercent: f.int32(4, {
      doc: 'How many seats it may borrow, in percent of its nominal seats; no bound when absent.',
      presence: 'pointer',
      min: 0,
      ...release,
    }),
  } as const;
};

export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol.v1beta3.LimitedPriorityLevelConfiguration',
  'How many requests of a level are served at the same time, and what happens to further ones.',
  {
    nominalConcurrencyShares: f.int32(1, {
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
    ...lendingFields(undefined),
  },
);

const ExemptPriorityLevelConfiguration = struct(
  'flowcontrol.v1beta3.ExemptPriorityLevelConfiguration',
  'Seats of a level whose requests are not limited.',
  {
    nominalConcurrencyShares: f.int32(1, {
      doc: 'Share of the seats of a server, in proportion to those of all other levels.',
      presence: 'pointer',
      default: 0,
      min: 0,
    }),
    lendablePercent: f.int32(2, {
      doc: 'Part of its seats that other levels may borrow, in percent.',
      presence: 'pointer',
      default: 0,
      min: 0,
      max: 100,
    }),
  },
);

/** The field of exempt levels, which came with release 1.28. */
export const exemptField = f.struct(3, ExemptPriorityLevelConfiguration, {
  doc: 'The seats, for Exempt.',
  presence: 'pointer',
  validatedIf: ({ type }) => type === 'Exempt',
  since: '1.28',
});

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol.v1beta3.PriorityLevelConfigurationSpec',
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
  'flowcontrol.v1beta3.PriorityLevelConfiguration',
  'A priority with which requests are served.',
  {
    metadata: metadataField,
    spec: specField(PriorityLevelConfigurationSpec),
    status: statusField(PriorityLevelConfigurationStatus),
  },
  { typeMeta: true },
);
