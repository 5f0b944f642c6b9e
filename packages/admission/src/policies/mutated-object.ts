import { applyJsonPatch, PatchError } from '@orch/apply';
import { EvaluationError, toJson, type Value } from '@orch/cel';
import type { ApiObject } from '@orch/machinery';
import { isJsonObject, type JsonObject, jsonEquals } from '@orch/machinery/json';
import type { ExpressionFailure } from '../expressions/index.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import type { CompiledMutation } from './mutation-program.ts';

/** A mutation that cannot be applied: the failure policy applies. */
export class MutationError extends Error implements ExpressionFailure {
  override readonly name = 'MutationError';
  readonly withoutValues: string;

  constructor({ message, withoutValues = message }: ExpressionFailure) {
    super(message);
    this.withoutValues = withoutValues;
  }
}

/** Fields that identify an object, or that only the server sets. */
const kept = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
] as const;

/** Applies the result of a mutation to an object in the version of the policy. Throws a `MutationError`. */
export function mutatedObject(
  object: ApiObject,
  { mutation, result }: { readonly mutation: CompiledMutation; readonly result: Value },
  version: VersionedResource,
): JsonObject {
  const json = jsonOf(result);
  const changed = mutation.patch === 'JSONPatch' ? patched(object, json) : merged(object, json, version);
  requireIdentity(object, changed);
  return changed;
}

function jsonOf(result: Value): unknown {
  try {
    return toJson(result);
  } catch (error) {
    if (error instanceof EvaluationError) throw new MutationError({ message: error.message });
    throw error;
  }
}

function merged(object: ApiObject, configuration: unknown, version: VersionedResource): JsonObject {
  if (!isJsonObject(configuration))
    throw new MutationError({ message: 'the apply configuration is not an object' });
  const result = version.merge(object, configuration);
  if (typeof result === 'string')
    throw new MutationError({
      message: `invalid ApplyConfiguration: ${result}`,
      withoutValues: 'invalid ApplyConfiguration',
    });
  return result;
}

function patched(object: ApiObject, operations: unknown): JsonObject {
  try {
    const result = applyJsonPatch(object, operations);
    if (isJsonObject(result)) return result;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // A `test` operation is a condition of the patch: the mutation is skipped when it does not hold.
    if (error.code === 'testFailed') return object;
    throw new MutationError({
      message: `JSON Patch: ${error.message}`,
      withoutValues: 'JSON Patch: it cannot be applied',
    });
  }
  throw new MutationError({ message: 'JSON Patch: the result is not an object' });
}

function requireIdentity(object: ApiObject, changed: JsonObject): void {
  for (const field of ['apiVersion', 'kind'] as const)
    if (object[field] !== changed[field]) throw new MutationError({ message: `must not change ${field}` });
  const { metadata: before } = object;
  const { metadata: after } = changed;
  // Options of connections have no metadata.
  if (before === undefined && after === undefined) return;
  if (!isJsonObject(after)) throw new MutationError({ message: 'must not remove metadata' });
  for (const field of kept)
    if (!jsonEquals(before[field], after[field]))
      throw new MutationError({ message: `must not change metadata.${field}` });
}
