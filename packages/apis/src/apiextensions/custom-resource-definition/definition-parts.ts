import type { CustomResourceDefinitionNames } from '@orch/kinds/apiextensions';
import { f, items, type StructSchema, struct } from '@orch/schema';
import { jsonSchemaPropsOf } from './json-schema-props.ts';

/** Structs of both versions, under different names. */
export interface DefinitionParts {
  readonly names: StructSchema;
  readonly validation: StructSchema;
  readonly subresources: StructSchema;
  readonly clientConfig: StructSchema;
  readonly status: StructSchema;
  readonly selectableField: StructSchema;
}

const namesOf = (version: string): StructSchema =>
  struct(`apiextensions.${version}.CustomResourceDefinitionNames`, 'Names of a custom resource.', {
    plural: f.string(1, {
      doc: 'Name of the resource in paths, in the plural and in lower case.',
      presence: 'always',
      format: 'dns1035label',
    }),
    singular: f.string(2, {
      doc: 'Name of one object in lower case; the kind in lower case when absent.',
      format: 'dns1035label',
      default: ({ kind }: CustomResourceDefinitionNames) => (kind ? kind.toLowerCase() : undefined),
    }),
    shortNames: f.list(3, items.string, {
      doc: 'Short forms for the command line.',
      format: 'dns1035label',
      emptyIsInvalid: true,
    }),
    kind: f.string(4, { doc: 'Kind of the objects, in CamelCase.', presence: 'always' }),
    listKind: f.string(5, {
      doc: 'Kind of lists; the kind with List behind it when absent.',
      default: ({ kind }: CustomResourceDefinitionNames) => (kind ? `${kind}List` : undefined),
    }),
    categories: f.list(6, items.string, {
      doc: 'Groups of resources that this one belongs to, such as all.',
      format: 'dns1035label',
      emptyIsInvalid: true,
    }),
  });

const subresourcesOf = (version: string): StructSchema => {
  const scale = struct(
    `apiextensions.${version}.CustomResourceSubresourceScale`,
    'Paths of the numbers of replicas in the objects.',
    {
      specReplicasPath: f.string(1, {
        doc: 'Path below `.spec` of the desired number.',
        presence: 'always',
      }),
      statusReplicasPath: f.string(2, {
        doc: 'Path below `.status` of the current number.',
        presence: 'always',
      }),
      labelSelectorPath: f.string(3, {
        doc: 'Path below `.spec` or `.status` of a label selector in string form; autoscalers need it.',
        presence: 'pointer',
      }),
    },
  );
  const status = struct(
    `apiextensions.${version}.CustomResourceSubresourceStatus`,
    'Has no fields: it is present or absent.',
    {},
  );
  return struct(
    `apiextensions.${version}.CustomResourceSubresources`,
    'Subresources that a custom resource has.',
    {
      status: f.struct(1, status, {
        doc: 'Makes the status writable through a separate path, and only through that.',
        presence: 'pointer',
      }),
      scale: f.struct(2, scale, { doc: 'Shows the objects as a Scale.', presence: 'pointer' }),
    },
  );
};

const clientConfigOf = (version: string): StructSchema => {
  const service = struct(`apiextensions.${version}.ServiceReference`, 'Names a port of a service.', {
    namespace: f.string(1, { doc: 'Namespace of the service.', presence: 'always' }),
    name: f.string(2, { doc: 'Name of the service.', presence: 'always' }),
    path: f.string(3, { doc: 'Path of the requests.', presence: 'pointer' }),
    port: f.int32(4, { doc: 'Port of the service.', presence: 'pointer', default: 443 }),
  });
  return struct(
    `apiextensions.${version}.WebhookClientConfig`,
    'How to reach a webhook: either by URL or by service.',
    {
      url: f.string(3, {
        doc: 'Where the webhook listens, `https://host/path`. For one in the cluster use service.',
        presence: 'pointer',
      }),
      service: f.struct(1, service, {
        doc: 'Service of the cluster behind which the webhook is.',
        presence: 'pointer',
      }),
      caBundle: f.bytes(2, {
        doc: 'Certificates in PEM that verify the certificate of the webhook; those of the system when absent.',
      }),
    },
  );
};

const observedGeneration = { since: '1.36', gate: 'CRDObservedGenerationTracking' } as const;

