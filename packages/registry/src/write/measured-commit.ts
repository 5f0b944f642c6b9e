import type { Clock } from '@orch/machinery';
import { addStep, type Trace } from '@orch/request';
import type { Committed } from '@orch/storage';

/** The request that a transaction belongs to; without a trace it is not measured. */
export interface MeasuredRequest {
  readonly trace: Trace | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly operation: 'create' | 'update' | 'delete';
  /** Name of the object. */
  readonly name: string;
}

/** Commits, and reports to the trace of the request what was written, and the time of the transaction as a step. */
export async function measuredCommit(
  { trace, clock, operation, name }: MeasuredRequest,
  commit: () => Promise<Committed>,
): Promise<Committed> {
  if (trace === undefined) return commit();
  const began = clock.monotonic();
  let refused = true;
  try {
    const committed = await commit();
    refused = !committed.ok;
    if (committed.ok && operation !== 'delete')
      trace.written = { name, resourceVersion: String(committed.rev) };
    return committed;
  } finally {
    addStep(trace, { stage: 'store', name: operation, ms: clock.monotonic() - began, refused });
  }
}
