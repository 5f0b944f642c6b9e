import type { Names } from '@orch/machinery';
import type { CodecOptions } from '../codec.ts';
import { reaches } from '../release-rules.ts';
import { type Check, type CheckContext, type Field, resolveRef, type StructSchema } from '../schema.ts';

/** One field of a struct in JSON: inlined structs are dissolved, names are the wire names. */
export interface StructField {
  readonly name: string;
  readonly field: Field;
  /** Whether values below are accepted unchecked. */
  readonly unchecked?: true;
  /** Whether an empty struct is dropped. */
  readonly dropsEmpty?: true;
}

/** A struct in JSON. */
export interface StructShape {
  /** In JSON order, kind and apiVersion included. */
  readonly fields: readonly StructField[];
  /** The rules of the struct and of the structs inlined into it, in the order of their places. */
  readonly checks: readonly Check[];
  readonly derives: readonly NonNullable<StructSchema['derive']>[];
  readonly since: CheckContext['since'];
  /** Schema of the fields that are not declared. */
  readonly rest: StructSchema['rest'];
}

const typeMetaField = (name: string, doc: string): Field => ({
  name,
  num: 0,
  schema: { kind: 'scalar', type: 'string' },
  presence: 'optional',
  doc,
});

/** Descriptions of the fields that every kind has. Tests of clients look for the first words of each. */
export const typeMetaDocs = {
  kind: 'Kind is a string value that names the type of the object.',
  apiVersion: 'APIVersion defines the group and version in which the object is written.',
} as const;

/** Fields of a kind that precede the declared ones. In Protobuf they are part of the envelope. */
export const typeMetaFields: readonly Field[] = [
  typeMetaField('kind', typeMetaDocs.kind),
  typeMetaField('apiVersion', typeMetaDocs.apiVersion),
];

/** Reports whether the release does not yet validate the values below a field. */
const isUnchecked = ({ validatedSince: since }: Field, options: CodecOptions): boolean =>
  since !== undefined && (since === 'never' || !reaches(options)(since));

/** A field that is never added: its zero value, also an empty struct, is as good as an absent one. */
const quietly = (field: Field): Pick<StructField, 'field' | 'dropsEmpty'> =>
  field.presence === 'always' ? { field: { ...field, presence: 'optional' }, dropsEmpty: true } : { field };

/** The field as the release has it: its rules, and without a default that later releases apply. */
function inRelease(declared: Field, options: CodecOptions): Field {
  const { emptyIsInvalid, validatedOnCreate, strictFormat: strict } = declared;
  let field: Field =
    typeof emptyIsInvalid === 'object'
      ? { ...declared, emptyIsInvalid: !reaches(options)(emptyIsInvalid.until) }
      : declared;
  if (typeof validatedOnCreate === 'object')
    field = { ...field, validatedOnCreate: reaches(options)(validatedOnCreate.since) };
  if (strict !== undefined && reaches(options)(strict.since, strict.gate))
    field = { ...field, format: strict.format, toleratesOldErrors: true };
  if (field.default === undefined || options.defaults?.(field) !== false) return field;
  const { default: _later, ...rest } = field;
  return rest;
}

/** Fields whose name no JSON object can hold safely are left out: only malicious schemas have one. */
const usable = (name: string): boolean => name !== '' && name !== '__proto__';

/** Dissolves inlined structs and translates names. */
export function shapeOf(schema: StructSchema, names: Names, options: CodecOptions = {}): StructShape {
  const fields: StructField[] =
    schema.typeMeta === true ? typeMetaFields.map((field) => ({ name: field.name, field })) : [];
  const checks: Check[] = [];
  const derives: NonNullable<StructSchema['derive']>[] = [];
  for (const declared of schema.fields) {
    if (options.includes !== undefined && !options.includes(declared)) continue;
    const field = inRelease(declared, options);
    if (field.inline === true) {
      const inlined = resolveRef(field.schema);
      if (inlined.kind !== 'struct') throw new TypeError(`${schema.name}: only structs can be inlined`);
      const shape = shapeOf(inlined, names, options);
      fields.push(...shape.fields);
      checks.push(...shape.checks);
      derives.push(...shape.derives);
    } else {
      const name = names.field(field.name);
      if (!usable(name)) continue;
      const shown = options.quiet?.(field) === true ? quietly(field) : { field };
      fields.push(isUnchecked(field, options) ? { name, ...shown, unchecked: true } : { name, ...shown });
    }
  }
  if (schema.derive !== undefined) derives.push(schema.derive);
  const own = [...(options.addedChecks?.(schema) ?? []), ...(schema.checks ?? [])];
  return { fields, checks: [...checks, ...own], derives, since: reaches(options), rest: schema.rest };
}
