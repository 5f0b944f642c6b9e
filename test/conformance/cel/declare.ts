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
  stringDecl,
  timestampDecl,
} from '@orch/cel';

/** The part of a structural schema that the cases of this folder use. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'set' | 'map' | 'atomic';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

/** Declares what a schema describes; `name` is that of its type. */
export function declare(schema: Schema, name: string): DeclType {
  if (schema['x-kubernetes-int-or-string'] === true) return dynDecl(schema.maxLength);
  switch (schema.type) {
    case 'integer':
      return intDecl;
    case 'number':
      return doubleDecl;
    case 'boolean':
      return boolDecl;
    case 'array':
      return listDecl(declare(schema.items ?? {}, `${name}.@idx`), schema.maxItems, listKind(schema));
    case 'object':
      return declareObject(schema, name);
    default:
      return declareText(schema);
  }
}

function declareText({ format, maxLength, enum: values }: Schema): DeclType {
  switch (format) {
    case 'byte':
      return bytesDecl(maxLength);
    case 'date':
      return dateDecl;
    case 'date-time':
      return timestampDecl;
    case 'duration':
      return durationDecl;
    default:
      return stringDecl(maxLength, values);
  }
}

function listKind(schema: Schema): Parameters<typeof listDecl>[2] {
  const type = schema['x-kubernetes-list-type'] ?? 'atomic';
  return type === 'map' ? { type, keys: schema['x-kubernetes-list-map-keys'] ?? [] } : { type };
}

function declareObject(schema: Schema, name: string): DeclType {
  if (schema.additionalProperties !== undefined)
    return mapDecl(declare(schema.additionalProperties, `${name}.@elem`), schema.maxProperties);
  const properties = Object.entries(schema.properties ?? {}).map(
    ([key, property]): [string, PropertyDecl] => [
      key,
      { type: declare(property, `${name}.${key}`), required: schema.required?.includes(key) ?? false },
    ],
  );
  return objectDecl(name, Object.fromEntries(properties));
}
