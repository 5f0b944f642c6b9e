import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { HandshakeTurns } from './handshake-turns.ts';

/** Handshakes by the numbers of their sockets, which begin when they are due. */
function started() {
  const begun: number[] = [];
  const turns: (() => void)[] = [];
  const sockets: Socket[] = [];
  const clock = new FakeClock();
  const handshakes = new HandshakeTurns({
    begin: (socket) => void begun.push(sockets.indexOf(socket)),
    clock,
    next: (then) => void turns.push(then),
  });
  const settle = (): void => {
    while (turns.length > 0) turns.shift()?.();
  };
  const arrive = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const socket = new EventEmitter() as Socket;
      sockets.push(socket);
      handshakes.add(socket);
    }
  };
  const end = (index: number): void => {
    const socket = sockets[index];
    if (socket !== undefined) handshakes.end(socket);
  };
  const pass = (ms: number): void => {
    clock.advance(ms);
    settle();
  };
  return { begun, sockets, clock, arrive, end, settle, pass };
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

describe('handshakes of new connections', () => {
  it('connections that arrive together begin their handshakes in several turns', () => {
    const { begun, arrive, settle } = started();
    arrive(20);
    assert.deepEqual(begun, upTo(1));
    settle();
    assert.deepEqual(begun, upTo(20));
  });

  it('a connection waits while many handshakes are in progress, and begins its own when one has ended', () => {
    const { begun, arrive, end, settle } = started();
    arrive(100);
    settle();
    assert.deepEqual(begun, upTo(64));
    for (const index of [5, 0, 63]) end(index);
    settle();
    assert.deepEqual(begun, upTo(67));
    end(5);
    settle();
    assert.equal(begun.length, 67, 'a connection ends once');
  });

  it('a connection that ends while it waits has no handshake, and its error ends nothing', () => {
    const { begun, sockets, arrive, end, settle } = started();
    arrive(66);
    for (const index of [9, 64]) {
      sockets[index]?.emit('error', new Error('reset'));
      end(index);
    }
    settle();
    assert.deepEqual(
      begun,
      upTo(66).filter((index) => index !== 9 && index !== 64),
    );
  });

  it('clients that do not continue their handshakes keep others waiting for half a second, later for less', () => {
    const { begun, arrive, end, pass } = started();
    arrive(1000);
    pass(499);
    assert.equal(begun.length, 64);
    pass(1);
    assert.equal(begun.length, 128);
    pass(250);
    assert.equal(begun.length, 192);
    pass(125);
    assert.equal(begun.length, 256);
    for (let spent = 0; spent < 600; spent += 10) pass(10);
    assert.ok(begun.length >= 256 + 64 * 9, `${begun.length} have begun, 64 in each 50 ms`);
    end(999);
    assert.deepEqual(begun, upTo(begun.length), 'the order of arrival');
  });

  it('the patience with slow clients comes back while others complete their handshakes', () => {
    const { begun, sockets, arrive, end, settle, pass } = started();
    arrive(64 * 8);
    pass(5000);
    assert.equal(begun.length, 64 * 8);
    for (const index of sockets.keys()) end(index);
    const completed = sockets.length;
    for (let i = 0; i < 2000; i++) {
      arrive(1);
      settle();
      end(completed + i);
    }
    const before = begun.length;
    arrive(65);
    pass(499);
    assert.equal(begun.length, before + 64);
    pass(1);
    assert.equal(begun.length, before + 65);
  });

  it('nothing is inspected while no connection waits', () => {
    const { clock, arrive, end, pass } = started();
    arrive(64);
    assert.equal(clock.pending, 0);
    arrive(1);
    assert.equal(clock.pending, 1);
    end(0);
    pass(1000);
    assert.equal(clock.pending, 0);
  });
});
