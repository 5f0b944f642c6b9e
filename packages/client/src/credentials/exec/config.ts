import type { Env, Names } from '@orch/machinery';
import type { PluginPolicy } from './plugin-policy.ts';

/** Whether a plugin may use the terminal: never, if there is one, or only run with one. */
export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** `user.exec` of a client configuration file, decoded and with its defaults. */
export interface ExecConfig {
  /** A name in `PATH`, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Set in addition to the inherited environment. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Group and version of the ExecCredential, as in the file. */
  readonly apiVersion: string;
  /** Part of the error when the program does not exist. */
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: InteractiveMode;
}

/** The cluster information for a plugin with `provideClusterInfo`: fields as in `spec.cluster`. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  /** PEM in base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  /** The extension of the cluster for plugins, as in the file. */
  readonly config?: unknown;
}

/** The process that runs credential plugins. */
export interface ExecContext {
  readonly env: Pick<Env, 'clock'>;
  readonly names: Names;
  /** Environment variables that plugins inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the standard input of this process is a terminal that plugins may use. */
  readonly hasTerminal: boolean;
  /** Passed when `provideClusterInfo` is set. */
  readonly cluster?: ExecCluster;
  /** The programs that may run, read when one is needed; all when absent. Its errors become errors of the request. */
  readonly policy?: () => Promise<PluginPolicy>;
  /** Timeout of a plugin; the entry point has a default. */
  readonly timeoutMs?: number;
}
