import { builtinResources, type Client, hasCondition, type TypedResource, waitFor } from '@orch/client';
import { type ApiObject, type Env, formatApiVersion, type ObjectMeta } from '@orch/machinery';

/** Settings for the namespaces that request them by name: the kind that this operator defines. */
export type Profile = {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: { data: Record<string, string> };
  status?: {
    /** The number of namespaces that request it. */
    namespaces?: number;
  };
};

export const profiles: TypedResource<Profile> = {
  group: 'settings.example.com',
  version: 'v1',
  resource: 'profiles',
  kind: 'Profile',
  namespaced: true,
};

const { group, version, resource, kind } = profiles;

const schema = {
  type: 'object',
  description: 'Settings for the namespaces that ask for them by name.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      description: 'What the namespaces get.',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          description: 'The data of the ConfigMap in each of them.',
          additionalProperties: { type: 'string' },
        },
      },
    },
    status: {
      type: 'object',
      description: 'What the operator observed.',
      properties: {
        namespaces: { type: 'integer', description: 'The number of namespaces that ask for it.', minimum: 0 },
      },
    },
  },
};

const definition = {
  metadata: { name: `${resource}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: resource, singular: 'profile', kind, listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Namespaces', type: 'integer', jsonPath: '.status.namespaces' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
};

/** Maximum time until a server serves a definition. */
const ESTABLISH_MS = 30_000;

/** Defines the kind, or brings its definition up to date. Resolves when the server serves it. */
export async function installProfiles(client: Client, env: Env, signal: AbortSignal): Promise<void> {
  const definitions = builtinResources(client.names).apiextensions.v1.customresourcedefinitions;
  const { name } = definition.metadata;
  const object = { apiVersion: formatApiVersion(definitions), kind: definitions.kind, ...definition };
  const options = { fieldManager: 'namespace-settings', force: true };
  await client.resource(definitions).patch.apply(name, object, options, signal);
  const is = (found: ApiObject | undefined): boolean => hasCondition(found, 'Established');
  await waitFor({ client, env, resource: definitions, name, is, timeoutMs: ESTABLISH_MS }, signal);
}
