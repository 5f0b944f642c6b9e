import type { RequestOptions } from '@orch/testkit';
import type { Exchange } from '../exchange.ts';
import { refusal } from '../invalid-objects.ts';

/** A request that both servers get. */
export interface RequestCase extends RequestOptions {
  readonly method: string;
  readonly path: string;
  /** Tells cases of one path apart in reports. */
  readonly step?: string;
  readonly project?: (body: unknown) => unknown;
}

/** Requests to a server at the same time. */
const AT_ONCE = 16;

/** Sends requests that change nothing, some at a time. */
export async function sendAll(exchange: Exchange, cases: readonly RequestCase[]): Promise<void> {
  for (let first = 0; first < cases.length; first += AT_ONCE)
    await Promise.all(cases.slice(first, first + AT_ONCE).map((one) => sendOne(exchange, one)));
}

/** Sends requests in their order, each of which may change what the next one finds. */
export async function sendInOrder(exchange: Exchange, cases: readonly RequestCase[]): Promise<void> {
  for (const one of cases) await sendOne(exchange, one);
}

async function sendOne(exchange: Exchange, { method, path, ...options }: RequestCase): Promise<void> {
  await exchange.send(method, path, { project: refusal, ...options });
}

/** Every combination of a value of each list. */
export function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (all, list) => all.flatMap((head) => list.map((value) => [...head, value])),
    [[]],
  );
}

/** A query of the parameters that have a value. */
export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0
    ? ''
    : `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
