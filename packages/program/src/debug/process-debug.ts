import type { Env, Logger, LogVerbosity } from '@orch/machinery';
import { type DebugEndpoint, textAnswer } from './endpoint.ts';
import { DebugEndpoints } from './endpoints.ts';
import { settingEndpoint } from './number-setting.ts';
import { profileEndpoints } from './profiles.ts';
import { runtimeEndpoints } from './runtime.ts';
import { HTTP_TOO_MANY_REQUESTS } from './status.ts';
import type { DebugThreads } from './threads.ts';

export interface ProcessDebugOptions {
  readonly env: Pick<Env, 'clock' | 'log'>;
  readonly verbosity: LogVerbosity;
  /** Whether profiles are served. */
  readonly hasProfiles: boolean;
  /** Expensive endpoints of the program: only one of them, or of the profiles, runs at a time in a thread. */
  readonly costly?: readonly DebugEndpoint[];
  /** The threads of the process, where it may have several. */
  readonly threads?: DebugThreads;
}

/** The endpoints below `/debug` that every program has. */
export const processDebug = ({
  env,
  verbosity,
  hasProfiles,
  costly = [],
  threads,
}: ProcessDebugOptions): DebugEndpoints =>
  new DebugEndpoints(threads).add(
    verbosityEndpoint(verbosity, env.log),
    ...oneAtATime([...(hasProfiles ? profileEndpoints(env.clock) : []), ...costly]),
    ...runtimeEndpoints(env.clock),
  );

/**
 * Expensive endpoints: only one of them runs at a time, and requests to any of them meanwhile are answered with 429.
 */
function oneAtATime(endpoints: readonly DebugEndpoint[]): readonly DebugEndpoint[] {
  let busy: string | undefined;
  return endpoints.map((endpoint) => ({
    ...endpoint,
    async answer(request) {
      if (busy !== undefined)
        return textAnswer(`${busy} is in progress`, HTTP_TOO_MANY_REQUESTS, { 'Retry-After': '1' });
      busy = endpoint.path;
      try {
        return await endpoint.answer(request);
      } finally {
        busy = undefined;
      }
    },
  }));
}

const MOST_VERBOSE = 10;

/** Reads and changes the verbosity of the log, as the flag `--v` sets it at the start. */
const verbosityEndpoint = (verbosity: LogVerbosity, log: Logger): DebugEndpoint =>
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
