/** The fields of an object type, by the names that expressions use. */
export interface FieldProvider {
  /** Undefined when the field does not exist. */
  fieldType(name: string): CelType | undefined;
}

/** Static types. Parameterized types of libraries (`optional_type`) are opaque with parameters. */
export type CelType =
  | { readonly kind: 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' }
  | { readonly kind: 'null' | 'dyn' | 'timestamp' | 'duration' | 'error' }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | { readonly kind: 'type'; readonly of: CelType | undefined }
  | { readonly kind: 'object'; readonly name: string; readonly fields: FieldProvider }
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: 'param'; readonly name: string };

export const bool: CelType = { kind: 'bool' };
export const int: CelType = { kind: 'int' };
export const uint: CelType = { kind: 'uint' };
export const double: CelType = { kind: 'double' };
export const string: CelType = { kind: 'string' };
export const bytes: CelType = { kind: 'bytes' };
export const nullType: CelType = { kind: 'null' };
export const dyn: CelType = { kind: 'dyn' };
/** The type of an expression with a reported error; it fits everywhere. */
export const errorType: CelType = { kind: 'error' };
export const timestamp: CelType = { kind: 'timestamp' };
export const duration: CelType = { kind: 'duration' };
export const list = (element: CelType): CelType => ({ kind: 'list', element });
export const map = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const typeOfType = (of?: CelType): CelType => ({ kind: 'type', of });
export const opaque = (name: string, ...parameters: CelType[]): CelType => ({
  kind: 'opaque',
  name,
  parameters,
});
export const optional = (of: CelType): CelType => opaque('optional_type', of);
export const param = (name: string): CelType => ({ kind: 'param', name });

/** The type of the value in an optional; undefined for other types. */
export const optionalOf = (type: CelType): CelType | undefined =>
  type.kind === 'opaque' && type.name === 'optional_type' ? (type.parameters[0] ?? dyn) : undefined;

const runtimeNames: Readonly<Partial<Record<CelType['kind'], string>>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** The name of a type without its parameters: of the value that `type(x)` returns. */
export const typeName = (type: CelType): string =>
  type.kind === 'object' || type.kind === 'opaque' ? type.name : (runtimeNames[type.kind] ?? type.kind);

/** A type as error messages write it. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`;
    case 'opaque':
      return type.parameters.length === 0
        ? type.name
        : `${type.name}(${type.parameters.map(formatType).join(', ')})`;
    case 'null':
    case 'timestamp':
    case 'duration':
      return type.kind;
    case 'error':
      return '!error!';
    case 'param':
      return type.name;
    default:
      return typeName(type);
  }
}
