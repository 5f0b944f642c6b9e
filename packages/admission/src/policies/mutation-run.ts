import { type JsonObject, jsonEquals } from '@orch/machinery/json';
import { runSteps, type Turn } from '../expressions/index.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import { Evaluator } from './evaluator.ts';
import { MutationError, mutatedObject } from './mutated-object.ts';
import type { CompiledMutation, MutationProgram } from './mutation-program.ts';
import type { PolicyVariables } from './validation-run.ts';

/** A write while a mutating policy changes its object. */
export interface MutatedWrite {
  /** The variables, with the object as it is now. */
  variables(): Promise<PolicyVariables>;
  /** Replaces the object by a changed one in the version of the policy. */
  replace(changed: JsonObject): Promise<void>;
  readonly version: VersionedResource;
  readonly turn: Turn;
}

/**
 * Changes the object of a write by the mutations of a policy, in their order. Each reads what the ones before it have
 * changed. Rejects with a `MutationError`.
 */
export async function runMutations(program: MutationProgram, write: MutatedWrite): Promise<void> {
  await runSteps(() => program.compileNext(), write.turn);
  const conditions = await program.conditions.evaluate(await write.variables(), write.turn);
  if (conditions.kind === 'failed') throw new MutationError(conditions);
  if (conditions.kind === 'excluded') return;
  for (const mutation of program.mutations) await mutate(program, mutation, write);
}

async function mutate(
  program: MutationProgram,
  mutation: CompiledMutation,
  write: MutatedWrite,
): Promise<void> {
  const variables = await write.variables();
  const { object } = variables;
  if (object === null) return;
  const evaluator = new Evaluator(program.variables, { ...variables }, write.turn);
  const result = await runSteps(() => evaluator.evaluate(mutation.program, mutation.expression), write.turn);
  if (result.kind !== 'value') throw new MutationError(result);
  const changed = mutatedObject(object, { mutation, result: result.value }, write.version);
  if (!jsonEquals(changed, object)) await write.replace(changed);
}
