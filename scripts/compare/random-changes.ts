import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { Exchange } from './exchange.ts';
import { fixtureLines } from './fixture-lines.ts';
import type { Schemas, SchemaValues } from './schema-values.ts';
import { apiVersionOf, type ServedResource } from './served-resources.ts';

/** Metadata that servers set or count. */
export const metadata = new Set([
  ...['managedFields', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink', 'deletionTimestamp'],
  ...['deletionGracePeriodSeconds', 'generateName'],
]);
/** These, and fields of the type and of the path. */
const ignored = new Set([...metadata, 'apiVersion', 'kind', 'namespace', 'status', 'uid']);

/** Valid objects of the fixtures beside the kinds, by kind. */
export function validObjects(): ReadonlyMap<string, readonly JsonObject[]> {
  interface Line {
    readonly kind: string;
    readonly given?: JsonObject;
    readonly base?: JsonObject;
  }
  const lines = ['observed-defaults', 'observed-validation'].flatMap((name) =>
    fixtureLines<Line>(name).flat(),
  );
  const objects = lines.flatMap(({ kind, given, base }) => {
    const object = given ?? base;
    return object === undefined ? [] : [{ kind, object }];
  });
  return new Map(
    [...Map.groupBy(objects, ({ kind }) => kind)].map(([kind, all]) => [
      kind,
      all.map(({ object }) => object),
    ]),
  );
}

interface ResourceSchemas {
  readonly schemas: Schemas;
  /** The schema of the kind itself. */
  readonly schema: unknown;
  /** The schema of another kind of the document, such as that of a subresource. */
  readonly schemaOf: (kind: string) => unknown;
}

/** The schemas that the reference publishes for the version of a resource. */
export async function schemasOf(exchange: Exchange, resource: ServedResource): Promise<ResourceSchemas> {
  const { reference } = await exchange.send('GET', `/openapi/v3${resource.base}`, {
    project: () => 'schemas',
  });
  const components = isJsonObject(reference) ? reference['components'] : undefined;
  const schemas =
    isJsonObject(components) && isJsonObject(components['schemas']) ? components['schemas'] : {};
  const all = Object.values(schemas);
  return {
    schemas,
    schema: all.find((one) => isSchemaOf(one, resource)),
    schemaOf: (kind) => all.find((one) => kindsOf(one).some((known) => known['kind'] === kind)),
  };
}

/** The kinds that a schema describes, in their versions. */
function kindsOf(schema: unknown): readonly JsonObject[] {
  const kinds = isJsonObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
  return Array.isArray(kinds) ? kinds.filter(isJsonObject) : [];
}

const isSchemaOf = (schema: unknown, { base, kind }: ServedResource): boolean =>
  kindsOf(schema).some(
    (one) =>
      one['kind'] === kind &&
      apiVersionOf({ base }) === [one['group'], one['version']].filter((part) => part !== '').join('/'),
  );

/** Sets, removes or replaces a random field of an object, at any depth. */
export function change(values: SchemaValues, object: Record<string, unknown>, given: unknown): void {
  const schema = values.resolve(given);
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const fields = Object.keys(properties).filter((name) => !ignored.has(name));
  const present = fields.filter((name) => Object.hasOwn(object, name));
  if (fields.length === 0) return;
  const field = present.length > 0 && values.chance(0.65) ? values.pick(present) : values.pick(fields);
  changeField(values, object, { given: schema, field });
}

interface Field {
  /** The schema of the object. */
  readonly given: unknown;
  readonly field: string;
}

/** Sets, removes or replaces a field of an object, or a random field below it. */
export function changeField(
  values: SchemaValues,
  object: Record<string, unknown>,
  { given, field }: Field,
): void {
  const schema = values.resolve(given);
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const inner = object[field];
  const target = Array.isArray(inner) && inner.length > 0 ? values.pick(inner as readonly unknown[]) : inner;
  const below = values.resolve(properties[field]);
  if (isJsonObject(target) && values.chance(0.8)) {
    const next = Array.isArray(inner) ? below['items'] : properties[field];
    if (isJsonObject(values.resolve(next)['properties'])) {
      change(values, target as Record<string, unknown>, next);
      return;
    }
  }
  if (inner !== undefined && values.chance(0.15)) delete object[field];
  else if (Array.isArray(inner) && values.chance(0.4)) {
    const added = values.value(field, below, 1);
    object[field] = [...inner, ...(Array.isArray(added) ? added : [added])];
  } else object[field] = values.value(field, properties[field], 1);
}
