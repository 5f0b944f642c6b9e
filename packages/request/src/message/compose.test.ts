import assert from 'node:assert/strict';
import { it } from 'node:test';
import { before } from './contexts.ts';
import type { Handler, Received, Stage } from './types.ts';

interface A extends Received {
  readonly a: number;
}
interface B extends A {
  readonly b: number;
}

it('stages run in their order, and a different order does not compile', () => {
  const toA: Stage<Received, A> = (context, next) => next({ ...context, a: 1 });
  const toB: Stage<A, B> = (context, next) => next({ ...context, b: context.a + 1 });
  const seen: B[] = [];
  const end: Handler<B> = (context) => {
    seen.push(context);
    return { kind: 'bytes', status: 200, headers: {}, body: Buffer.alloc(0) };
  };
  const right: Handler<Received> = before(toA, before(toB, end));
  right({ request: {} as Received['request'] });
  assert.deepEqual([seen[0]?.a, seen[0]?.b], [1, 2]);

  // @ts-expect-error toB needs what only toA provides.
  const missing: Handler<Received> = before(toB, end);
  // @ts-expect-error The end needs what toB provides.
  const early: Handler<Received> = before(toA, end);
  // @ts-expect-error toB stands before toA here.
  const swapped: Handler<Received> = before(toB, before(toA, end));
  assert.equal([missing, early, swapped].length, 3);
});
