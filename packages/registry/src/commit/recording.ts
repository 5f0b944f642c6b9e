import type { SideWrites, Write } from '@orch/storage';
import type { ChangeRecorder } from '../resource/change-recorder.ts';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';

/** Records each write in the history of its object, in the same transaction. */
export const recording = (next: ObjectCommitter, recorder: ChangeRecorder): ObjectCommitter => ({
  commit: (object, write) => next.commit(object, recorded(recorder, object, write)),
});

function recorded(recorder: ChangeRecorder, object: ObjectWrite, write: Write): Write & SideWrites {
  const { resource, key, old, expected, next, user, trace } = object;
  // The state was looked for in vain: the write fails, because the object has changed.
  if (expected !== undefined && old === undefined) return write;
  const also = recorder.sidesOf({
    resource,
    key,
    old,
    next: next === undefined ? undefined : { uid: next.object.metadata.uid ?? '', bytes: next.value.length },
    user,
    trace,
  });
  return also === undefined ? write : { ...write, also };
}
