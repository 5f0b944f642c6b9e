import type { Env, Names } from '@orch/machinery';

/** When a plugin may use the terminal: never, when there is one, or not run at all without one. */
export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** `user.exec` of a client configuration file, decoded and with its defaults. */
export interface ExecConfig {
  /** A name that is looked for in `PATH`, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Set in addition to the environment that the plugin inherits. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** What the plugin is told and must answer with, as it stands in the file: group and version. */
  readonly apiVersion: string;
  /** Shown when there is no such program. */
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: InteractiveMode;
}

/** What a plugin with `provideClusterInfo` is told: members named as in `spec.cluster`. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  /** PEM in base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  /** The cluster's extension that is meant for plugins, as it stands in the file. */
  readonly config?: unknown;
}

export interface ExecContext {
  readonly env: Pick<Env, 'clock'>;
  readonly names: Names;
  /** Environment variables that plugins inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the standard input of this process is a terminal that plugins may use. */
  readonly hasTerminal: boolean;
  /** Given when `provideClusterInfo` is set. */
  readonly cluster?: ExecCluster;
  /** Longest run of a plugin; the entry point has a default. */
  readonly timeoutMs?: number;
}
