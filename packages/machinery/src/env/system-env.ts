import type { Env } from '../env.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { systemClock } from './clock.ts';
import { descriptorWrite, lineWriter } from './line-writer.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { systemRandom } from './random.ts';

export interface SystemEnvOptions {
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** For the default logger, which writes to standard error. */
  readonly verbosity?: number;
}

export interface SystemEnv extends Env {
  /** Resolves when the default logger's lines are out: for the end of the process. */
  flush(): Promise<void>;
}

/**
 * The environment of a process, for composition roots: the clock and random numbers of the machine, logs to standard
 * error, new metrics.
 */
export function systemEnv(options: SystemEnvOptions = {}): SystemEnv {
  const writer = lineWriter(descriptorWrite(2));
  return {
    clock: systemClock,
    random: systemRandom,
    log:
      options.log ??
      createLogger({
        write: (line) => writer.write(line),
        clock: systemClock,
        verbosity: options.verbosity ?? 0,
      }),
    metrics: options.metrics ?? createMetrics(),
    flush: () => writer.flush(),
  };
}
