import {
  boolDecl,
  bytesDecl,
  type DeclType,
  dateDecl,
  doubleDecl,
  durationDecl,
  dynDecl,
  intDecl,
  listDecl,
  mapDecl,
  objectDecl,
  type PropertyDecl,
  resourceProperties,
  stringDecl,
  timestampDecl,
} from '@orch/cel';
import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import type { StructuralSchema } from '../../structural-schema.ts';

/** Formats that expressions do not see as strings. */
const formats: Readonly<Record<string, (maxLength: number | undefined) => DeclType>> = {
  byte: bytesDecl,
  duration: () => durationDecl,
  date: () => dateDecl,
  'date-time': () => timestampDecl,
};

/**
 * Types of values in expressions: the declarations of a schema and of all schemas within it, each made once. A value
 * without a declared type has none, and cannot be read by expressions.
 */
export class Declarations {
  readonly #known = new Map<StructuralSchema, DeclType | undefined>();
  readonly #pace = new Pace();

  /** `name` is that of the type in messages: its path from the schema with the expression. */
  of(schema: StructuralSchema, name: string, isResource?: boolean): DeclType | undefined {
    if (this.#known.has(schema)) return this.#known.get(schema);
    return atOnce(this.declare(schema, name, isResource));
  }

  /** As `of`, in pieces. */
  *declare(
    schema: StructuralSchema,
    name: string,
    isResource = schema.isEmbeddedResource === true,
  ): Work<DeclType | undefined> {
    if (this.#known.has(schema)) return this.#known.get(schema);
    if (this.#pace.isDue()) yield;
    const decl = yield* this.#make(schema, name, isResource);
    this.#known.set(schema, decl);
    return decl;
  }

  *#make(schema: StructuralSchema, name: string, isResource: boolean): Work<DeclType | undefined> {
    if (schema.isIntOrString === true) return dynDecl();
    switch (schema.type) {
      case 'array':
        return yield* this.#list(schema, name);
      case 'object':
        return yield* this.#object(schema, name, isResource);
      case 'string':
        return text(schema);
      case 'boolean':
        return boolDecl;
      case 'number':
        return doubleDecl;
      case 'integer':
        return intDecl;
      default:
        return undefined;
    }
  }

  *#list(schema: StructuralSchema, name: string): Work<DeclType | undefined> {
    const { items, listType = 'atomic', mapKeys = [], rules } = schema;
    const element = items === undefined ? undefined : yield* this.declare(items, `${name}.@idx`);
    if (element === undefined) return undefined;
    const list =
      listType === 'map' ? ({ type: 'map', keys: mapKeys } as const) : ({ type: listType } as const);
    return listDecl(element, rules?.maxItems, list);
  }

  *#object(schema: StructuralSchema, name: string, isResource: boolean): Work<DeclType | undefined> {
    const { additionalProperties, rules } = schema;
    if (typeof additionalProperties === 'object') {
      const value = yield* this.declare(additionalProperties, `${name}.@elem`);
      return value === undefined ? undefined : mapDecl(value, rules?.maxProperties);
    }
    const required = new Set(rules?.required);
    const properties: [string, PropertyDecl][] = [];
    for (const [field, property] of schema.properties ?? []) {
      const type = yield* this.declare(property, `${name}.${field}`);
      if (type === undefined) continue;
      properties.push([field, { type, required: required.has(field) && property.default === undefined }]);
    }
    const declared = Object.fromEntries(properties);
    return objectDecl(name, isResource ? resourceProperties(name, declared) : declared);
  }
}

function text({ rules }: StructuralSchema): DeclType {
  const { enum: allowed = [], format, maxLength } = rules ?? {};
  const special = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (special !== undefined) return special(maxLength);
  return stringDecl(
    maxLength,
    allowed.filter((one) => typeof one === 'string'),
  );
}
