import type { Env, LogVerbosity } from '@orch/machinery';
import type { DebugEndpoint } from './endpoint.ts';
import { DebugEndpoints } from './endpoints.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { profileEndpoints } from './profiles.ts';
import { runtimeEndpoints } from './runtime.ts';
import { verbosityEndpoint } from './verbosity.ts';

export interface ProcessDebugOptions {
  readonly env: Pick<Env, 'clock' | 'log'>;
  readonly verbosity: LogVerbosity;
  /** Whether profiles are served. */
  readonly hasProfiles: boolean;
  /** Expensive endpoints of the program: only one of them, or of the profiles, runs at a time. */
  readonly costly?: readonly DebugEndpoint[];
}

/** The endpoints below `/debug` that every program has. */
export const processDebug = ({
  env,
  verbosity,
  hasProfiles,
  costly = [],
}: ProcessDebugOptions): DebugEndpoints =>
  new DebugEndpoints().add(
    verbosityEndpoint(verbosity, env.log),
    ...oneAtATime([...(hasProfiles ? profileEndpoints(env.clock) : []), ...costly]),
    ...runtimeEndpoints(env.clock),
  );
