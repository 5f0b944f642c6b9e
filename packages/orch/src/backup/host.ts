import type { Env } from '@orch/machinery';

/** The parts of the process that the commands about backups use. */
export interface BackupHost {
  readonly env: Env;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The worker of the embedded store, when the program is bundled. */
  readonly workerUrl: URL | undefined;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}
