import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { alwaysAllow, alwaysDeny, firstOpinion } from './authorizers.ts';
import { authenticatorOfMethods } from './methods.ts';
import type { Attributes, Authentication, Authorizer, Credentials } from './types.ts';
import { unionAuthenticator } from './union.ts';

const user: Authentication = { kind: 'user', user: { name: 'u', uid: '', groups: [], extra: {} } };
const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

describe('union of authenticators', () => {
  for (const [what, outcomes, expected] of [
    ['none without authenticators', [], none],
    ['none when none authenticates', [none, none], none],
    ['the first success', [none, user, rejected('late')], user],
    ['a success after a rejection', [rejected('a'), user], user],
    ['the first rejection', [none, rejected('a'), rejected('b')], rejected('a')],
    [
      'the first rejection, and the first text for reviews',
      [
        rejected('a'),
        { ...rejected('b'), clientMessage: 'why' },
        { ...rejected('c'), clientMessage: 'other' },
      ],
      { ...rejected('a'), clientMessage: 'why' },
    ],
  ] as const) {
    for (const later of [[], [0], [1], [0, 1, 2]]) {
      it(`the outcome is ${what}${later.length === 0 ? '' : `, when ${later} answer later`}`, async () => {
        const asked: number[] = [];
        const union = unionAuthenticator(
          outcomes.map((outcome, index) => ({
            authenticate() {
              asked.push(index);
              return later.includes(index) ? Promise.resolve(outcome) : outcome;
            },
          })),
        );
        assert.deepEqual(await union.authenticate({ headers: {} } as Credentials), expected);
        const decider = outcomes.findIndex((outcome) => outcome.kind === 'user');
        assert.equal(asked.length, decider < 0 ? outcomes.length : decider + 1);
      });
    }
  }
});

describe('authentication methods in order', () => {
  const methods = ['requestHeader', 'clientCertificate', 'tokenFile', 'oidc'] as const;
  const orders = (left: readonly number[]): number[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  const userNamed = (name: string): Authentication => ({
    kind: 'user',
    user: { name, uid: '', groups: [], extra: {} },
  });
  const failing = new Error('unreachable');

  for (const [what, outcomes, expected] of [
    ['all authenticate', methods.map(userNamed), userNamed('requestHeader')],
    [
      'all but the first authenticate',
      [none, ...methods.slice(1).map(userNamed)],
      userNamed('clientCertificate'),
    ],
    ['some reject', [rejected('a'), none, userNamed('t'), rejected('b')], userNamed('t')],
    ['one fails', [none, failing, userNamed('t'), none], userNamed('t')],
    ['one fails, and none authenticates', [rejected('a'), failing, none, none], failing],
    ['two reject', [none, rejected('a'), rejected('b'), none], rejected('a')],
    ['there are no credentials', [none, none, none, none], none],
  ] as const) {
    it(`the outcome is the same in any order of methods and with any of them delayed, when ${what}`, async () => {
      for (const order of orders([0, 1, 2, 3])) {
        for (const late of [[], [0], [1, 2], [0, 1, 2, 3]]) {
          const parts = order.map((index) => {
            const outcome = outcomes[index] ?? none;
            return [
              methods[index] ?? 'oidc',
              {
                authenticate() {
                  if (outcome instanceof Error) {
                    if (late.includes(index)) return Promise.reject(outcome);
                    throw outcome;
                  }
                  return late.includes(index) ? Promise.resolve(outcome) : outcome;
                },
              },
            ] as const;
          });
          const union = authenticatorOfMethods(Object.fromEntries(parts), namesFor('orch'));
          const authenticate = async () => union.authenticate({ headers: {} } as Credentials);
          if (expected instanceof Error) await assert.rejects(authenticate, expected);
          else assert.deepEqual(await authenticate(), expected);
        }
      }
    });
  }
});

describe('union of authorizers', () => {
  const silent: Authorizer = { authorize: () => ({ verdict: 'noOpinion', reason: 'unsure' }) };
  for (const [what, chain, verdict] of [
    ['that of the only authorizer', [alwaysAllow], 'allow'],
    ['that of the first authorizer with an opinion', [silent, alwaysDeny, alwaysAllow], 'deny'],
    ['no opinion without any', [silent, silent], 'noOpinion'],
  ] as const) {
    it(`the decision is ${what}`, async () => {
      const decision = await firstOpinion(chain).authorize({} as Attributes, {
        signal: new AbortController().signal,
      });
      assert.equal(decision.verdict, verdict);
    });
  }
});
