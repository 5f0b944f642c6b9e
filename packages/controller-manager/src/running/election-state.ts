import type { LeaderElector } from '@orch/client';
import { type HealthCheck, healthy, unhealthy } from '@orch/program';

/** The health of leader election. */
export class ElectionState {
  #elector: Pick<LeaderElector, 'problem'> | undefined;

  observe(elector: Pick<LeaderElector, 'problem'>): void {
    this.#elector = elector;
  }

  /** Fails when work continues after the end of the leadership: the process must be killed then. */
  check(): HealthCheck {
    return {
      name: 'leaderElection',
      run: () => {
        const problem = this.#elector?.problem();
        return problem === undefined ? healthy : unhealthy(problem);
      },
    };
  }
}
