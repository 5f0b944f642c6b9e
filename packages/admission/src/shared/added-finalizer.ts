import type { AdmissionPlugin, ResourceTarget } from '../types.ts';

/** A plugin that adds a finalizer to new objects; undefined for those that get none. */
export const finalizerPlugin = (
  name: string,
  finalizerOf: (target: ResourceTarget) => string | undefined,
): AdmissionPlugin => ({
  name,
  handles: (target) =>
    target.operation === 'CREATE' && target.subresource === '' && finalizerOf(target) !== undefined,
  mutate(write) {
    const finalizer = finalizerOf(write);
    if (write.object === undefined || finalizer === undefined) return undefined;
    const { metadata } = write.object;
    const present = metadata.finalizers ?? [];
    if (!present.includes(finalizer)) metadata.finalizers = [...present, finalizer];
    return undefined;
  },
});
