import type { ApiObject } from '@orch/machinery';
import type { StrategyContext, SubresourceRules } from './resource-type.ts';

/** `/status` writes the status and keeps every other field besides the metadata as stored. */
export function restoreAllButStatus(next: ApiObject, old: ApiObject): void {
  for (const field of new Set([...Object.keys(next), ...Object.keys(old)])) {
    if (field === 'status' || field === 'metadata' || field === 'kind' || field === 'apiVersion') continue;
    if (Object.hasOwn(old, field)) next[field] = old[field];
    else delete next[field];
  }
}

/** The rules of `/status` of a kind. */
export const statusRules = (validate?: SubresourceRules['validate']): SubresourceRules => ({
  prepareForUpdate: restoreAllButStatus,
  ...(validate === undefined ? {} : { validate }),
});

const ownedFields = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Keeps the metadata that clients write as stored. */
export function restoreMetadata({ metadata }: ApiObject, old: ApiObject): void {
  for (const field of ownedFields) {
    if (old.metadata[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: old.metadata[field] });
  }
}

/** The rules of `/status` of a kind whose metadata it does not write, either. */
export const statusOnlyRules = (validate?: SubresourceRules['validate']): SubresourceRules => ({
  ...statusRules(validate),
  prepareForUpdate(next, old) {
    restoreAllButStatus(next, old);
    restoreMetadata(next, old);
  },
});

/** The main resource does not write the status. */
export function keepStatus(next: ApiObject, old: ApiObject, _context: StrategyContext): void {
  if (old['status'] === undefined) delete next['status'];
  else next['status'] = old['status'];
}
