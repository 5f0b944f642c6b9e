import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FoundClaim } from '../allocate/claims.ts';
import { judge, planRepair, type Suspects, type User } from './repair-plan.ts';

const user = (name: string, createdAt = '2024-01-01T00:00:00Z'): User => ({
  namespace: 'n',
  name,
  uid: `uid-${name}`,
  createdAt,
});
const claim = (value: string, owner?: User, rev = 5): FoundClaim => ({ value, rev, owner });
const [a, b] = [user('a', '2024-01-02T00:00:00Z'), user('b')];

const planOf = (users: Record<string, readonly User[]>, claims: readonly FoundClaim[]) => {
  const plan = planRepair({
    users: new Map(Object.entries(users)),
    claims,
    isInRange: (value) => value !== 'outside',
  });
  return {
    unclaimed: plan.unclaimed.map(({ value, user: { name } }) => `${value} ${name}`),
    misnamed: plan.misnamed.map(({ claim: { value }, user: { name } }) => `${value} ${name}`),
    shared: plan.shared.map(({ value, keeper, others }) =>
      [value, keeper.name, ...others.map(({ name }) => name)].join(' '),
    ),
    outside: plan.outside.map(({ value, user: { name } }) => `${value} ${name}`),
    unused: plan.unused.map(({ value }) => value),
  };
};
const nothing = { unclaimed: [], misnamed: [], shared: [], outside: [], unused: [] };

describe('a plan of repair', () => {
  for (const [title, users, claims, expected] of [
    ['has nothing to do where all agree', { x: [a] }, [claim('x', a)], {}],
    ['claims what a service has', { x: [a] }, [], { unclaimed: ['x a'] }],
    ['finds what nobody has', {}, [claim('x', a)], { unused: ['x'] }],
    ['names the one who has it', { x: [a] }, [claim('x', b)], { misnamed: ['x a'] }],
    ['names who has what an unreadable claim holds', { x: [a] }, [claim('x')], { misnamed: ['x a'] }],
    [
      'leaves a shared value to the owner of the claim',
      { x: [b, a] },
      [claim('x', a)],
      { shared: ['x a b'] },
    ],
    [
      'leaves a shared value that nobody claims to the oldest',
      { x: [a, b] },
      [],
      { unclaimed: ['x b'], shared: ['x b a'] },
    ],
    [
      'tells of values outside of the ranges',
      { outside: [a] },
      [claim('outside', a)],
      { outside: ['outside a'] },
    ],
  ] as const) {
    it(title, () => assert.deepEqual(planOf(users, claims), { ...nothing, ...expected }));
  }
});

describe('unused claims', () => {
  const rounds = (...seen: readonly (readonly FoundClaim[])[]): readonly string[] => {
    let suspects: Suspects = {};
    return seen.map((unused) => {
      const judged = judge(unused, suspects);
      // As it lies in the store between the rounds.
      suspects = JSON.parse(JSON.stringify(judged.suspects)) as Suspects;
      return judged.release.map(({ value }) => value).join();
    });
  };
  const x = claim('x', a);

  it('are given back when they were seen in three rounds', () => {
    assert.deepEqual(rounds([x], [x], [x]), ['', '', 'x']);
  });
  it('are looked at anew when they were used in between', () => {
    assert.deepEqual(rounds([x], [x], [], [x], [x], [x]), ['', '', '', '', '', 'x']);
  });
  it('are looked at anew when they are others', () => {
    assert.deepEqual(rounds([x], [x], [claim('x', a, 9)], [claim('x', a, 9)]), ['', '', '', '']);
  });
  it('are remembered by the thousand, not more', () => {
    const many = Array.from({ length: 1500 }, (_, i) => claim(`v${i}`, a));
    assert.equal(Object.keys(judge(many, {}).suspects).length, 1000);
  });
  it('of any name are remembered as what they are', () => {
    assert.deepEqual(rounds([claim('__proto__', a)], [claim('constructor', a)]), ['', '']);
  });
});
