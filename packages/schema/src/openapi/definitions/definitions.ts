import type { Names } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { shapeOf } from '../../codec/struct-shape.ts';
import type { CodecOptions } from '../../codec.ts';
import { isGranular, mapTypeOf, publishedValues, reaches } from '../../release-rules.ts';
import {
  type CheckContext,
  type Field,
  type ListSchema,
  type MapSchema,
  resolveRef,
  type ScalarSchema,
  type Schema,
  type StructSchema,
} from '../../schema.ts';
import {
  type DefinitionHome,
  definitionNameOf,
  ownHome,
  ownNames,
  publishedName,
} from '../definition-home.ts';
import type { OpenApiInput, OpenApiKind } from '../input.ts';
import type { Dialect, JsonSchema } from '../json-schema/json-schema.ts';
import { CustomDefinitions } from './custom-definition.ts';
import { inlineScalars, namedScalars, scalarDefinition } from './scalar-definitions.ts';

export interface DefinitionSetOptions extends CodecOptions, Pick<OpenApiInput, 'listedValues' | 'noteOn'> {
  readonly names: Names;
  readonly dialect: Dialect;
  /** The kinds of which a definition is the schema, by its name in the document. */
  readonly kindsOf: (definition: string) => readonly OpenApiKind[];
  /** Receives every definition once, as soon as it is created; none is kept here. */
  readonly emit: (name: string, definition: JsonSchema) => void;
  /** As `emit`, in pieces: for definitions of custom kinds. */
  readonly emitInPieces: (name: string, definition: JsonSchema) => Work<void>;
  /** Structs under their own names: sets of the same dialect and fields make each of them once. */
  readonly structs?: KeptStructs;
}

/** The document of a custom kind that was parsed before: undefined when it has none. */
export interface ParsedDocument {
  readonly document: JsonObject | undefined;
}

/** The definitions that a struct refers to. */
interface StructReferences {
  readonly structs: (readonly [StructSchema, DefinitionHome])[];
  readonly named: (readonly [name: string, definition: JsonSchema])[];
}

interface KeptStruct extends StructReferences {
  readonly definition: JsonSchema;
}

/** Definitions of structs that many sections refer to. */
export type KeptStructs = Map<StructSchema, KeptStruct>;

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Release from which documents show the type of every list. */
const LIST_TYPES_SINCE = '1.30';

/** Makes the definitions that a document needs: those of the roots and of everything they refer to. */
export class DefinitionSet {
  readonly #options: DefinitionSetOptions;
  readonly #names: Names;
  readonly #since: CheckContext['since'];
  /** The schema of each name: two schemas under one name are an error in the declarations. */
  readonly #sources = new Map<string, unknown>();
  /** The references of the struct that is being made. */
  #references: StructReferences = { structs: [], named: [] };

  constructor(options: DefinitionSetOptions) {
    this.#options = options;
    this.#names = options.names;
    this.#since = reaches(options);
  }

  /** The schema that each definition was made of; its name where it was made of none. */
  get sources(): ReadonlyMap<string, unknown> {
    return this.#sources;
  }

  /** A reference to a definition. */
  ref(name: string): JsonSchema {
    return {
      $ref: this.#options.dialect === 'v2' ? `#/definitions/${name}` : `#/components/schemas/${name}`,
    };
  }

  withDescription(value: JsonSchema, description: string): JsonSchema {
    // Version 3 ignores keywords beside a reference; readers of version 2 look for descriptions there.
    const target = value.$ref !== undefined && this.#options.dialect === 'v3' ? { allOf: [value] } : value;
    return description === '' ? target : { description, ...target };
  }

