import type { ApiObject } from '@orch/machinery';

/** The object with or without the finalizer. */
export function withFinalizer<T extends ApiObject>(object: T, finalizer: string, isWanted: boolean): T {
  const others = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  const finalizers = isWanted ? [...others, finalizer] : others;
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
