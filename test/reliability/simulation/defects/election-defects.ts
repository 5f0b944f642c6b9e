import { type Leadership, leaderElector } from '@orch/client';
import { testClient } from '@orch/client/testing';
import { type PlantedDefect, replaceMethod } from './planted-defect.ts';

interface Term extends Leadership {
  extend(sentAt: number): void;
}

/** The prototype of leaderships, which the library does not export. */
async function leadershipPrototype(): Promise<Term> {
  const { client, env, stop } = testClient();
  let found: Leadership | undefined;
  const elector = leaderElector({ client, env, namespace: 'system', name: 'any', identity: 'any' });
  await elector.run(async (leadership) => {
    found = leadership;
  }, stop.signal);
  return Object.getPrototypeOf(found) as Term;
}

const term = await leadershipPrototype();

/** Longer than the time between two renewals, as the difference of the clocks of two machines would be. */
const LATE_MS = 12_000;

export const electionDefects: readonly PlantedDefect[] = [
  {
    what: 'leader election: a leadership is valid until its signal aborts, by whatever clock',
    make: () => ({
      plant: () =>
        replaceMethod(
          term,
          'isValid',
          () =>
            function (this: Term) {
              return !this.signal.aborted;
            },
        ),
    }),
  },
  {
    what: 'leader election: a renewal extends the leadership too far',
    make: () => ({
      plant: () =>
        replaceMethod(
          term,
          'extend',
          (original) =>
            function (this: Term, sentAt) {
              original.call(this, sentAt + LATE_MS);
            },
        ),
    }),
  },
];
