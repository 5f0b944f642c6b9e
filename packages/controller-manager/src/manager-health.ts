import { HealthChecks, healthy, logCheck, unhealthy } from '@orch/program';
import type { ControllerStates } from './running/controller-states.ts';
import type { ElectionState } from './running/election-state.ts';

/** The sources of the health checks of a manager. */
export interface ManagerHealthSources {
  readonly states: ControllerStates;
  readonly electionState: ElectionState;
  /** Number of lost log lines. */
  readonly droppedLogLines: () => number;
  readonly isStopping: () => boolean;
}

/** The health checks of a controller manager. A standby is as healthy as the leader. */
export function managerChecks({
  states,
  electionState,
  droppedLogLines,
  isStopping,
}: ManagerHealthSources): HealthChecks {
  const checks = new HealthChecks()
    .add({ name: 'ping', run: () => healthy })
    .add(logCheck(droppedLogLines))
    .add(electionState.check());
  for (const check of states.checks()) checks.add(check);
  return checks.add({
    name: 'shutdown',
    only: ['readyz'],
    run: () => (isStopping() ? unhealthy('the process is shutting down') : healthy),
  });
}
