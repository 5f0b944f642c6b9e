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

/** The real world of a program, and what is to be known of its log. */
export interface ProgramEnv {
  readonly env: Env;
  /** Lines lost so far because nobody read standard error fast enough. */
  readonly droppedLogLines: () => number;
}

/** Logs go to standard error as JSON lines; `verbosity` is the flag `--v`. Without a release no metric is too old. */
export function programEnv(verbosity: number, lifecycle?: MetricRelease): ProgramEnv {
  const writer = lineWriter(descriptorWrite(2));
  const log = createLogger({ write: (line) => writer.write(line), clock: systemClock, verbosity });
  const metrics = createMetrics({ ...(lifecycle !== undefined && { lifecycle }), log });
  return { env: systemEnv({ log, metrics }), droppedLogLines: () => writer.dropped };
}
