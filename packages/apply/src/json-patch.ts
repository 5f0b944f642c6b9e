import { atOnce, type Work } from '@orch/machinery/concurrency';
import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import { Draft, type DraftOptions, type JsonPatchLimits } from './draft.ts';
import { parsePointer } from './json-pointer.ts';
import { deeperThan } from './json-value.ts';
import { deeperThanInPieces } from './json-value-in-pieces.ts';
import { PatchError } from './patch-error.ts';

export const jsonPatchLimits: JsonPatchLimits = {
  maxOperations: 10_000,
  maxCopiedBytes: 3 * 1024 * 1024,
  maxMovedItems: 1_000_000_000,
  maxDepth: 500,
};

/**
 * JSON patch (RFC 6902): all six operations, in order, all or nothing. As in other servers of this API, negative indices
 * count from the end, an absent member of an object is null for `test` and `copy`, `replace` may set it, and an absent
 * "value" is null. Pure: `document` and `operations` stay as they are, and parts that the patch does not touch are shared
 * with the result. Throws `PatchError`.
 */
export const applyJsonPatch = (
  document: unknown,
  operations: unknown,
  limits: JsonPatchLimits = jsonPatchLimits,
): unknown => atOnce(applying(document, operations, { limits, isLarge: false }));

/** Like `applyJsonPatch`, in pieces. */
export const applyJsonPatchInPieces = (
  document: unknown,
  operations: unknown,
  limits: JsonPatchLimits = jsonPatchLimits,
): Work<unknown> => applying(document, operations, { limits, isLarge: true });

function* applying(document: unknown, operations: unknown, options: DraftOptions): Work<unknown> {
  const { limits, isLarge } = options;
  if (!Array.isArray(operations))
    throw new PatchError('malformed', 'a JSON patch must be an array of operations');
  if (operations.length > limits.maxOperations) {
    throw new PatchError(
      'tooLarge',
      `a JSON patch may have at most ${limits.maxOperations} operations, this one has ${operations.length}`,
    );
  }
  const draft = new Draft(document, options);
  for (const [i, operation] of operations.entries()) {
    yield* perform(draft, operation, i);
    if (isLarge) yield;
  }
  const { root } = draft;
  const isTooDeep = isLarge
    ? yield* deeperThanInPieces(root, limits.maxDepth)
    : deeperThan(root, limits.maxDepth);
  if (isTooDeep)
    throw new PatchError('failed', `the patched object would nest deeper than ${limits.maxDepth} levels`);
  return root;
}

function* perform(draft: Draft, operation: unknown, position: number): Work<void> {
  const part = `operation ${position} of the JSON patch`;
  if (!isJsonObject(operation)) throw new PatchError('malformed', `${part} must be an object`, part);
  try {
    yield* performOne(draft, operation);
  } catch (cause) {
    if (!(cause instanceof PatchError)) throw cause;
    throw new PatchError(cause.code, `${part}: ${cause.message}`, part);
  }
}

function* performOne(draft: Draft, operation: MutableJsonObject): Work<void> {
  const name = operation['op'];
  switch (name) {
    case 'add':
      yield* draft.add(pointer(operation, 'path'), value(operation));
      return;
    case 'remove':
      yield* draft.remove(pointer(operation, 'path'));
      return;
    case 'replace':
      yield* draft.replace(pointer(operation, 'path'), value(operation));
      return;
    case 'move':
      yield* draft.move(pointer(operation, 'from'), pointer(operation, 'path'));
      return;
    case 'copy':
      yield* draft.copy(pointer(operation, 'from'), pointer(operation, 'path'));
      return;
    case 'test':
      yield* draft.test(pointer(operation, 'path'), value(operation));
      return;
    default:
      throw new PatchError('failed', `unknown op ${JSON.stringify(name) ?? 'undefined'}`);
  }
}

function pointer(operation: MutableJsonObject, field: 'path' | 'from'): readonly string[] {
  const text = Object.hasOwn(operation, field) ? operation[field] : undefined;
  if (typeof text !== 'string') {
    throw new PatchError(
      'failed',
      `${JSON.stringify(operation['op'])} needs a string ${JSON.stringify(field)}`,
    );
  }
  return parsePointer(text);
}

const value = (operation: MutableJsonObject): unknown =>
  Object.hasOwn(operation, 'value') ? operation['value'] : null;
