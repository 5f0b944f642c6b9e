import { f, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { FlowSchemaStatus } from '../shared/conditions.ts';
import { PolicyRulesWithSubjects } from './policy-rules.ts';
import { checkPrecedence } from './validation/spec.ts';

const PriorityLevelConfigurationReference = struct(
  'flowcontrol.v1beta3.PriorityLevelConfigurationReference',
  'Names a priority level.',
  {
    name: f.string(1, {
      doc: 'Name of the priority level.',
      presence: 'always',
      required: true,
      format: 'dns1123subdomain',
    }),
  },
);

const FlowDistinguisherMethod = struct(
  'flowcontrol.v1beta3.FlowDistinguisherMethod',
  'How requests of one schema are divided into flows that share fairly.',
  {
    type: f.string(1, {
      doc: 'ByUser or ByNamespace.',
      presence: 'always',
    }),
  },
);

export const FlowSchemaSpec = struct(
  'flowcontrol.v1beta3.FlowSchemaSpec',
  'Requests of the schema, and how they are classified.',
  {
    priorityLevelConfiguration: f.struct(1, PriorityLevelConfigurationReference, {
      doc: 'Priority level of the requests.',
      presence: 'always',
      openapiRequired: true,
    }),
    matchingPrecedence: f.int32(2, {
      doc: 'Of the schemas that match a request, the one with the lowest value is used; from 1 to 10000.',
      presence: 'always',
      openapiRequired: false,
      default: 1000,
      min: 1,
      max: 10_000,
    }),
    distinguisherMethod: f.struct(3, FlowDistinguisherMethod, {
      doc: 'How the requests are divided into flows; all are one flow when absent.',
      presence: 'pointer',
    }),
    rules: f.list(4, PolicyRulesWithSubjects, {
      doc: 'Requests of the schema: those that match any of these; none when empty.',
      listType: 'atomic',
    }),
  },
  { checks: [checkPrecedence] },
);

export const FlowSchema = struct(
  'flowcontrol.v1beta3.FlowSchema',
  'Assigns requests to flows and priority levels.',
  {
    metadata: metadataField,
    spec: specField(FlowSchemaSpec, { openapiRequired: { since: '1.37', is: true } }),
    status: statusField(FlowSchemaStatus),
  },
  { typeMeta: true },
);
