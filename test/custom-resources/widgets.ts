import { namesFor } from '@orch/machinery';
import type { ApiClient, ApiResponse } from '@orch/testkit';

export const GROUP = 'stable.example.com';
const apiVersion = namesFor('orch').apiVersion('apiextensions', 'v1');
const definitionsOf = (version: string): string => `/apis/${version}/customresourcedefinitions`;
export const DEFINITIONS = definitionsOf(apiVersion);
export const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;

export interface DefinitionBody {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
  readonly [field: string]: unknown;
}

/** A definition with a defaulted field; names and group are unique per `index`, and usual without. */
export function definition(index?: number): DefinitionBody {
  const suffix = index === undefined ? '' : String(index);
  const group = index === undefined ? GROUP : `g${index}.example.com`;
  return {
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets${suffix}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: `widgets${suffix}`, singular: `widget${suffix}`, kind: `Widget${suffix}` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
              },
            },
          },
        },
      ],
    },
  };
}

export const widget = (name: string): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec: {},
});

interface Definition {
  readonly metadata: { readonly resourceVersion: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const isEstablished = ({ status }: Definition): boolean =>
  (status?.conditions ?? []).some((one) => one.type === 'Established' && one.status === 'True');

/** Creates a definition and waits, by a watch, until a server has established it. */
export async function establish(
  client: ApiClient,
  body: DefinitionBody = definition(),
): Promise<ApiResponse> {
  const path = definitionsOf(body.apiVersion);
  const created = await client.send('POST', path, { body });
  if (created.status !== 201) return created;
  const { metadata } = created.json as Definition;
  const query = `watch=true&fieldSelector=metadata.name%3D${body.metadata.name}&resourceVersion=${metadata.resourceVersion}`;
  const stop = new AbortController();
  try {
    for await (const { object } of client.watch(`${path}?${query}`, stop.signal)) {
      if (isEstablished(object as unknown as Definition)) return created;
    }
    throw new Error('the watch ended before the definition was established');
  } finally {
    stop.abort();
  }
}
