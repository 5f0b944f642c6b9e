import type { Names } from '@orch/machinery';
import { UsageError } from '@orch/program';
import type { ManagerFlags } from '../flags/index.ts';

/** Parameters of leader election. Durations in milliseconds. */
export interface ElectionSettings {
  readonly namespace: string;
  readonly name: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

type Flags = Pick<
  ManagerFlags,
  | 'leaderElect'
  | 'leaseDuration'
  | 'renewDeadline'
  | 'retryPeriod'
  | 'leaderResourceName'
  | 'leaderResourceNamespace'
>;

/** The settings without flags. */
export const defaultElection = (names: Names): ElectionSettings => ({
  namespace: names.namespaces.system,
  name: names.programs.controllerManager,
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
});

/** Intervals between attempts have up to 20 % of jitter. */
const JITTER = 1.2;

/** Validates the flags of leader election; undefined when it is disabled. Throws `UsageError`. */
export function electionSettings(flags: Flags, names: Names): ElectionSettings | undefined {
  if (!flags.leaderElect) return undefined;
  const { leaseDuration, renewDeadline, retryPeriod } = flags;
  if (leaseDuration < 1000)
    throw new UsageError('invalid value for --leader-elect-lease-duration: must be 1s or more');
  if (renewDeadline >= leaseDuration)
    throw new UsageError('--leader-elect-renew-deadline must be less than --leader-elect-lease-duration');
  if (retryPeriod <= 0)
    throw new UsageError('invalid value for --leader-elect-retry-period: must be greater than zero');
  if (retryPeriod * JITTER >= renewDeadline)
    throw new UsageError('--leader-elect-retry-period must be well below --leader-elect-renew-deadline');
  const defaults = defaultElection(names);
  return {
    namespace: flags.leaderResourceNamespace || defaults.namespace,
    name: flags.leaderResourceName || defaults.name,
    leaseDurationMs: leaseDuration,
    renewDeadlineMs: renewDeadline,
    retryPeriodMs: retryPeriod,
  };
}
