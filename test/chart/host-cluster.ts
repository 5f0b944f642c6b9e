import assert from 'node:assert/strict';
import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects } from '@orch/machinery/json';
import type { ApiClient, ApiResponse } from '@orch/testkit';

/** Paths of objects, by their kinds, as the server serves them. */
export class ObjectPaths {
  readonly #client: ApiClient;
  readonly #resources = new Map<string, readonly Readonly<Record<string, unknown>>[]>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** The path of an object; that of an object without a namespace of a namespaced kind is in `default`. */
  async of({ apiVersion = '', kind, metadata }: ApiObject): Promise<string> {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const known = this.#resources.get(base) ?? (await this.#load(base));
    const resource = known.find((one) => one['kind'] === kind && !String(one['name']).includes('/'));
    assert.ok(resource, `${apiVersion} ${kind} is not served`);
    const namespace = metadata.namespace ?? 'default';
    const prefix = resource['namespaced'] === true ? `${base}/namespaces/${namespace}` : base;
    return `${prefix}/${String(resource['name'])}/${metadata.name ?? ''}`;
  }

  async #load(base: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { json, status, text } = await this.#client.get(base);
    assert.equal(status, 200, text);
    const resources = asObjects(asObject(json)['resources']);
    this.#resources.set(base, resources);
    return resources;
  }
}

/** Applies an object by a strict dry run: unknown, repeated and invalid fields are refused. */
export function applyStrictly(client: ApiClient, path: string, object: ApiObject): Promise<ApiResponse> {
  const query = 'dryRun=All&fieldValidation=Strict&fieldManager=helm';
  return client.send('PATCH', `${path}?${query}`, {
    body: object,
    contentType: 'application/apply-patch+yaml',
  });
}

const text = { type: 'string' };
const list = (items: object) => ({ type: 'array', items });
const object = (properties: object) => ({ type: 'object', properties });
const texts = { type: 'object', additionalProperties: text };

const selector = object({
  matchLabels: texts,
  matchExpressions: list(object({ key: text, operator: text, values: list(text) })),
});
const rule = object({
  alert: text,
  record: text,
  expr: text,
  for: text,
  labels: texts,
  annotations: texts,
});

const definition = (kind: string, plural: string, spec: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.monitoring.coreos.com` },
  spec: {
    group: 'monitoring.coreos.com',
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase() },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: object({ spec }) } }],
  },
});

/** Kinds of the Prometheus operator, with the fields that the chart may use. */
export const monitoringDefinitions: readonly object[] = [
  definition(
    'ServiceMonitor',
    'servicemonitors',
    object({ jobLabel: text, selector, endpoints: list(object({ port: text, interval: text })) }),
  ),
  definition(
    'PrometheusRule',
    'prometheusrules',
    object({ groups: list(object({ name: text, interval: text, rules: list(rule) })) }),
  ),
];

/** Creates definitions, and waits until their kinds are served. */
export async function define(client: ApiClient, definitions: readonly object[]): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const one of definitions) {
    const { status, text: answer } = await client.post(path, one);
    assert.equal(status, 201, answer);
  }
}
