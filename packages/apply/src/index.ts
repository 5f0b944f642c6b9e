export type { FieldPath } from './fields/element.ts';
export { emptySet, FieldSet, setOfFields } from './fields/field-set.ts';
export { readFields, writeFields } from './fields/fields-v1.ts';
export { pathText } from './fields/path-text.ts';
export { applyJsonPatch, applyJsonPatchInPieces, jsonPatchLimits } from './json-patch.ts';
export { applyConfig, applyingConfig } from './managed/apply.ts';
export type { Applied, ApplyInput, ApplyResult, Refused } from './managed/apply-result.ts';
export { conflictCauses, conflictMessage } from './managed/conflicts.ts';
export { managedFieldsOf, OLD_UPDATES_MANAGER, withManagedFields } from './managed/encode.ts';
export type { RawEntry } from './managed/owner.ts';
export {
  type UpdatedOwners,
  type UpdateInput,
  type UpdateResult,
  updateOwnership,
  updatingOwnership,
} from './managed/update.ts';
export type { KindVersions } from './managed/versions.ts';
export { applyMergePatch, applyMergePatchInPieces } from './merge-patch.ts';
export { PatchError, type PatchErrorCode } from './patch-error.ts';
export { type ListIdentity, listIdentity } from './shape/list-shape.ts';
export { Shapes } from './shape/shapes.ts';
export { StrategicMerge } from './strategic/strategic-merge.ts';
export { mergeConfiguration } from './typed/merge-configuration.ts';
