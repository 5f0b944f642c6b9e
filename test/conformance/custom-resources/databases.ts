/** A kind that an operator would define, with everything that clients show of a custom resource. */

const condition = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: { type: 'string' },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: { type: 'string' },
    message: { type: 'string' },
    observedGeneration: { type: 'integer', format: 'int64' },
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
};

const spec = {
  type: 'object',
  description: 'The wanted state.',
  required: ['engine'],
  properties: {
    engine: {
      type: 'string',
      description: 'The program that stores the data.',
      enum: ['postgres', 'mysql'],
    },
    replicas: {
      type: 'integer',
      format: 'int32',
      description: 'The number of copies.',
      minimum: 0,
      default: 1,
    },
    owner: { type: 'string', description: 'The team to ask.' },
    users: {
      type: 'array',
      description: 'Those who may connect.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, role: { type: 'string' } },
      },
    },
  },
};

const status = {
  type: 'object',
  description: 'The observed state.',
  properties: {
    observedGeneration: { type: 'integer', format: 'int64' },
    replicas: { type: 'integer', format: 'int32' },
    selector: { type: 'string' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: condition,
    },
  },
};

const version = {
  name: 'v1',
  served: true,
  storage: true,
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  selectableFields: [{ jsonPath: '.spec.engine' }],
  additionalPrinterColumns: [
    { name: 'Engine', type: 'string', jsonPath: '.spec.engine' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Owner', type: 'string', jsonPath: '.spec.owner', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      description: 'A database with copies.',
      required: ['spec'],
      properties: { spec, status },
    },
  },
};

export const GROUP = 'stable.example.com';

/** The definition of Databases, in the naming of Kubernetes. */
export const databaseDefinition: object = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `databases.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: {
      plural: 'databases',
      singular: 'database',
      kind: 'Database',
      shortNames: ['db'],
      categories: ['all', 'storage'],
    },
    versions: [version],
  },
};

interface DatabaseFields {
  readonly name: string;
  readonly spec: object;
  readonly labels?: Readonly<Record<string, string>>;
}

export const database = ({ name, spec: wanted, labels = {} }: DatabaseFields): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Database',
  metadata: { name, labels },
  spec: wanted,
});
