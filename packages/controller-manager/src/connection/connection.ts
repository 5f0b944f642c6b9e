import {
  ConfigError,
  type ConnectionSettings,
  inClusterConfig,
  isInCluster,
  loadClientConfig,
} from '@orch/client';
import type { Env, Names } from '@orch/machinery';
import { StartError } from '@orch/program';

/** Environment variables, passed in by the composition root. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConnectionSources {
  /** `--client-config`; empty: the service account files of the pod. */
  readonly path: string;
  readonly environment: Environment;
  readonly names: Names;
  readonly env: Pick<Env, 'clock'>;
}

/** Address of the API server and credentials of the manager. Rejects with a `StartError`. */
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
