import { HealthChecks, healthy, logCheck, unhealthy } from '@orch/program';
import type { ControllerStates } from './running/controller-states.ts';
import type { ElectionState } from './running/election-state.ts';

/** What the health of a manager looks at. */
export interface ManagerHealthSources {
  readonly states: ControllerStates;
  readonly electionState: ElectionState;
  /** Lines that the log has lost so far. */
  readonly droppedLogLines: () => number;
  readonly isStopping: () => boolean;
}

/** The checks of a controller manager: one that stands by is as healthy as one that works. */
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
