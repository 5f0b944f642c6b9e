import {
  createLogger,
  createMetrics,
  descriptorWrite,
  type Env,
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
}

/** Logs go to standard error as JSON lines; `verbosity` is the flag `--v`. Without a release no metric is too old. */
export function programEnv(verbosity: number, lifecycle?: MetricRelease): ProgramEnv {
  const writer = lineWriter(descriptorWrite(2));
  const log = createLogger({ write: (line) => writer.write(line), clock: systemClock, verbosity });
  const metrics = createMetrics({ ...(lifecycle !== undefined && { lifecycle }), log });
  return { env: systemEnv({ log, metrics }), droppedLogLines: () => writer.dropped };
}
