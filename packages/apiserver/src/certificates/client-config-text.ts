import { encodeYaml } from '@orch/machinery/yaml';

/** A client configuration with one cluster, one user and one context. */
export interface ClientConfigContent {
  readonly cluster: string;
  readonly user: string;
  /** Members of the cluster: `server`, … */
  readonly connection: Readonly<Record<string, string>>;
  /** Members of the user: `client-certificate`, … */
  readonly credentials: Readonly<Record<string, string>>;
}

/** The text of a client configuration file. */
export function clientConfigText({ cluster, user, connection, credentials }: ClientConfigContent): string {
  const context = `${user}@${cluster}`;
  return String(
    encodeYaml({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: cluster, cluster: connection }],
      users: [{ name: user, user: credentials }],
      contexts: [{ name: context, context: { cluster, user } }],
      'current-context': context,
      preferences: {},
    }),
  );
}
