export type { JsonPatchLimits } from './draft.ts';
export { applyJsonPatch, jsonPatchLimits } from './json-patch.ts';
export { applyMergePatch } from './merge-patch.ts';
export { PatchError, type PatchErrorCode } from './patch-error.ts';
export { StrategicMerge } from './strategic/strategic-merge.ts';
