import {
  ConfigError,
  type ConnectionSettings,
  inClusterConfig,
  isInCluster,
  loadClientConfig,
} from '@orch/client';
import type { Env, Names } from '@orch/machinery';
import { StartError } from '@orch/program';

/** What of the environment matters to a pod. The composition root hands over that of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConnectionSources {
  /** `--client-config`; empty: the files that every pod has. */
  readonly path: string;
  readonly environment: Environment;
  readonly names: Names;
  readonly env: Pick<Env, 'clock'>;
}

/** Where the API server is, and who the manager is to it. Rejects with a `StartError`. */
export async function connectionSettings(sources: ConnectionSources): Promise<ConnectionSettings> {
  const { path, ...rest } = sources;
  const isPod = isInCluster(rest);
  try {
    return path === '' ? inClusterConfig(rest) : await loadClientConfig({ ...rest, files: [path] });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (path !== '') throw new StartError(`--client-config ${error.message}`);
    const what = isPod ? 'cannot use the credentials of this pod' : '--client-config is needed';
    throw new StartError(`${what}: ${error.message}`);
  }
}
