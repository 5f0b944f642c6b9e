import { describe, it } from 'node:test';
import { checkout, Deployment, obstacle } from './rolling/deployment.ts';
import { type Load, rollingRestart } from './rolling/rolling-restart.ts';

/**
 * `make soak-rolling` runs each balancer with each version of HTTP with 5,000 watches and 500 writes a second; in `make test` all
 * four share one short restart.
 */
const watches = Number(process.env['ROLLING_WATCHES'] ?? '200');
const writesPerSecond = Number(process.env['ROLLING_WRITES_PER_SECOND'] ?? '50');
const isLong = process.env['ROLLING_WATCHES'] !== undefined;

const combinations = (['haproxy', 'nginx'] as const).flatMap((balancer) =>
  (['HTTP/2', 'HTTP/1.1'] as const).map((protocol) => ({ balancer, protocol })),
);

/** Health checks every 100 ms, so that a delay of a second suffices. */
const hastened = (text: string): string =>
  text.replace('inter 1s fastinter 500ms', 'inter 100ms fastinter 100ms');

const runs: readonly (readonly Load[])[] = isLong
  ? combinations.map((each) => [{ ...each, watches, writesPerSecond }])
  : [combinations.map((each) => ({ ...each, watches: watches / 4, writesPerSecond: writesPerSecond / 4 }))];

const titleOf = (loads: readonly Load[]): string =>
  loads.map(({ balancer, protocol }) => `${balancer} over ${protocol}`).join(', ');

describe('rolling restarts of all replicas behind a balancer', {
  skip: obstacle(),
  timeout: 1_800_000,
}, () => {
  for (const loads of runs) {
    it(`no request fails and no watch misses or repeats an event, and watches spread over the replicas again: ${titleOf(loads)}`, async (t) => {
      await using deployment = new Deployment(
        isLong
          ? { flags: ['--goaway-chance=0.02'] }
          : { flags: ['--goaway-chance=0.02', '--shutdown-delay-duration=1s'], haproxy: hastened },
      );
      await deployment.start();
      const report = await rollingRestart({
        deployment,
        loads,
        watchSeconds: isLong ? 120 : 4,
        settleMs: isLong ? 5_000 : 500,
        checkouts: [checkout],
      });
      t.diagnostic(JSON.stringify(report));
    });
  }
});
