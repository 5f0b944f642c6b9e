import { type ApiObject, hasDeletionTimestamp, isJsonObject } from '@orch/machinery';

export type FinalizerDecision = 'keep' | 'add' | 'removeWhenUnused';

/** What a volume or a claim needs: the finalizer from its beginning on, until it is deleted and nobody uses it. */
export function decideFinalizer({ metadata }: ApiObject, finalizer: string): FinalizerDecision {
  const isProtected = metadata.finalizers?.includes(finalizer) === true;
  if (hasDeletionTimestamp(metadata)) return isProtected ? 'removeWhenUnused' : 'keep';
  return isProtected ? 'keep' : 'add';
}

/** The object with or without the finalizer. */
export function withFinalizer(object: ApiObject, finalizer: string, isWanted: boolean): ApiObject {
  const others = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  const finalizers = isWanted ? [...others, finalizer] : others;
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** A volume is used while a claim is bound to it. */
export const isVolumeBound = ({ status }: ApiObject): boolean =>
  isJsonObject(status) && status['phase'] === 'Bound';
