import type { Env, Logger, LogVerbosity } from '@orch/machinery';
import { Turns } from '@orch/machinery/concurrency';
import {
  createLogger,
  createMetrics,
  createTextLogger,
  descriptorWrite,
  lineWriter,
  type MetricRelease,
  type MetricsOptions,
  systemClock,
  systemEnv,
  TurnSchedule,
} from '@orch/machinery/env';
import { isTerminal, type LogFormat } from './log-format.ts';

/** The system environment of a program, and the state of its log. */
export interface ProgramEnv {
  readonly env: Env;
  /** Lines dropped so far because standard error was read too slowly. */
  readonly droppedLogLines: () => number;
  /** Verbosity of the log of `env`; it may be changed. */
  readonly verbosity: LogVerbosity;
}

/** Values of the flags `--v` and `--log-format`. */
export interface LogFlags {
  readonly verbosity?: number;
  readonly logFormat: LogFormat;
}

/**
 * Size of the memory that small buffers share. The programs let the system map larger memory (`MALLOC_MMAP_THRESHOLD_` in `bin/`):
 * with the 64 KiB of the runtime a write costs a tenth of such a mapping, and the faults of its pages.
 */
const BUFFER_POOL_BYTES = 16 * 1024;

/** Receives the lines of a log. */
export type WriteLine = (line: string) => void;

/**
 * The environment of this thread, whose small buffers share memory of a suitable size from then on. Logs go to standard error unless
 * `write` receives them. Without a release no metric is too old.
 */
export function programEnv(flags: LogFlags, lifecycle?: MetricRelease, write?: WriteLine): ProgramEnv {
  Buffer.poolSize = BUFFER_POOL_BYTES;
  const verbosity = { level: flags.verbosity ?? 0 };
  const writer = lineWriter(descriptorWrite(2));
  const log = loggerOf(flags.logFormat, write ?? ((line) => writer.write(line)), verbosity);
  const turns = new TurnSchedule(systemClock);
  const long = new Turns({ clock: systemClock, turns });
  const run: MetricsOptions['run'] = (work) => long.run(work);
  const metrics = createMetrics({ ...(lifecycle !== undefined && { lifecycle }), log, run });
  return { env: systemEnv({ log, metrics, turns }), droppedLogLines: () => writer.dropped, verbosity };
}

function loggerOf(format: LogFormat, write: WriteLine, verbosity: LogVerbosity): Logger {
  const options = { write, clock: systemClock, verbosity };
  if (format === 'text') return createTextLogger(options);
  // Someone who watches a program start needs to see problems, not progress.
  if (format === 'auto' && isTerminal(2)) return createTextLogger({ ...options, infoFrom: 1 });
  return createLogger(options);
}
