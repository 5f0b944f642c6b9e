import { fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { asObject, asObjects, type JsonObject } from '@orch/machinery/json';
import type { SchemaContext } from './schema-context.ts';

const combinationsOf = (schema: JsonObject, path: string): readonly (readonly [JsonObject, string])[] => [
  ...['allOf', 'anyOf', 'oneOf'].flatMap((field) =>
    asObjects(schema[field]).map((one, i) => [one, `${path}.${field}[${i}]`] as const),
  ),
  ...(schema['not'] === undefined ? [] : [[asObject(schema['not']), `${path}.not`] as const]),
];

const itemsOf = (schema: JsonObject): JsonObject | undefined =>
  schema['items'] === undefined || Array.isArray(schema['items']) ? undefined : asObject(schema['items']);

/** The position of a schema in the structure, and its position in a combination. */
interface Places {
  readonly structure: string;
  readonly nested: string;
}

function* checkNested(
  nested: JsonObject,
  structure: JsonObject | undefined,
  at: Places,
  context: SchemaContext,
): Work<void> {
  if (context.full) return;
  if (context.pace.isDue()) yield;
  if (structure === undefined) {
    context.report(fieldError.required(at.structure, `because it is defined in ${at.nested}`));
    return;
  }
  for (const [one, path] of combinationsOf(nested, at.nested))
    yield* checkNested(one, structure, { ...at, nested: path }, context);
  const items = itemsOf(nested);
  if (items !== undefined)
    yield* checkNested(
      items,
      itemsOf(structure),
      { structure: `${at.structure}.items`, nested: `${at.nested}.items` },
      context,
    );
  const properties = asObject(structure['properties']);
  for (const [name, property] of Object.entries(asObject(nested['properties']))) {
    const known = Object.hasOwn(properties, name) ? asObject(properties[name]) : undefined;
    const step = `.properties[${name}]`;
    yield* checkNested(
      asObject(property),
      known,
      { structure: at.structure + step, nested: at.nested + step },
      context,
    );
  }
}

/**
 * Checks that fields in combinations at the root are part of the structure. Combinations at lower levels may name
 * others, as in every release of Kubernetes: published definitions rely on it.
 */
export function* checkComplete(schema: JsonObject, path: string, context: SchemaContext): Work<void> {
  for (const [one, nested] of combinationsOf(schema, path))
    yield* checkNested(one, schema, { structure: path, nested }, context);
}
