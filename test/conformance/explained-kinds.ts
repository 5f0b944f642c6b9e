import assert from 'node:assert/strict';
import type { ApiClient } from '@orch/testkit';

/** A kind as `kubectl explain` should show it. */
export interface ExplainedKind {
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Names of its fields, sorted. */
  readonly fields: readonly string[];
  /** A field with fields, two steps down where there is one; undefined for kinds without. */
  readonly below: { readonly path: string; readonly fields: readonly string[] } | undefined;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly [extension: `x-${string}`]: readonly { group: string; version: string; kind: string }[];
}
type Definitions = Readonly<Record<string, Schema>>;

interface Discovered {
  readonly resources: readonly { readonly name: string; readonly kind: string }[];
}

async function read<T>(client: ApiClient, path: string): Promise<T> {
  const { status, json } = await client.get(path);
  assert.equal(status, 200, path);
  return json as T;
}

/** All kinds in discovery, with their fields in the published schema. */
export async function explainedKinds(client: ApiClient): Promise<readonly ExplainedKind[]> {
  const { definitions } = await read<{ definitions: Definitions }>(client, '/openapi/v2');
  const { groups } = await read<{ groups: { versions: { groupVersion: string }[] }[] }>(client, '/apis');
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  const kinds: ExplainedKind[] = [];
  for (const apiVersion of ['v1', ...versions]) {
    const path = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    const { resources } = await read<Discovered>(client, path);
    for (const { name, kind } of resources) {
      if (!name.includes('/')) kinds.push(explained(definitions, apiVersion, { name, kind }));
    }
  }
  return kinds;
}

function explained(
  definitions: Definitions,
  apiVersion: string,
  { name, kind }: { readonly name: string; readonly kind: string },
): ExplainedKind {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const schema = Object.values(definitions).find((one) =>
    (one['x-kubernetes-group-version-kind'] ?? []).some(
      (published) => published.group === group && published.version === version && published.kind === kind,
    ),
  );
  assert.ok(schema !== undefined, `${apiVersion} ${kind} has no definition`);
  return {
    resource: name,
    apiVersion,
    kind,
    fields: fieldsOf(schema),
    below: below(definitions, schema, '', 2),
  };
}

const fieldsOf = (schema: Schema): readonly string[] => Object.keys(schema.properties ?? {}).sort();

/** The schema of the objects in a field, also when they are elements of a list or a map. */
function objectsOf(definitions: Definitions, schema: Schema): Schema | undefined {
  if (schema.$ref !== undefined) return definitions[schema.$ref.slice('#/definitions/'.length)];
  const inner = schema.items ?? schema.additionalProperties;
  return inner === undefined ? undefined : objectsOf(definitions, inner);
}

function below(
  definitions: Definitions,
  schema: Schema,
  path: string,
  steps: number,
): ExplainedKind['below'] {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const held = name === 'metadata' ? undefined : objectsOf(definitions, property);
    if (held === undefined || fieldsOf(held).length === 0) continue;
    const here = path === '' ? name : `${path}.${name}`;
    const further = steps > 1 ? below(definitions, held, here, steps - 1) : undefined;
    return further ?? { path: here, fields: fieldsOf(held) };
  }
  return undefined;
}
