import { Pace, type Work } from '@orch/machinery/concurrency';
import {
  copyFieldsInPieces,
  hasManyParts,
  isJsonObject,
  type MutableJsonObject,
  setField,
} from '@orch/machinery/json';

/**
 * JSON merge patch (RFC 7386): fields of the patch replace those of the document, null removes them, objects merge.
 * Pure: the result may share parts with both inputs, which stay as they are. Recursion is as deep as the patch, whose
 * depth its reader has bounded.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result: MutableJsonObject = isJsonObject(document) ? { ...document } : {};
  for (const name of Object.keys(patch)) {
    const change = patch[name];
    if (change === null) delete result[name];
    else {
      const before = Object.hasOwn(result, name) ? result[name] : undefined;
      setField(result, name, applyMergePatch(before, change));
    }
  }
  return result;
}

/** Like `applyMergePatch`, in pieces. */
export const applyMergePatchInPieces = (document: unknown, patch: unknown): Work<unknown> =>
  merging(document, patch, new Pace());

function* merging(document: unknown, patch: unknown, pace: Pace): Work<unknown> {
  if (!isJsonObject(patch) || !(hasManyParts(document) || hasManyParts(patch)))
    return applyMergePatch(document, patch);
  const result: MutableJsonObject = isJsonObject(document) ? yield* copyFieldsInPieces(document) : {};
  for (const name of Object.keys(patch)) {
    if (pace.isDue()) yield;
    const change = patch[name];
    if (change === null) delete result[name];
    else {
      const before = Object.hasOwn(result, name) ? result[name] : undefined;
      setField(result, name, isJsonObject(change) ? yield* merging(before, change, pace) : change);
    }
  }
  return result;
}
