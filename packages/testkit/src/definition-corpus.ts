import type { ApiObject, Names } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';

export interface CorpusOptions {
  readonly count: number;
  readonly names: Names;
}

const KINDS_IN_GROUP = 5;
const LARGEST_BYTES = 900_000;
const SMALLEST_BYTES = 5000;
/** How fast sizes fall from the largest: 1,300 definitions have 12 MB. */
const FALL = 0.92;
/** Sizes are spread over the numbers of definitions: one that has no divisor in common with usual counts. */
const STRIDE = 7919;
const FIELDS_OF_OBJECT = 12;
/** Bytes of a definition besides the fields that grow with its size. */
const FRAME_BYTES = 1800;
const WORDS = [
  'address of the service that receives requests',
  'time after which a request fails',
  'name of the object in the same namespace that holds the credentials',
  'number of replicas while no autoscaler sets it',
  'conditions under which the change takes effect',
  'labels of the pods that are selected',
];

/** Definitions of custom resources in the shape of those that operators publish, the same ones on every call. */
export function* definitionCorpus({ count, names }: CorpusOptions): Generator<ApiObject> {
  for (let index = 0; index < count; index += 1)
    yield corpusDefinition(index, corpusBytes(index, count), names);
}

/** Bytes of definition number `index` of `count`, about: few are large, most are small. */
const corpusBytes = (index: number, count: number): number => {
  const rank = (index * STRIDE) % count;
  return Math.max(SMALLEST_BYTES, Math.floor(LARGEST_BYTES / (rank + 1) ** FALL));
};

/** Where the objects of definition number `index` are served. */
export function corpusResource(index: number): {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
} {
  const group = `team${Math.floor(index / KINDS_IN_GROUP)}.corpus.example.com`;
  return { group, kind: `Widget${index}`, plural: `widget${index}s` };
}

function corpusDefinition(index: number, bytes: number, names: Names): ApiObject {
  const { group, kind, plural } = corpusResource(index);
  const shortNames = [`w${index}`];
  const ownNames = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, shortNames };
  // One of five is served in an older version too.
  const versions = index % 5 === 0 ? ['v1', 'v1beta1'] : ['v1'];
  const fields = new Fields(index, names.schemaExtensions);
  return {
    apiVersion: names.apiVersion('apiextensions', 'v1'),
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations: { 'corpus.example.com/index': String(index) } },
    spec: {
      group,
      scope: index % 4 === 0 ? 'Cluster' : 'Namespaced',
      names: ownNames,
      versions: versions.map((name, i) => ({
        name,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema: fields.root((bytes - FRAME_BYTES) / versions.length) },
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Ready', type: 'string', jsonPath: '.status.phase' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      })),
    },
  };
}

/** Makes the fields of one definition. */
class Fields {
  readonly #extensions: Names['schemaExtensions'];
  #made: number;

  constructor(seed: number, extensions: Names['schemaExtensions']) {
    this.#made = seed;
    this.#extensions = extensions;
  }

  root(bytes: number): JsonObject {
    return {
      type: 'object',
      description: 'An object of an operator, with what is wanted and what was observed.',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string', description: 'Group and version of the schema of this object.' },
        kind: { type: 'string', description: 'Name of the resource that this object represents.' },
        metadata: { type: 'object' },
        spec: this.#object(bytes),
        status: {
          type: 'object',
          properties: {
            phase: { type: 'string' },
            observedGeneration: { type: 'integer', format: 'int64' },
            conditions: {
              type: 'array',
              items: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
              [this.#extensions.listType]: 'map',
              [this.#extensions.listMapKeys]: ['type'],
            },
          },
        },
      },
    };
  }

  /** An object of about `bytes` as JSON: fields, and objects in it while bytes are left. */
  #object(bytes: number): JsonObject {
    const properties: Record<string, unknown> = {};
    let left = bytes;
    for (let i = 0; left > 0; i += 1) {
      const number = this.#made++;
      const within =
        left / 3 > 1000 && i > 2 ? this.#within(Math.min(left / 3, bytes / FIELDS_OF_OBJECT)) : undefined;
      const field = within ?? this.#scalar(number);
      properties[`${within === undefined ? 'field' : 'section'}${number}`] = field;
      left -= JSON.stringify(field).length + 16;
    }
    return { type: 'object', description: this.#description(this.#made), properties };
  }

  /** An object, a list of objects or a map of objects. */
  #within(bytes: number): JsonObject {
    const object = this.#object(bytes);
    const number = this.#made;
    if (number % 3 === 0) return { type: 'array', description: this.#description(number), items: object };
    if (number % 7 === 0)
      return { type: 'object', description: this.#description(number), additionalProperties: object };
    return object;
  }

  #description(number: number): string {
    const [first, second] = [WORDS[number % WORDS.length], WORDS[(number + 1) % WORDS.length]];
    return `The ${first} (${number}), beside the ${second}.`;
  }

  #scalar(number: number): JsonObject {
    const types: readonly JsonObject[] = [
      { type: 'string', maxLength: 253 },
      { type: 'integer', format: 'int32', minimum: 0 },
      { type: 'boolean', default: false },
      { type: 'string', enum: ['Always', 'Never', 'IfNotPresent'] },
      { type: 'array', items: { type: 'string', pattern: '^[a-z0-9-]+$' } },
      { type: 'object', additionalProperties: { type: 'string' } },
      { [this.#extensions.intOrString]: true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ];
    return { description: this.#description(number), ...types[number % types.length] };
  }
}
