import type { Subject } from './context.ts';
import { type Measured, measure } from './measure.ts';
import { drive } from './raw-client.ts';

export interface RequestLoad {
  readonly connections: number;
  readonly count: number;
  /** Request number `index`, counted from 0. */
  request(index: number): Buffer;
}

/** Sends requests number `first` to `first + count` and measures the CPU of the server; fails when one is refused. */
export function send(
  { pid, target }: Pick<Subject, 'pid' | 'target'>,
  { connections, count, request }: RequestLoad,
  first = 0,
): Promise<Measured> {
  return measure(pid, async () => {
    let next = first;
    const statuses = await drive(target, connections, () =>
      next < first + count ? request(next++) : undefined,
    );
    const bad = [...statuses].filter(([status]) => status !== 200 && status !== 201);
    if (bad.length > 0)
      throw new Error(`answers to ${request(first).subarray(0, 200)}: ${JSON.stringify(bad)}`);
    return count;
  });
}

/** A run of `compared`: each call continues with the next requests. */
export function continued(
  subject: Pick<Subject, 'pid' | 'target'>,
  load: RequestLoad,
): () => Promise<Measured> {
  let first = 0;
  return () => {
    const from = first;
    first += load.count;
    return send(subject, load, from);
  };
}
