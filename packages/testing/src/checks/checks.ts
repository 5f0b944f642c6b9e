import { deferred } from '@orch/machinery/concurrency';
import { historyText } from '../expect/history.ts';
import type { ControlPlane } from '../options.ts';
import { ObservedTransport, over } from './observed-transport.ts';
import { type Order, ordersOf } from './orders.ts';
import { differenceOf, type State, stateOf } from './state.ts';
import { perform, type Subject, settle, startControllers, timeoutOf } from './subject.ts';

/** Checks that controllers that start again when all work is done write nothing. Rejects with their writes. */
export async function checkIdempotent(subject: Subject): Promise<void> {
  await using fork = await subject.plane.fork();
  await settle(subject, fork);
  await fork.quiescent({ timeoutMs: timeoutOf(subject) });
  const before = await fork.history();
  const since = before.at(-1)?.revision;
  await settle(subject, fork, { steps: [] });
  const writes = await fork.history({ since });
  if (writes.length > 0)
    throw new Error(`the controllers are not idempotent: after a restart they write\n${historyText(writes)}`);
}

/** How long controllers are observed, and how many requests they may send. */
export interface HotLoopOptions {
  /** The time for which the controllers are observed after all work is done; 300 ms when absent. */
  readonly observeMs?: number;
  /** The number of requests that they may send in that time; 5 when absent. */
  readonly requests?: number;
}

/** Checks that controllers come to rest after the steps, and stay so. Rejects with the latest writes, or the number of requests. */
export async function checkNoHotLoop(
  subject: Subject,
  { observeMs = 300, requests = 5 }: HotLoopOptions = {},
): Promise<void> {
  await using fork = await subject.plane.fork();
  const transport = new ObservedTransport(fork.config.transport);
  const running = startControllers(subject, over(fork.config, transport));
  try {
    await perform(subject.steps, fork);
    await fork.quiescent({ timeoutMs: timeoutOf(subject) });
    const before = transport.requests;
    await fork.quiescent({ timeoutMs: timeoutOf(subject), settleMs: observeMs });
    const sent = transport.requests - before;
    if (sent > requests)
      throw new Error(
        `the controllers are in a hot loop: ${sent} requests within ${observeMs} ms without work`,
      );
  } finally {
    await running.stop();
  }
}

/** The orders of steps that are tried. */
export interface OrdersOptions {
  /** The number of orders that are tried; 8 when absent. Three steps have six. */
  readonly orders?: number;
  /** The number that the orders depend on; 1 when absent. */
  readonly seed?: number;
}

/**
 * Checks that controllers reach the same state from several orders of the steps, with and without a rest between them. Steps must
 * work in every order. Rejects with the order and the objects that differ.
 */
export async function checkOrders(subject: Subject, options: OrdersOptions = {}): Promise<void> {
  await using fork = await subject.plane.fork();
  await settle(subject, fork);
  const expected = await stateOf(fork);
  for (const order of ordersOf(subject.steps.length, options)) {
    await fork.reset();
    await settleInOrder(subject, fork, order);
    await compare(`the order ${order.steps.map((i) => i + 1).join(', ')} of the steps`, expected, fork);
  }
}

async function settleInOrder(subject: Subject, plane: ControlPlane, { steps, rests }: Order): Promise<void> {
  const running = startControllers(subject, plane.config);
  try {
    for (const index of steps) {
      await perform(subject.steps.slice(index, index + 1), plane);
      if (rests) await plane.quiescent({ timeoutMs: timeoutOf(subject) });
    }
    await plane.quiescent({ timeoutMs: timeoutOf(subject) });
  } finally {
    await running.stop();
  }
}

/**
 * Checks that controllers reach the same state if their process is killed after any of their writes, whose answer it does not get,
 * and starts again. Each write is tried. Rejects with the number of the write and the objects that differ.
 */
export async function checkRestarts(subject: Subject): Promise<void> {
  await using fork = await subject.plane.fork();
  const counted = new ObservedTransport(fork.config.transport);
  await settle(subject, fork, { config: over(fork.config, counted) });
  const expected = await stateOf(fork);
  for (let write = 1; write <= counted.writes; write++) {
    await fork.reset();
    await endAfter(write, subject, fork);
    await settle(subject, fork, { steps: [] });
    await compare(`a restart after write ${write} of ${counted.writes}`, expected, fork);
  }
}

/** Performs the steps with controllers that end after a write, or that come to rest before it. */
async function endAfter(write: number, subject: Subject, plane: ControlPlane): Promise<void> {
  const ended = deferred();
  const transport = new ObservedTransport(plane.config.transport, write, ended.resolve);
  const running = startControllers(subject, over(plane.config, transport));
  const failed = running.ended.catch(() => undefined);
  await perform(subject.steps, plane);
  const rest = plane.quiescent({ timeoutMs: timeoutOf(subject) });
  await Promise.race([ended.promise, failed, rest.catch(() => undefined)]);
  // A process that is killed reports nothing.
  await running.stop().catch(() => undefined);
  await rest.catch(() => undefined);
}

async function compare(what: string, expected: State, plane: ControlPlane): Promise<void> {
  const difference = differenceOf(expected, await stateOf(plane));
  if (difference !== undefined) throw new Error(`${what} leads to another state:\n${difference}`);
}