  /** Adds a struct and those it refers to, as `home` publishes them; returns its definition name. */
  add(schema: StructSchema, home: DefinitionHome = ownHome(schema.name)): string {
    if (schema.custom !== undefined) return atOnce(this.addInPieces(schema, home));
    const { formerly } = schema;
    if (formerly !== undefined && !this.#since(formerly.before)) return this.add(formerly.schema, home);
    this.#references.structs.push([schema, home]);
    const name = definitionNameOf(this.#names, schema, home);
    // Before its fields, which may refer to it again.
    if (this.#isNew(name, schema, schema.name))
      this.#options.emit(name, this.#published(name, this.#struct(schema, home)));
    return name;
  }

  /** As `add`, in pieces: the definition of a custom kind may have megabytes. */
  *addInPieces(
    schema: StructSchema,
    home: DefinitionHome = ownHome(schema.name),
    parsed?: ParsedDocument,
  ): Work<string> {
    const { custom } = schema;
    if (custom === undefined) return this.add(schema, home);
    const name = definitionNameOf(this.#names, schema, home);
    if (!this.#isNew(name, schema, schema.name)) return name;
    const { properties = {} } = this.#makeStruct(schema, ownNames);
    const definitions = new CustomDefinitions(this.#options.dialect, this.#names, properties);
    const document = parsed === undefined ? yield* custom.document() : parsed.document;
    const definition = yield* definitions.root(document);
    const published = this.#withKinds(name, definition);
    if (definitions.isSmall) this.#options.emit(name, published);
    else yield* this.#options.emitInPieces(name, published);
    return name;
  }

  /** Adds the definitions to which that of a custom kind refers; that one itself is made elsewhere. */
  declare(schema: StructSchema, home: DefinitionHome = ownHome(schema.name)): void {
    const name = definitionNameOf(this.#names, schema, home);
    if (this.#isNew(name, schema, schema.name)) this.#makeStruct(schema, ownNames);
  }

  /** Adds a definition that is not made from a schema. */
  put(name: string, definition: JsonSchema): void {
    this.#references.named.push([name, definition]);
    if (this.#isNew(name, name, name)) this.#options.emit(name, this.#published(name, definition));
  }

  #isNew(name: string, source: unknown, schemaName: string): boolean {
    const known = this.#sources.get(name);
    if (known === undefined) {
      this.#sources.set(name, source);
      return true;
    }
    if (known !== source) throw new TypeError(`two schemas are called ${name}: the second is ${schemaName}`);
    return false;
  }

  #published(name: string, schema: JsonSchema): JsonSchema {
    return this.#withKinds(name, this.#options.dialect === 'v2' ? withFields(schema) : schema);
  }

  #withKinds(name: string, definition: JsonSchema): JsonSchema {
    const kinds = this.#options.kindsOf(name);
    const { groupVersionKind } = this.#names.schemaExtensions;
    return kinds.length === 0 ? definition : { ...definition, [groupVersionKind as `x-${string}`]: kinds };
  }

  #struct(schema: StructSchema, home: DefinitionHome): JsonSchema {
    const { structs } = this.#options;
    if (structs === undefined || home !== ownNames) return this.#makeStruct(schema, home);
    const kept = structs.get(schema);
    if (kept !== undefined) {
      for (const [struct, place] of kept.structs) this.add(struct, place);
      for (const [name, definition] of kept.named) this.put(name, definition);
      return kept.definition;
    }
    const outer = this.#references;
    const references: StructReferences = { structs: [], named: [] };
    this.#references = references;
    const definition = this.#makeStruct(schema, home);
    this.#references = outer;
    structs.set(schema, { definition, ...references });
    return definition;
  }

  #makeStruct(schema: StructSchema, home: DefinitionHome): JsonSchema {
    const { fields } = shapeOf(schema, this.#names, this.#options);
    const properties = fields.map(({ name, field }) => [name, this.#property(field, home)] as const);
    const required = fields.filter(({ field }) => isRequired(field, this.#since)).map(({ name }) => name);
    const sorted = properties.sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      ...(schema.doc === '' ? {} : { description: schema.doc }),
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      ...(sorted.length > 0 ? { properties: Object.fromEntries(sorted) } : {}),
      ...this.#mapType(schema),
      ...this.#unions(schema),
    };
  }

  #property(field: Field, home: DefinitionHome): JsonSchema {
    const schema = resolveRef(field.schema);
    const value = this.#value(schema, field, home);
    const extensions = this.#extensions(field, schema);
    const isShown = this.#options.dialect === 'v3' && isScalar(field.default);
    const literal = isShown ? { default: field.default } : {};
    return { ...this.withDescription(value, this.#descriptionOf(field)), ...literal, ...extensions };
  }

  #descriptionOf(field: Field): string {
    const { doc, deprecated } = field;
    const warning = deprecated === undefined ? '' : `Deprecated: ${deprecated}`;
    return [doc, warning, this.#options.noteOn?.(field) ?? ''].filter((text) => text !== '').join(' ');
  }

  #value(schema: Schema, field: Field, home: DefinitionHome): JsonSchema {
    switch (schema.kind) {
      case 'scalar': {
        const type = this.#scalar(schema, home);
        const isListed = schema.type === 'string' && this.#options.listedValues !== false;
        const values = isListed ? publishedValues(field, this.#since) : undefined;
        return values === undefined ? type : { ...type, enum: values };
      }
      case 'struct':
        return this.ref(this.add(schema, field.shared === true ? ownHome(schema.name) : home));
      case 'list':
        return { type: 'array', items: this.#value(resolveRef(schema.items), field, home) };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#value(resolveRef(schema.values), field, home),
        };
      case 'union':
        return this.#named(publishedName(schema.name, home), { description: schema.doc });
    }
  }

  /** A definition without constraints: the JSON Schema of these documents cannot express them. */
  #named(schemaName: string, definition: JsonSchema): JsonSchema {
    const name = this.#names.definitionName(schemaName);
    this.put(name, definition);
    return this.ref(name);
  }

  #scalar({ type, name: ownName, doc = '' }: ScalarSchema, home: DefinitionHome): JsonSchema {
    if (ownName !== undefined)
      return this.#named(publishedName(ownName, home), { description: doc, ...inlineScalars[type] });
    const own = namedScalars[type];
    if (own === undefined) return { ...inlineScalars[type] };
    return this.#named(own, scalarDefinition(type, this.#options.dialect));
  }

  #mapType(schema: StructSchema | MapSchema): JsonSchema {
    return this.#mapTypeExtension(mapTypeOf(schema, this.#since));
  }

  #mapTypeExtension(mapType: MapSchema['mapType']): JsonSchema {
    return mapType === undefined ? {} : { [this.#names.schemaExtensions.mapType as `x-${string}`]: mapType };
  }

  #unions({ unions }: StructSchema): JsonSchema {
    if (unions === undefined) return {};
    const published = unions.map(({ discriminator, fields }) => ({
      discriminator: this.#names.field(discriminator),
      'fields-to-discriminateBy': fields,
    }));
    return { [this.#names.schemaExtensions.unions as `x-${string}`]: published };
  }

  #isAtomic({ atomic }: Field): boolean {
    if (atomic === undefined || atomic === true) return atomic === true;
    const { since, until } = atomic;
    return (since === undefined || this.#since(since)) && (until === undefined || !this.#since(until));
  }

  /** Wire names of the keys that the release has. */
  #mapKeys(keys: readonly string[], item: Schema): readonly string[] {
    const names = keys.map((key) => this.#names.field(key));
    if (item.kind !== 'struct') return names;
    const served = new Set(shapeOf(item, this.#names, this.#options).fields.map(({ name }) => name));
    return names.filter((name) => served.has(name));
  }

  #extensions(field: Field, schema: Schema): JsonSchema {
    const { listMapKeys, listType, patchMergeKey, patchStrategy } = this.#names.schemaExtensions;
    const extensions: Record<string, unknown> = {};
    const list: Partial<ListSchema> = schema.kind === 'list' ? schema : {};
    const mergeKey = field.patchMergeKey ?? list.patchMergeKey;
    const strategy = field.patchStrategy ?? list.patchStrategy;
    const ofList = list.listType ?? (this.#isAtomic(field) ? 'atomic' : undefined);
    if (
      schema.kind === 'list' &&
      ofList === undefined &&
      schema.protoWrapped !== true &&
      this.#since(LIST_TYPES_SINCE)
    ) {
      // The meaning of such a list, which earlier releases leave to clients.
      const merges = (strategy ?? '').split(',').includes('merge');
      if (merges && mergeKey !== undefined) extensions[listMapKeys] = [this.#names.field(mergeKey)];
      extensions[listType] = merges ? (mergeKey === undefined ? 'set' : 'map') : 'atomic';
    }
    if (schema.kind === 'list' && schema.mapKeys !== undefined)
      extensions[listMapKeys] = this.#mapKeys(schema.mapKeys, resolveRef(schema.items));
    if (ofList !== undefined) extensions[listType] = ofList;
    const { patchShownUntil } = field;
    if (patchShownUntil === undefined || !this.#since(patchShownUntil)) {
      if (mergeKey !== undefined) extensions[patchMergeKey] = this.#names.field(mergeKey);
      if (strategy !== undefined) extensions[patchStrategy] = strategy;
    }
    const ofMap = schema.kind === 'map' ? this.#mapType(schema) : {};
    const ofStruct = this.#mapTypeExtension(isGranular(field, this.#since) ? 'granular' : undefined);
    return { ...extensions, ...ofMap, ...ofStruct } as JsonSchema;
  }
}

/** Reports whether clients must send a field: those that are always present, unless declared otherwise. */
function isRequired(field: Field, since: CheckContext['since']): boolean {
  const declared = field.openapiRequired;
  if (typeof declared === 'boolean') return declared;
  if (declared !== undefined) return since(declared.since) ? declared.is : !declared.is;
  if (field.presence !== 'always' || field.nullable === true) return false;
  const schema = resolveRef(field.schema);
  if (schema.kind === 'struct') return false;
  return schema.kind !== 'scalar' || (schema.type !== 'time' && schema.type !== 'microTime');
}

/**
 * An object without properties may hold any. Clients that read version 2 treat it as a map and describe its values with
 * the description of the object, unless the definition describes its values.
 */
const withFields = (definition: JsonSchema): JsonSchema =>
  definition.type !== 'object' ||
  definition.properties !== undefined ||
  definition.additionalProperties !== undefined
    ? definition
    : { ...definition, additionalProperties: {} };
