import { type HealthCheck, healthy, unhealthy } from './checks.ts';

/** Fails when log lines were lost since the previous check. */
export function logCheck(dropped: () => number): HealthCheck {
  let known = 0;
  return {
    name: 'log',
    run() {
      const lost = dropped() - known;
      known += lost;
      return lost === 0 ? healthy : unhealthy(`${lost} lines of the log were lost`);
    },
  };
}
