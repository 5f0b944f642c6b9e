import type { CodecOptions } from './codec.ts';
import type { CheckContext, Field, MapSchema, StructSchema } from './schema.ts';

/** A field that stands for a rule: it is included where the rule holds. */
const ruleField: Field = {
  name: '',
  num: 0,
  schema: { kind: 'scalar', type: 'string' },
  presence: 'optional',
  doc: '',
};

/** `CheckContext.since` by the fields that are included; where all of them are, for the newest release. */
export function reaches({ includes }: Pick<CodecOptions, 'includes'>): CheckContext['since'] {
  if (includes === undefined) return () => true;
  // A rule of the items of a list asks for each of them.
  const known = new Map<string, boolean>();
  return (since, gate) => {
    const rule = gate === undefined ? since : `${since} ${gate}`;
    let holds = known.get(rule);
    if (holds === undefined) {
      holds = includes({ ...ruleField, since, ...(gate === undefined ? {} : { gate }) });
      known.set(rule, holds);
    }
    return holds;
  };
}

/** Reports whether a field makes its struct granular in a release. */
export const isGranular = (field: Field | undefined, since: CheckContext['since']): boolean =>
  field?.granularSince !== undefined && since(field.granularSince);

/** The type of a struct or map in a release. */
export function mapTypeOf(
  {
    mapType,
    mapTypeSince,
  }: Pick<StructSchema, 'mapType' | 'mapTypeSince'> | (MapSchema & { mapTypeSince?: never }),
  since: CheckContext['since'],
): StructSchema['mapType'] {
  return mapTypeSince === undefined || since(mapTypeSince) ? mapType : undefined;
}

/** The values that documents of a release list for a string, or for the strings of a list or map; undefined when none. */
export function publishedValues(
  { enum: accepted, openapiEnum = {} }: Pick<Field, 'enum' | 'openapiEnum'>,
  since: CheckContext['since'],
): readonly string[] | undefined {
  if (openapiEnum === 'never') return undefined;
  const { since: first, formerly, values = accepted } = openapiEnum;
  if (first !== undefined && !since(first)) return undefined;
  return formerly !== undefined && !since(formerly.before) ? formerly.values : values;
}
