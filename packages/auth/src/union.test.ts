import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alwaysAllow, alwaysDeny, firstOpinion } from './authorizers.ts';
import type { Attributes, Authentication, Authorizer, Credentials } from './types.ts';
import { unionAuthenticator } from './union.ts';

const user: Authentication = { kind: 'user', user: { name: 'u', uid: '', groups: [], extra: {} } };
const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

describe('unionAuthenticator', () => {
  for (const [what, outcomes, expected] of [
    ['nobody', [], none],
    ['nobody who knows', [none, none], none],
    ['the first who knows', [none, user, rejected('late')], user],
    ['one who knows after one who rejects', [rejected('a'), user], user],
    ['the first who rejects', [none, rejected('a'), rejected('b')], rejected('a')],
  ] as const) {
    for (const later of [[], [0], [1], [0, 1, 2]]) {
      it(`takes the word of ${what}${later.length === 0 ? '' : `, when ${later} answer later`}`, async () => {
        const asked: number[] = [];
        const union = unionAuthenticator(
          outcomes.map((outcome, index) => ({
            authenticate() {
              asked.push(index);
              return later.includes(index) ? Promise.resolve(outcome) : outcome;
            },
          })),
        );
        assert.deepEqual(await union.authenticate({} as Credentials), expected);
        const decider = outcomes.findIndex((outcome) => outcome.kind === 'user');
        assert.equal(asked.length, decider < 0 ? outcomes.length : decider + 1);
      });
    }
  }
});

describe('firstOpinion', () => {
  const silent: Authorizer = { authorize: () => ({ verdict: 'noOpinion', reason: 'unsure' }) };
  for (const [what, chain, verdict] of [
    ['one that allows', [alwaysAllow], 'allow'],
    ['the first with an opinion', [silent, alwaysDeny, alwaysAllow], 'deny'],
    ['nobody', [silent, silent], 'noOpinion'],
  ] as const) {
    it(`follows ${what}`, async () => {
      const decision = await firstOpinion(chain).authorize({} as Attributes, {
        signal: new AbortController().signal,
      });
      assert.equal(decision.verdict, verdict);
    });
  }
});
