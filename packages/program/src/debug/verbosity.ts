import type { Logger, LogVerbosity } from '@orch/machinery';
import type { DebugEndpoint } from './endpoint.ts';
import { settingEndpoint } from './number-setting.ts';

const MOST_VERBOSE = 10;

/** Reads and changes the verbosity of the log, as the flag `--v` sets it at the start. */
export const verbosityEndpoint = (verbosity: LogVerbosity, log: Logger): DebugEndpoint =>
  settingEndpoint({
    flag: 'v',
    summary: `Verbosity of the log, 0 to ${MOST_VERBOSE}.`,
    most: MOST_VERBOSE,
    isWhole: true,
    read: () => verbosity.level,
    write(level) {
      log.info('the verbosity of the log changes', { from: verbosity.level, to: level });
      verbosity.level = level;
    },
  });
