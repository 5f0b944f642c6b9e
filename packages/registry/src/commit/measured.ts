import type { Clock } from '@orch/machinery';
import { addStep, type Trace } from '@orch/request';
import type { Committed, Write } from '@orch/storage';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';

/** Reports to the trace of the request what was written, and the time of the transaction as a step. */
export const measured = (next: ObjectCommitter, clock: Pick<Clock, 'monotonic'>): ObjectCommitter => ({
  commit: (object, write) =>
    object.trace === undefined
      ? next.commit(object, write)
      : commitMeasured({ next, clock }, object, { write, trace: object.trace }),
});

async function commitMeasured(
  { next, clock }: { readonly next: ObjectCommitter; readonly clock: Pick<Clock, 'monotonic'> },
  object: ObjectWrite,
  { write, trace }: { readonly write: Write; readonly trace: Trace },
): Promise<Committed> {
  const began = clock.monotonic();
  let refused = true;
  try {
    const committed = await next.commit(object, write);
    refused = !committed.ok;
    if (committed.ok && write.op !== 'delete')
      trace.written = { name: object.name, resourceVersion: String(committed.rev) };
    return committed;
  } finally {
    addStep(trace, { stage: 'store', name: write.op, ms: clock.monotonic() - began, refused });
  }
}
