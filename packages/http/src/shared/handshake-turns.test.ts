import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { HandshakeTurns } from './handshake-turns.ts';

/** Turns of which the test says when they come, and the numbers of the sockets whose handshakes have begun. */
function started() {
  const begun: number[] = [];
  const turns: (() => void)[] = [];
  const sockets: Socket[] = [];
  const handshakes = new HandshakeTurns(
    (socket) => void begun.push(sockets.indexOf(socket)),
    (then) => void turns.push(then),
  );
  const arrive = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const socket = new EventEmitter() as Socket;
      sockets.push(socket);
      handshakes.add(socket);
    }
  };
  return { begun, sockets, arrive, turn: () => turns.shift()?.(), hasTurn: () => turns.length > 0 };
}

describe('handshakes of new connections', () => {
  it('few connections begin their handshakes at once', () => {
    const { begun, arrive } = started();
    arrive(3);
    assert.deepEqual(begun, [0, 1, 2]);
  });

  it('connections that arrive together begin their handshakes in several turns, in their order', () => {
    const { begun, arrive, turn, hasTurn } = started();
    arrive(40);
    assert.equal(begun.length, 16);
    turn();
    arrive(1);
    assert.equal(begun.length, 32, 'a later connection waits for earlier ones');
    while (hasTurn()) turn();
    assert.deepEqual(
      begun,
      Array.from({ length: 41 }, (_, i) => i),
    );
    arrive(16);
    assert.equal(begun.length, 57, 'after a turn without connections they begin at once again');
  });

  it('a connection that ends while it waits has no handshake, and its error ends nothing', () => {
    const { begun, sockets, arrive, turn } = started();
    arrive(18);
    sockets[16]?.emit('error', new Error('reset'));
    sockets[16]?.emit('close');
    turn();
    assert.deepEqual(begun.slice(16), [17]);
  });
});