const statusOf = (version: string, names: StructSchema): StructSchema => {
  const condition = struct(
    `apiextensions.${version}.CustomResourceDefinitionCondition`,
    'One aspect of the state of a definition.',
    {
      type: f.string(1, {
        doc: 'Type of the condition: Established, NamesAccepted, NonStructuralSchema, Terminating or the conformance to the approval policy.',
        presence: 'always',
      }),
      status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
      lastTransitionTime: f.time(3, {
        doc: 'When the status last changed from one value to another.',
        presence: 'always',
      }),
      reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
      message: f.string(5, { doc: 'Human-readable details.' }),
      observedGeneration: f.int64(6, {
        doc: 'Generation of the definition that the condition is about.',
        ...observedGeneration,
      }),
    },
  );
  return struct(
    `apiextensions.${version}.CustomResourceDefinitionStatus`,
    'Whether a custom resource is served, and under which names.',
    {
      conditions: f.list(1, condition, {
        doc: 'Observations about the object, one entry per type.',
        presence: 'always',
        openapiRequired: false,
        listType: 'map',
        mapKeys: ['type'],
      }),
      acceptedNames: f.struct(2, names, {
        doc: 'Names under which it is served; others may have been taken.',
        presence: 'always',
      }),
      storedVersions: f.list(3, items.string, {
        doc: 'Versions in which objects have been stored. One may be removed once its objects have been stored again.',
        presence: 'always',
        openapiRequired: false,
      }),
      observedGeneration: f.int64(4, {
        doc: 'Generation of the definition that the status is about.',
        ...observedGeneration,
      }),
    },
  );
};

/** Fields by which lists and watches select objects. */
const selectableFieldOf = (version: string): StructSchema =>
  struct(`apiextensions.${version}.SelectableField`, 'A field that field selectors can use.', {
    jsonPath: f.string(1, {
      doc: 'Path of the field, such as `.spec.color`. Its type is string, boolean or integer.',
      presence: 'always',
    }),
  });

export function definitionPartsOf(version: string): DefinitionParts {
  const names = namesOf(version);
  return {
    names,
    validation: struct(
      `apiextensions.${version}.CustomResourceValidation`,
      'How custom objects are checked and pruned.',
      {
        openAPIV3Schema: f.struct(1, jsonSchemaPropsOf(version), {
          doc: 'Schema of the objects.',
          presence: 'pointer',
        }),
      },
    ),
    subresources: subresourcesOf(version),
    clientConfig: clientConfigOf(version),
    status: statusOf(version, names),
    selectableField: selectableFieldOf(version),
  };
}

/** A column of the table; the path into the objects was renamed. */
export const columnOf = (version: string, path: 'jsonPath' | 'JSONPath'): StructSchema =>
  struct(
    `apiextensions.${version}.CustomResourceColumnDefinition`,
    'One column of the table in which clients show the objects.',
    {
      name: f.string(1, { doc: 'Heading.', presence: 'always' }),
      type: f.string(2, {
        doc: 'Type of the values: boolean, date, integer, number or string.',
        presence: 'always',
      }),
      format: f.string(3, { doc: 'Form of the values, as in OpenAPI.' }),
      description: f.string(4, { doc: 'Description of the column.' }),
      priority: f.int32(5, { doc: '0 for columns that are always shown; others are shown in wide output.' }),
      [path]: f.string(6, {
        doc: 'Path of the value in the objects, such as `.spec.size`.',
        presence: 'always',
      }),
    },
  );

/** One version of a custom resource. */
export const definitionVersionOf = (
  version: string,
  { selectableField, subresources, validation }: DefinitionParts,
  column: StructSchema,
): StructSchema =>
  struct(
    `apiextensions.${version}.CustomResourceDefinitionVersion`,
    'One version in which a custom resource is served or stored.',
    {
      name: f.string(1, {
        doc: 'Name of the version, such as v1beta1.',
        presence: 'always',
        format: 'dns1035label',
      }),
      served: f.bool(2, { doc: 'Whether clients can use it.', presence: 'always' }),
      storage: f.bool(3, {
        doc: 'Whether objects are stored in it; exactly one version has this.',
        presence: 'always',
      }),
      deprecated: f.bool(7, { doc: 'Whether clients that use it are warned.', since: '1.19' }),
      deprecationWarning: f.string(8, {
        doc: 'The warning that they receive instead of the usual one.',
        presence: 'pointer',
        since: '1.19',
      }),
      schema: f.struct(4, validation, { doc: 'How objects are checked and pruned.', presence: 'pointer' }),
      subresources: f.struct(5, subresources, {
        doc: 'Subresources of the version.',
        presence: 'pointer',
      }),
      additionalPrinterColumns: f.list(6, column, {
        doc: 'Columns of the table in addition to the name; the age when there are none.',
      }),
      selectableFields: f.list(9, selectableField, {
        doc: 'Fields that field selectors can use, at most 8, in addition to name and namespace.',
        listType: 'atomic',
      }),
    },
  );
