import { type ApiObject, type Naming, namesFor } from '@orch/machinery';
import { type TestEnv, testEnv } from '@orch/machinery/testing';
import type { Client } from '../client.ts';
import { createClient } from '../create-client.ts';
import type { Resource } from '../rest/types.ts';
import { ModelApi, type ModelApiOptions } from './model-api.ts';

/** A client of an in-memory server, with its environment. */
export interface TestClient {
  readonly env: TestEnv;
  readonly api: ModelApi;
  readonly client: Client;
  /** Ends all activities of a test. */
  readonly stop: AbortController;
}

/** A client of a model server, with a fake clock. The same seed leads to the same run. */
export function testClient(
  options: { readonly seed?: number; readonly naming?: Naming } & Omit<
    Partial<ModelApiOptions>,
    'clock' | 'names'
  > = {},
): TestClient {
  const { seed = 1, naming = 'orch', ...rest } = options;
  const env = testEnv({ seed });
  const names = namesFor(naming);
  const api = new ModelApi({ names, clock: env.clock, ...rest });
  const client = createClient({ transport: api, names, env, userAgent: 'test/1' });
  return { env, api, client, stop: new AbortController() };
}

/** The resource of config maps, which an in-memory server has. */
export const configMaps: Resource = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

/** A ConfigMap with one value. */
export const configMap = (name: string, value = '', namespace = 'default'): ApiObject => ({
  metadata: { name, namespace },
  data: { value },
});
