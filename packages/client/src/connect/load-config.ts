import { existsSync } from 'node:fs';
import { type Env, type Naming, namesFor, namings } from '@orch/machinery';
import { systemEnv } from '@orch/machinery/env';
import { type ContextChoice, loadClientConfig } from '../config/client-config.ts';
import { ConfigError } from '../config/config-error.ts';
import { homeConfigFile, listedConfigFiles } from '../config/default-files.ts';
import { withEnvironmentProxy } from '../config/environment-proxy.ts';
import { inClusterConfig, isInCluster } from '../config/in-cluster.ts';
import { type ClientOptions, createClient } from '../create-client.ts';
import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { type NetworkTransportOptions, networkTransport } from '../transport/network-transport.ts';
import { namingOfServer } from './naming-of-server.ts';
import { type ProcessFacts, thisProcess } from './this-process.ts';

/** Replaces parts of what `loadConfig` finds. */
export interface LoadConfigOptions extends ContextChoice {
  /** Client configuration files in order of precedence; those of the environment when absent. */
  readonly files?: readonly string[];
  /** The naming of the server; the server is asked for it when absent. */
  readonly naming?: Naming;
  /** `program/version (purpose)`; the name of the program that runs when absent. */
  readonly userAgent?: string;
  /** Clock, random numbers, log and metrics; those of the process when absent. */
  readonly env?: Env;
  /** Environment variables; those of the process when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user; that of the process when absent. */
  readonly homeFolder?: string;
  readonly connection?: NetworkTransportOptions;
}

/** The server and the identity of a program: the options of a client. */
export interface LoadedConfig extends ClientOptions {
  readonly settings: ConnectionSettings;
  /** The namespace of the context or of the pod, `default` without one. */
  readonly namespace: string;
  /** Aborts when the server has been stopped for good, as that of a test: managers end then. Other servers may always come back. */
  readonly stopped?: AbortSignal;
}

/**
 * Finds the server and the identity of this program as other programs of the ecosystem do: the client configuration files that the
 * environment lists, merged; the one in the home folder; the service account of the pod. Proxies of the environment are used.
 * Rejects with a ConfigError, and with the failures of a request where the server is asked for its naming.
 */
export async function loadConfig(
  options: LoadConfigOptions = {},
  signal?: AbortSignal,
): Promise<LoadedConfig> {
  const env = options.env ?? systemEnv();
  const facts = thisProcess();
  const environment = options.environment ?? facts.environment;
  const found = await findSettings({ ...options, env, environment }, facts);
  const settings = withEnvironmentProxy(found, environment);
  const transport = networkTransport(settings, env, options.connection);
  const userAgent = options.userAgent ?? facts.programName;
  const base = { settings, transport, env, userAgent, namespace: settings.namespace ?? 'default' };
  if (options.naming !== undefined) return { ...base, names: namesFor(options.naming) };
  try {
    // The request is the same under both namings.
    const client = createClient({ ...base, names: namesFor('orch') });
    return { ...base, names: namesFor(await namingOfServer(client, signal)) };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function findSettings(
  options: LoadConfigOptions & Required<Pick<LoadConfigOptions, 'env' | 'environment'>>,
  facts: ProcessFacts,
): Promise<ConnectionSettings> {
  const { env, environment, context, cluster, user, namespace } = options;
  const homeFile = homeConfigFile({ homeFolder: options.homeFolder ?? facts.homeFolder });
  const listed = options.files ?? listedConfigFiles({ environment, folder: facts.folder });
  const files = listed ?? (existsSync(homeFile) ? [homeFile] : undefined);
  if (files !== undefined)
    return await loadClientConfig({
      ...{ env, files, environment, context, cluster, user, namespace },
      ...(options.naming !== undefined && { names: namesFor(options.naming) }),
      get hasTerminal() {
        return facts.hasTerminal;
      },
    });
  for (const naming of namings) {
    const pod = { env, names: namesFor(naming), environment };
    if (isInCluster(pod)) return inClusterConfig(pod);
  }
  const variables = namings.map((naming) => namesFor(naming).environment.clientConfig).join(' nor ');
  throw new ConfigError(
    `there is no client configuration: neither ${variables} is set, there is no ${homeFile}, and this is not a pod of a cluster`,
  );
}
