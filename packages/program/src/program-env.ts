import {
  createLogger,
  createMetrics,
  descriptorWrite,
  type Env,
  type LogVerbosity,
  lineWriter,
  type MetricRelease,
  systemClock,
  systemEnv,
} from '@orch/machinery';

/** The system environment of a program, and the state of its log. */
export interface ProgramEnv {
  readonly env: Env;
  /** Lines dropped so far because standard error was read too slowly. */
  readonly droppedLogLines: () => number;
  /** Verbosity of the log of `env`; it may be changed. */
  readonly verbosity: LogVerbosity;
}

/** Logs go to standard error as JSON lines; `level` is the flag `--v`. Without a release no metric is too old. */
export function programEnv(level: number, lifecycle?: MetricRelease): ProgramEnv {
  const verbosity = { level };
  const writer = lineWriter(descriptorWrite(2));
  const log = createLogger({ write: (line) => writer.write(line), clock: systemClock, verbosity });
  const metrics = createMetrics({ ...(lifecycle !== undefined && { lifecycle }), log });
  return { env: systemEnv({ log, metrics }), droppedLogLines: () => writer.dropped, verbosity };
}
