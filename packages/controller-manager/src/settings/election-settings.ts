import type { Names } from '@orch/machinery';
import { UsageError } from '@orch/program';
import type { ManagerFlags } from '../flags/manager-flags.ts';

/** How managers agree on who works. Durations in milliseconds. */
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

/** What is the case where no flags speak of it. */
export const defaultElection = (names: Names): ElectionSettings => ({
  namespace: names.namespaces.system,
  name: names.programs.controllerManager,
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
});

/** Waits between attempts are up to a fifth longer, by chance. */
const JITTER = 1.2;

/** Checks what flags say of leader election; undefined without one. Throws `UsageError`. */
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
