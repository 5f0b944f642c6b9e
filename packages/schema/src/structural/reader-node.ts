import type { StructuralSchema } from './structural-schema.ts';

const surrogate = /[\ud800-\udfff]/;

/** The schema of values of which nothing is known. */
const anything: StructuralSchema = {};

/**
 * A schema prepared for reading: what is looked up for every object is computed once. Nodes of fields are made when a field
 * is first read, so that large schemas of which little is used stay small.
 */
export class ReaderNode {
  readonly schema: StructuralSchema;
  /** Fields that the schema does not describe are kept. */
  readonly keepsUndescribed: boolean;
  readonly isEmbedded: boolean;
  /** Names of the properties that have a default. */
  readonly defaulted: readonly string[];
  /** Whether the order of the names of properties is that of their UTF-16. */
  readonly hasPlainNames: boolean;
  readonly #fields = new Map<string, ReaderNode>();
  #others: ReaderNode | undefined;
  #items: ReaderNode | undefined;
  /** The default with the defaults of its parts. */
  default: { readonly value: unknown } | undefined;

  constructor(schema: StructuralSchema) {
    this.schema = schema;
    this.keepsUndescribed = schema.preservesUnknownFields === true;
    this.isEmbedded = schema.isEmbeddedResource === true;
    const properties = [...(schema.properties ?? [])];
    this.defaulted = properties.flatMap(([name, property]) => (property.default === undefined ? [] : [name]));
    this.hasPlainNames = !properties.some(([name]) => surrogate.test(name));
  }

  /** Of a property; undefined for names that are none. */
  property(name: string): ReaderNode | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const schema = this.schema.properties?.get(name);
    if (schema === undefined) return undefined;
    const node = new ReaderNode(schema);
    this.#fields.set(name, node);
    return node;
  }

  /** Of the fields that are no properties; undefined when the schema does not describe them. */
  get others(): ReaderNode | undefined {
    const { additionalProperties } = this.schema;
    if (additionalProperties === undefined) return undefined;
    this.#others ??= new ReaderNode(
      typeof additionalProperties === 'object' ? additionalProperties : anything,
    );
    return this.#others;
  }

  get items(): ReaderNode {
    this.#items ??= new ReaderNode(this.schema.items ?? anything);
    return this.#items;
  }
}
