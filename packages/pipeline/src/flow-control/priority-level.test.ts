import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { dealHand, PriorityLevel, type Seat } from './priority-level.ts';

const queuing = { queues: 8, handSize: 1, queueLengthLimit: 3 };

/** A level whose seats are all occupied by one request. */
function fullLevel(seats: number) {
  const level = new PriorityLevel('l', { seats, queuing });
  const first = level.take(seats) as Seat;
  const order: string[] = [];
  const seatsOf = new Map<string, Seat>();
  const enter = (flow: string, id: string, width = 1) =>
    level.enqueue(flow, width, (seat) => {
      order.push(id);
      seatsOf.set(id, seat);
    });
  return { level, first, order, seatsOf, enter };
}

/** Flows with distinct queues. */
const flowsApart = (count: number): readonly string[] => {
  const found = new Map<number, string>();
  for (let i = 0; found.size < count; i++) {
    const flow = `flow-${i}`;
    const [queue = 0] = dealHand(flow, queuing.queues, queuing.handSize);
    if (!found.has(queue)) found.set(queue, flow);
  }
  return [...found.values()];
};

describe('priority level with queues', () => {
  it('free seats are taken at once, and a request wider than the level takes the whole level', () => {
    const level = new PriorityLevel('l', { seats: 2, queuing: undefined });
    const wide = level.take(10);
    assert.ok(wide);
    assert.equal(level.take(1), undefined);
    level.giveBack(wide, 1);
    assert.ok(level.take(1) && level.take(1));
    assert.equal(level.take(1), undefined);
  });

  it('one request takes at most 15 % of the seats, and leaves room for as many as a flow has queues', () => {
    const widest = (seats: number, handSize: number): number =>
      new PriorityLevel('l', { seats, queuing: { ...queuing, handSize } }).maxWidth;
    assert.deepEqual([widest(49, 6), widest(100, 1), widest(100, 20), widest(3, 6)], [8, 15, 5, 1]);
    assert.equal(new PriorityLevel('l', { seats: 2, queuing: undefined }).maxWidth, Number.POSITIVE_INFINITY);
  });

  it('requests with one seat do not wait for those with several, which together take three quarters of the seats', () => {
    const level = new PriorityLevel('l', { seats: 20, queuing });
    const [greedy = '', modest = ''] = flowsApart(2);
    const order: string[] = [];
    const seats: Seat[] = [];
    const enter = (flow: string, width: number) => {
      level.enqueue(flow, width, (seat) => {
        order.push(flow);
        seats.push(seat);
      });
      level.fill();
    };
    assert.ok(level.take(7) !== undefined && level.take(7) !== undefined);
    assert.equal(level.take(3), undefined);
    for (let i = 0; i < 3; i++) enter(greedy, 3);
    for (let i = 0; i < 6; i++) enter(modest, 1);
    assert.deepEqual([order.length, level.waiting, level.seatsInUse], [6, 3, 20]);
    assert.ok(order.every((flow) => flow === modest));
    // Requests that only wait for others of their kind are owed nothing.
    assert.equal(level.isOwed, false);
    for (const seat of seats.splice(0, 3)) level.giveBack(seat, 1);
    level.giveBack({ width: 7, queue: undefined, isReserved: false }, 1);
    assert.deepEqual(order.slice(6), [greedy, greedy]);
  });

  it('a request with one seat is not queued while only requests with several seats wait for others of their kind', () => {
    const level = new PriorityLevel('l', { seats: 20, queuing });
    const [greedy = '', modest = ''] = flowsApart(2);
    const wide = [level.take(5), level.take(5), level.take(5)];
    const order: string[] = [];
    level.enqueue(greedy, 5, () => order.push('wide'));
    level.fill();
    const narrow = Array.from({ length: 5 }, () => level.take(1));
    assert.ok(narrow.every((seat) => seat !== undefined));
    // No seat is left: requests wait in the order of the queues again.
    assert.equal(level.take(1), undefined);
    level.enqueue(modest, 1, () => order.push('narrow'));
    const [first] = narrow;
    assert.ok(first !== undefined && wide[0] !== undefined);
    assert.deepEqual(order, []);
    level.giveBack(first, 1);
    assert.deepEqual(order, ['narrow']);
    level.giveBack(wide[0], 1);
    assert.deepEqual(order, ['narrow', 'wide']);
  });

  it('requests without a seat are refused when there is no queue, or the queue is full', () => {
    const level = new PriorityLevel('l', { seats: 1, queuing: undefined });
    level.take(1);
    assert.equal(
      level.enqueue('f', 1, () => undefined),
      'concurrency-limit',
    );
    const { enter } = fullLevel(1);
    const outcomes = ['a', 'b', 'c', 'd'].map((id) => enter('f', id));
    assert.deepEqual(
      outcomes.map((one) => typeof one),
      ['object', 'object', 'object', 'string'],
    );
    assert.equal(outcomes[3], 'queue-full');
  });

  it('flows are served in turn, however many requests one of them has', () => {
    const { level, first, order, seatsOf, enter } = fullLevel(1);
    const [heavy = '', light = ''] = flowsApart(2);
    for (const id of ['h1', 'h2', 'h3']) enter(heavy, id);
    enter(light, 'l1');
    level.giveBack(first, 5);
    for (let i = 0; i < 3; i++) level.giveBack(seatsOf.get(order.at(-1) ?? '') as Seat, 3);
    assert.deepEqual(order, ['h1', 'l1', 'h2', 'h3']);
  });

  it('seat time is charged: a flow of slow requests waits longer for its next one', () => {
    const { level, first, order, seatsOf, enter } = fullLevel(1);
    const [slow = '', quick = ''] = flowsApart(2);
    for (const id of ['s1', 's2']) enter(slow, id);
    for (const id of ['q1', 'q2', 'q3']) enter(quick, id);
    level.giveBack(first, 1);
    while (order.length < 5) {
      const last = order.at(-1) ?? '';
      level.giveBack(seatsOf.get(last) as Seat, last.startsWith('s') ? 1000 : 1);
    }
    assert.deepEqual(order, ['s1', 'q1', 'q2', 'q3', 's2']);
  });

  it('no request overtakes a wide request that waits for its seats', () => {
    const { level, first, order, enter } = fullLevel(2);
    const [one = '', other = ''] = flowsApart(2);
    level.giveBack(first, 1);
    const held = [level.take(1), level.take(1)] as Seat[];
    enter(one, 'wide', 2);
    enter(other, 'narrow');
    level.giveBack(held[0] as Seat, 1);
    assert.deepEqual(order, []);
    assert.equal(level.take(1), undefined);
    level.giveBack(held[1] as Seat, 1);
    assert.deepEqual(order, ['wide']);
  });

  it('a flow of which no request executes does not wait for the long requests of others, which have all seats', () => {
    const { level, order, seatsOf, enter } = fullLevel(10);
    const [long = '', short = '', other = '', last = ''] = flowsApart(4);
    for (const id of ['long 1', 'long 2']) enter(long, id);
    for (const id of ['short 1', 'short 2']) enter(short, id);
    enter(last, 'wide', 2);
    level.fill();
    assert.deepEqual(order, ['long 1', 'short 1']);
    // The additional seats are a fifth of the others.
    enter(other, 'other 1');
    level.fill();
    assert.deepEqual([order.length, level.seatsInUse, level.waiting], [2, 12, 4]);
    level.giveBack(seatsOf.get('short 1') as Seat, 1);
    assert.deepEqual(order, ['long 1', 'short 1', 'short 2']);
  });

  it('a flow whose request executes gets no additional seat, also after a time in which nothing waited', () => {
    const { level, order, enter } = fullLevel(10);
    for (const id of ['long 1', 'long 2', 'long 3']) {
      enter('long', id);
      level.fill();
    }
    assert.deepEqual([order, level.seatsInUse, level.waiting], [['long 1'], 11, 2]);
  });

  it('removed requests free their place, and larger limits dispatch queued ones', () => {
    const { level, order, enter } = fullLevel(1);
    const gone = enter('f', 'gone');
    enter('f', 'stays');
    assert.ok(typeof gone !== 'string' && level.leave(gone) && !level.leave(gone));
    level.configure({ seats: 2, queuing });
    assert.deepEqual(order, ['stays']);
    assert.deepEqual([level.waiting, level.seatsInUse], [0, 2]);
  });

  it('seats are never exceeded and no request is lost, in any order of events', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seededRandom(seed);
      const level = new PriorityLevel('l', {
        seats: 4,
        queuing: { queues: 4, handSize: 2, queueLengthLimit: 5 },
      });
      const seats: Seat[] = [];
      let [attributes, served, refused] = [0, 0, 0];
      for (let step = 0; step < 500; step++) {
        if (random.int(2) === 0) {
          attributes++;
          const width = 1 + random.int(3);
          const seat = level.take(width);
          const taken = (given: Seat): void => {
            served++;
            seats.push(given);
          };
          if (seat !== undefined) taken(seat);
          else if (typeof level.enqueue(`f${random.int(9)}`, width, taken) === 'string') refused++;
        } else if (seats.length > 0) {
          const [seat] = seats.splice(random.int(seats.length), 1);
          level.giveBack(seat as Seat, random.int(50));
        }
        const sum = seats.reduce((total, { width }) => total + width, 0);
        assert.equal(level.seatsInUse, sum, `seed ${seed}`);
        assert.ok(sum <= 4, `seed ${seed}`);
        assert.ok(level.waiting === 0 || seats.length > 0, `seed ${seed}`);
      }
      while (seats.length > 0) level.giveBack(seats.shift() as Seat, 1);
      assert.equal(served + refused, attributes, `seed ${seed}`);
      assert.deepEqual([level.waiting, level.seatsInUse], [0, 0]);
    }
  });
});

describe('shuffle sharding of flows', () => {
  it('a flow always has the same distinct queues, and all queues are used', () => {
    const seen = new Set<number>();
    for (let i = 0; i < 200; i++) {
      const hand = dealHand(`f${i}`, 16, 6);
      assert.equal(new Set(hand).size, 6);
      assert.ok(hand.every((queue) => queue >= 0 && queue < 16));
      assert.deepEqual(dealHand(`f${i}`, 16, 6), hand);
      for (const queue of hand) seen.add(queue);
    }
    assert.equal(seen.size, 16);
  });

  it('a heavy flow rarely fills all queues of another flow', () => {
    const heavy = new Set(dealHand('heavy', 128, 6));
    const covered = Array.from({ length: 2000 }, (_, i) => dealHand(`light-${i}`, 128, 6)).filter((hand) =>
      hand.every((queue) => heavy.has(queue)),
    );
    assert.equal(covered.length, 0);
  });
});
