import type { Clock } from '@orch/machinery';
import { addStep, type Trace } from '@orch/request';
import type { Committed } from '@orch/storage';

/** The request that a transaction belongs to; without a trace it is not measured. */
export interface MeasuredRequest {
  readonly trace: Trace | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly operation: 'create' | 'update' | 'delete';
}

/** Commits, and adds the time of the transaction to the steps of the request. */
export async function measuredCommit(
  { trace, clock, operation }: MeasuredRequest,
  commit: () => Promise<Committed>,
): Promise<Committed> {
  if (trace === undefined) return commit();
  const began = clock.monotonic();
  let refused = true;
  try {
    const committed = await commit();
    refused = !committed.ok;
    return committed;
  } finally {
    addStep(trace, { stage: 'store', name: operation, ms: clock.monotonic() - began, refused });
  }
}
