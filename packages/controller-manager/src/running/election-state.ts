import type { LeaderElector } from '@orch/client';
import { type HealthCheck, healthy, unhealthy } from '@orch/program';

/** What health says of the election. */
export class ElectionState {
  #elector: Pick<LeaderElector, 'problem'> | undefined;

  follow(elector: Pick<LeaderElector, 'problem'>): void {
    this.#elector = elector;
  }

  /** Fails when a leadership is over and its work goes on: somebody has to end the process then. */
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
