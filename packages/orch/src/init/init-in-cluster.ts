import { createClient, networkTransport } from '@orch/client';
import { connectionSettings, type Environment } from '@orch/controller-manager';
import { type Env, namesFor } from '@orch/machinery';
import type { Plan } from './plan.ts';
import { SecretStore } from './secret-store.ts';
import type { InitFlags } from './settings.ts';

export interface InClusterHost {
  readonly env: Env;
  /** Environment variables. */
  readonly environment: Environment;
}

/** Runs over the files in Secrets of a cluster. Throws a `StartError` when it cannot be reached or refuses a write. */
export async function initInCluster(
  flags: InitFlags,
  { env, environment }: InClusterHost,
  planFor: (files: ReadonlyMap<string, string>) => Plan,
  signal: AbortSignal,
): Promise<{ readonly plan: Plan; readonly location: string }> {
  const names = namesFor(flags.secretsNaming);
  const connection = await connectionSettings({ path: flags.clientConfig, environment, names, env });
  const namespace = flags.secretsNamespace || connection.namespace || names.namespaces.default;
  const transport = networkTransport(connection, env);
  try {
    const client = createClient({ transport, names, env, userAgent: 'orch-init' });
    const resource = { group: '', version: 'v1', resource: 'secrets', kind: 'Secret', namespaced: true };
    const secrets = client.resource(resource, namespace);
    const store = new SecretStore({ secrets, prefix: flags.secretsName, names, env });
    const plan = flags.dryRun ? await store.preview(planFor, signal) : await store.update(planFor, signal);
    return { plan, location: `secrets ${flags.secretsName}-* in namespace ${namespace}` };
  } finally {
    await transport.close();
  }
}
