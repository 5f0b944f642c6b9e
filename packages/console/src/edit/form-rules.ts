import type { SchemaField } from '../definitions/schema-field.ts';
import type { FormField, FormPath } from './yaml-form.ts';

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

const scalarTypes: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** The fields with a single value that a kind has and an object does not. */
export function absentFields(
  schema: SchemaField | undefined,
  present: readonly FormField[],
): readonly SchemaField[] {
  const names = new Set(present.map(({ name }) => name));
  return (schema?.fields() ?? []).filter(({ name, type }) => scalarTypes.has(type) && !names.has(name));
}

/** Whether a schema is that of a map from texts to texts, such as labels. */
export const isTextMap = (schema: SchemaField | undefined): boolean => schema?.type === 'map of string';

/** Whether a value is text, which YAML may have to quote. A field without a known type keeps that of its value. */
export const isTextField = (schema: SchemaField | undefined, earlier: string): boolean =>
  schema === undefined || schema.type === 'any'
    ? !/^(?:true|false|[+-]?\d[\d.]*)$/.test(earlier)
    : schema.type === 'string' || schema.type.endsWith('of string');
