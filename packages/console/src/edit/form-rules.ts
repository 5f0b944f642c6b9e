import type { SchemaField } from '../definitions/schema-field.ts';
import type { FormField, FormPath, NewValue } from './yaml-form.ts';

/** Fields that the server sets, and those that say which object it is. */
const fixed =
  /^(?:apiVersion|kind|status(?:\..*)?|metadata\.(?:name|namespace|uid|resourceVersion|generation|creationTimestamp|deletionTimestamp|deletionGracePeriodSeconds|selfLink|generateName))$/;

/** Whether a user can change a field in a form. */
export const isChangeable = (path: FormPath): boolean => !fixed.test(path.join('.'));

/** The names in a path, as schemas have them: lists have no part in it. */
export const schemaPath = (path: FormPath): readonly string[] =>
  path.filter((step) => typeof step === 'string');

/** `spec.containers[0].image`, as servers name the fields that they refuse. */
export const fieldName = (path: FormPath): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return /^[\w-]+$/.test(step) ? `${text}${text === '' ? '' : '.'}${step}` : `${text}[${step}]`;
  }, '');

/** The fields that a kind has, an object does not, and a user can set. `path` is that of the object. */
export function absentFields(
  schema: SchemaField | undefined,
  path: FormPath,
  present: readonly FormField[],
): readonly SchemaField[] {
  const names = new Set(present.map(({ name }) => name));
  return (schema?.fields() ?? []).filter(
    ({ name }) =>
      !names.has(name) && isChangeable([...path, name]) && (path.length > 0 || name !== 'metadata'),
  );
}

/** Whether a field can be removed as a whole: not what every object has. */
export const isRemovable = (path: FormPath): boolean =>
  isChangeable(path) && !(path.length === 1 && (path[0] === 'metadata' || path[0] === 'spec'));

const container = /^(?:list|map) of /;

/** The type of the value at a path, of which `schema` is the field that it is in: items and entries have the type inside their list or map. */
export function typeAt(schema: SchemaField, path: FormPath): string {
  let { type } = schema;
  for (const step of path.toReversed()) {
    if (step === schema.name) break;
    type = type.replace(container, '');
  }
  return type;
}

/** The type of the items of a list, or of the entries of a map; undefined for other types. */
export const innerType = (type: string): string | undefined =>
  container.test(type) ? type.replace(container, '') : undefined;

/** Required fields of required fields; schemas may contain themselves. */
const MAX_DEPTH = 4;

/** What is added for a type: its required fields without values, or an empty value. */
export function newValue(type: string, fields: readonly SchemaField[], depth = 0): NewValue {
  if (type.startsWith('list of ')) return 'list';
  if (type.startsWith('map of ')) return {};
  if (type === 'string') return 'text';
  if (type !== 'object' && !(type === 'any' && fields.length > 0)) return 'value';
  const required = depth > MAX_DEPTH ? [] : fields.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(
    required.map((field) => [field.name, newValue(field.type, field.fields(), depth + 1)]),
  );
}

/** Whether a value is text, which YAML may have to quote. A field without a known type keeps that of its value. */
export const isTextField = (schema: SchemaField | undefined, earlier: string): boolean =>
  schema === undefined || schema.type === 'any'
    ? !/^(?:true|false|[+-]?\d[\d.]*)$/.test(earlier)
    : schema.type === 'string' || schema.type.endsWith('of string');
