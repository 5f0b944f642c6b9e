import type * as resource from '@orch/kinds/resource';
import { fieldError } from '@orch/machinery';
import { type Check, f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import type { ResourceType } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { presentOf } from '../../validation-rules.ts';
import { isSemanticVersion } from '../shared/device/attribute.ts';
import { checkDriver } from './shared/driver.ts';
import { checkModel } from './shared/model.ts';

const IntSlice = struct('resource.v1alpha2.NamedResourcesIntSlice', 'Several numbers.', {
  ints: f.list(1, items.int64, { doc: 'The numbers.', presence: 'always', listType: 'atomic' }),
});

const StringSlice = struct('resource.v1alpha2.NamedResourcesStringSlice', 'Several texts.', {
  strings: f.list(1, items.string, { doc: 'The texts.', presence: 'always', listType: 'atomic' }),
});

const valueFields = ['quantity', 'bool', 'int', 'intSlice', 'string', 'stringSlice', 'version'] as const;

const checkValue: Check<resource.NamedResourcesAttributeV1alpha2> = (attribute, { path }) => {
  const present = presentOf(attribute, valueFields);
  const { version } = attribute;
  return [
    ...(version === undefined || isSemanticVersion(version)
      ? []
      : [
          fieldError.invalid(
            `${path}.version`,
            version,
            'must be a string compatible with semver.org spec 2.0.0',
          ),
        ]),
    ...(present.length === 0 ? [fieldError.required(path, 'exactly one value must be set')] : []),
    ...(present.length > 1
      ? [fieldError.invalid(path, present.join(), 'exactly one field must be set, not several')]
      : []),
  ];
};

const AttributeValue = struct(
  'resource.v1alpha2.NamedResourcesAttributeValue',
  'A value of exactly one type.',
  {
    quantity: f.quantity(6, { doc: 'A quantity.', presence: 'pointer' }),
    bool: f.bool(2, { doc: 'True or false.', presence: 'pointer' }),
    int: f.int64(7, { doc: 'A number.', presence: 'pointer' }),
    intSlice: f.struct(8, IntSlice, { doc: 'A list of numbers.', presence: 'pointer' }),
    string: f.string(5, { doc: 'A text.', presence: 'pointer' }),
    stringSlice: f.struct(9, StringSlice, { doc: 'A list of texts.', presence: 'pointer' }),
    version: f.string(10, { doc: 'A semantic version, such as 1.2.3.', presence: 'pointer' }),
  },
  { checks: [checkValue] },
);

const nameField = (doc: string) =>
  f.string(1, { doc, presence: 'always', emptyIsInvalid: true, format: 'dns1123subdomain' });

const Attribute = struct('resource.v1alpha2.NamedResourcesAttribute', 'An attribute of an instance.', {
  name: nameField('Name of the attribute, unique in the instance.'),
  attributeValue: f.inline(2, AttributeValue, { protoName: 'attributeValue' }),
});

const Instance = struct('resource.v1alpha2.NamedResourcesInstance', 'An instance that can be selected.', {
  name: nameField('Name of the instance, unique among those of the driver on the node.'),
  attributes: f.list(2, Attribute, {
    doc: 'What selectors know about it.',
    listType: 'atomic',
    uniqueBy: 'name',
  }),
});

const NamedResources = struct('resource.v1alpha2.NamedResourcesResources', 'Resources that have names.', {
  instances: f.list(1, Instance, {
    doc: 'The instances that are available.',
    presence: 'always',
    listType: 'atomic',
    uniqueBy: 'name',
  }),
});

const ResourceModel = struct(
  'resource.v1alpha2.ResourceModel',
  'What is available, in the model of the resources; one field is set.',
  {
    namedResources: f.struct(1, NamedResources, {
      doc: 'The instances of the driver on the node.',
      presence: 'pointer',
    }),
  },
  { checks: [checkModel] },
);

const ResourceSlice = struct(
  'resource.v1alpha2.ResourceSlice',
  'Resources of one driver on a node, as the driver publishes them.',
  {
    metadata: metadataField,
    nodeName: f.string(2, {
      doc: 'Node that has the resources; it cannot change.',
      format: 'dns1123subdomain',
      immutable: true,
    }),
    driverName: f.string(3, {
      doc: 'Driver of the resources; it cannot change.',
      presence: 'always',
      required: true,
      immutable: true,
    }),
    resourceModel: f.inline(4, ResourceModel, { protoName: 'resourceModel' }),
  },
  { typeMeta: true, checks: [checkDriver] },
);

/** The slices of the release before devices; those of later releases have only their name in common with them. */
export const classicResourceSlices: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  namespaced: false,
  versions: [{ version: 'v1alpha2', schema: ResourceSlice, introduced: '1.30', removed: '1.31' }],
  table: {
    columns: [
      nameColumn,
      column('Node', 'Node that has the resources.'),
      column('Driver', 'Driver of the resources.'),
      ageColumn,
    ],
    cells: (slice: resource.ResourceSliceV1alpha2) => [
      nameCell(slice),
      slice.nodeName ?? '',
      slice.driverName ?? '',
      ageCell(slice),
    ],
  },
  strategy: strategyOf<resource.ResourceSliceV1alpha2>({ generation: 'none', deleteReturns: 'object' }),
  fields: { driverName: textField('driverName'), nodeName: textField('nodeName') },
  indexedFields: ['nodeName'],
});
