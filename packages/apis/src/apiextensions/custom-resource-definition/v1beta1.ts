import type * as apiextensions from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { type Check, f, items, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { columnOf, definitionPartsOf, definitionVersionOf } from './definition-parts.ts';
import { hoistIdentical, topLevelFields } from './v1beta1.top-level.ts';

const parts = definitionPartsOf('v1beta1');
const column = columnOf('v1beta1', 'JSONPath');

const CustomResourceConversionV1Beta1 = struct(
  'apiextensions.v1beta1.CustomResourceConversion',
  'Strategy of conversion, and the webhook that it calls.',
  {
    strategy: f.string(1, {
      doc: 'None changes the apiVersion only; Webhook calls a webhook.',
      presence: 'always',
      required: true,
      enum: ['None', 'Webhook'],
    }),
    webhookClientConfig: f.struct(2, parts.clientConfig, {
      doc: 'How to reach the webhook, where the strategy is Webhook.',
      presence: 'pointer',
    }),
    conversionReviewVersions: f.list(3, items.string, {
      doc: 'Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent.',
      default: ({ strategy }: apiextensions.CustomResourceConversionV1beta1) =>
        strategy === 'Webhook' ? ['v1beta1'] : undefined,
    }),
  },
);

/** Versions named only by the older field. */
type SpecV1beta1 = apiextensions.CustomResourceDefinitionSpecV1beta1;

const versionsFromVersion = ({ version }: SpecV1beta1): SpecV1beta1['versions'] =>
  version ? [{ name: version, served: true, storage: true }] : undefined;

const firstVersion = ({ versions }: SpecV1beta1): string | undefined => versions?.[0]?.name;

/** Checks that fields set for all versions are not set again for one. */
const checkTopLevel: Check<SpecV1beta1> = (spec, { path }) => {
  const versions = spec.versions ?? [];
  return topLevelFields.flatMap(({ top, own }): readonly FieldError[] => {
    if (spec[top] === undefined || versions.every((version) => version[own] === undefined)) return [];
    const why = `top-level and per-version ${own} are mutually exclusive`;
    return [fieldError.forbidden(`${path}.${top}`, why)];
  });
};

/** The field `version` for older clients equals the name of the first version in the list. */
const checkVersion: Check<SpecV1beta1> = ({ version, versions }, { path }) => {
  const [first] = versions ?? [];
  return first === undefined || (version ?? '') === '' || jsonEquals(first.name, version)
    ? []
    : [fieldError.invalid(`${path}.version`, version, 'must match the first version in spec.versions')];
};

const CustomResourceDefinitionSpecV1Beta1 = struct(
  'apiextensions.v1beta1.CustomResourceDefinitionSpec',
  'Names and versions of a custom resource.',
  {
    group: f.string(1, {
      doc: 'Group of the resource, a domain name. It cannot change later.',
      presence: 'always',
    }),
    version: f.string(2, {
      doc: 'The first version. Use versions instead.',
      default: firstVersion,
      deprecated: 'Use versions.',
    }),
    names: f.struct(3, parts.names, {
      doc: 'Names of the resource.',
      presence: 'always',
      openapiRequired: true,
    }),
    scope: f.string(4, {
      doc: 'Whether its objects are in namespaces: Namespaced or Cluster.',
      presence: 'always',
      default: 'Namespaced',
      enum: ['Cluster', 'Namespaced'],
    }),
    validation: f.struct(5, parts.validation, {
      doc: 'How objects of all versions are checked, unless the versions declare it.',
      presence: 'pointer',
    }),
    subresources: f.struct(6, parts.subresources, {
      doc: 'Subresources of all versions, unless the versions declare them.',
      presence: 'pointer',
    }),
    versions: f.list(7, definitionVersionOf('v1beta1', parts, column), {
      doc: 'Its versions. In discovery they are ordered by stability and age, independent of their order here.',
      default: versionsFromVersion,
    }),
    additionalPrinterColumns: f.list(8, column, {
      doc: 'Columns of the tables of all versions, unless the versions declare them.',
    }),
    selectableFields: f.list(11, parts.selectableField, {
      doc: 'Fields that field selectors can use in all versions, unless the versions declare them.',
      listType: 'atomic',
    }),
    conversion: f.struct(9, CustomResourceConversionV1Beta1, {
      doc: 'How objects are converted from one version to another.',
      presence: 'pointer',
      default: { strategy: 'None' },
    }),
    preserveUnknownFields: f.bool(10, {
      doc: 'Keeps fields that the schema does not declare, at every place. Defaults require false.',
      presence: 'pointer',
      default: true,
    }),
  },
  { derive: hoistIdentical, checks: [checkTopLevel, checkVersion] },
);

export const CustomResourceDefinitionV1Beta1: StructSchema = struct(
  'apiextensions.v1beta1.CustomResourceDefinition',
  'Adds a custom resource to the API. Its name is `plural.group`.',
  {
    metadata: metadataField,
    spec: f.struct(2, CustomResourceDefinitionSpecV1Beta1, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: f.struct(3, parts.status, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
