import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredAllocation } from '../allocate/allocation-store.ts';
import { classifyUnused, planRepair, type UnusedRounds, type User } from './repair-plan.ts';

const user = (name: string, createdAt = '2024-01-01T00:00:00Z'): User => ({
  namespace: 'n',
  name,
  uid: `uid-${name}`,
  createdAt,
});
const allocation = (value: string, owner?: User, rev = 5): StoredAllocation => ({ value, rev, owner });
const [a, b] = [user('a', '2024-01-02T00:00:00Z'), user('b')];

const planOf = (users: Record<string, readonly User[]>, allocations: readonly StoredAllocation[]) => {
  const plan = planRepair({
    users: new Map(Object.entries(users)),
    allocations,
    isInRange: (value) => value !== 'outside',
  });
  return {
    unallocated: plan.unallocated.map(({ value, user: { name } }) => `${value} ${name}`),
    misnamed: plan.misnamed.map(({ allocation: { value }, user: { name } }) => `${value} ${name}`),
    shared: plan.shared.map(({ value, keeper, others }) =>
      [value, keeper.name, ...others.map(({ name }) => name)].join(' '),
    ),
    outside: plan.outside.map(({ value, user: { name } }) => `${value} ${name}`),
    unused: plan.unused.map(({ value }) => value),
  };
};
const nothing = { unallocated: [], misnamed: [], shared: [], outside: [], unused: [] };

describe('plan of the allocation repair', () => {
  for (const [title, users, allocations, expected] of [
    ['services and allocations that agree need no repair', { x: [a] }, [allocation('x', a)], {}],
    ['a used value without allocation is allocated', { x: [a] }, [], { unallocated: ['x a'] }],
    ['an allocation without user is unused', {}, [allocation('x', a)], { unused: ['x'] }],
    ['an allocation of another owner is misnamed', { x: [a] }, [allocation('x', b)], { misnamed: ['x a'] }],
    ['an unreadable allocation is misnamed', { x: [a] }, [allocation('x')], { misnamed: ['x a'] }],
    [
      'a shared value stays with the owner of its allocation',
      { x: [b, a] },
      [allocation('x', a)],
      { shared: ['x a b'] },
    ],
    [
      'a shared value without allocation stays with the oldest service',
      { x: [a, b] },
      [],
      { unallocated: ['x b'], shared: ['x b a'] },
    ],
    [
      'values outside of the ranges are reported',
      { outside: [a] },
      [allocation('outside', a)],
      { outside: ['outside a'] },
    ],
  ] as const) {
    it(title, () => assert.deepEqual(planOf(users, allocations), { ...nothing, ...expected }));
  }
});

describe('release of unused allocations', () => {
  const rounds = (...seen: readonly (readonly StoredAllocation[])[]): readonly string[] => {
    let unusedRounds: UnusedRounds = {};
    return seen.map((unused) => {
      const classified = classifyUnused(unused, unusedRounds);
      // As read from the store in the next round.
      unusedRounds = JSON.parse(JSON.stringify(classified.unusedRounds)) as UnusedRounds;
      return classified.release.map(({ value }) => value).join();
    });
  };
  const x = allocation('x', a);

  it('an allocation is released after three rounds without a user', () => {
    assert.deepEqual(rounds([x], [x], [x]), ['', '', 'x']);
  });
  it('an allocation that was used in between is counted from one again', () => {
    assert.deepEqual(rounds([x], [x], [], [x], [x], [x]), ['', '', '', '', '', 'x']);
  });
  it('an allocation with a new revision is counted from one again', () => {
    assert.deepEqual(rounds([x], [x], [allocation('x', a, 9)], [allocation('x', a, 9)]), ['', '', '', '']);
  });
  it('at most a thousand unused allocations are counted', () => {
    const many = Array.from({ length: 1500 }, (_, i) => allocation(`v${i}`, a));
    assert.equal(Object.keys(classifyUnused(many, {}).unusedRounds).length, 1000);
  });
  it('values named like properties of Object.prototype are counted', () => {
    assert.deepEqual(rounds([allocation('__proto__', a)], [allocation('constructor', a)]), ['', '']);
  });
});
