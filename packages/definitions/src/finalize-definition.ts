import {
  conditionsIn,
  type DeletionProgress,
  hasCondition,
  terminatingCondition,
  withConditions,
} from '@orch/custom-resources';
import { type ApiObject, asText, formatTime, messageOf, specOf, statusOf } from '@orch/machinery';
import type { ServerContext } from '@orch/registry';
import { deleteInstances } from './delete-instances.ts';

/** Whether a definition waits for the deletion of its objects. */
export const awaitsCleanup = (definition: ApiObject, finalizer: string): boolean =>
  definition.metadata.deletionTimestamp !== undefined &&
  (definition.metadata.finalizers ?? []).includes(finalizer);

/**
 * Deletes the objects of a definition that is being deleted and, when none is left, releases the definition. Returns false
 * when it has to be called again: finalizers hold some objects.
 */
export async function finalizeDefinition(
  context: ServerContext,
  definition: ApiObject,
  signal: AbortSignal,
): Promise<boolean> {
  const cleanup = new DefinitionCleanup(context, definition, signal);
  if (!hasCondition(definition, 'Established', 'True')) {
    await cleanup.finish({ step: 'neverEstablished' });
    return true;
  }
  await cleanup.report({ step: 'deleting' });
  const remaining = await cleanup.deleteInstances();
  if (remaining > 0) return false;
  await cleanup.finish({ step: 'completed' });
  return true;
}

class DefinitionCleanup {
  readonly #context: ServerContext;
  readonly #definition: ApiObject;
  readonly #signal: AbortSignal;

  constructor(context: ServerContext, definition: ApiObject, signal: AbortSignal) {
    this.#context = context;
    this.#definition = definition;
    this.#signal = signal;
  }

  /** Number of objects that remain. */
  async deleteInstances(): Promise<number> {
    const spec = specOf(this.#definition);
    const plural = asText(
      (statusOf(this.#definition)['acceptedNames'] as { plural?: unknown } | undefined)?.plural,
    );
    const resource = this.#context.objects.resource(asText(spec['group']), plural);
    if (resource === undefined) throw new Error('the resource of the definition is not served yet');
    try {
      return await deleteInstances(resource, this.#signal);
    } catch (cause) {
      await this.report({ step: 'failed', problem: `could not delete all instances: ${messageOf(cause)}` });
      throw cause;
    }
  }

  report(progress: DeletionProgress): Promise<void> {
    return this.#change(progress, () => undefined);
  }

  finish(progress: DeletionProgress): Promise<void> {
    const { crdCleanup } = this.#context.names.finalizers;
    return this.#change(progress, ({ metadata }) => {
      metadata.finalizers = (metadata.finalizers ?? []).filter((name) => name !== crdCleanup);
    });
  }

  async #change(progress: DeletionProgress, change: (definition: ApiObject) => void): Promise<void> {
    const { env, objects } = this.#context;
    const { name = '', uid } = this.#definition.metadata;
    await objects.resource('apiextensions', 'customresourcedefinitions')?.change(
      { namespace: '', name },
      (definition) => {
        // Another definition of that name may have been created meanwhile.
        if (definition.metadata.uid !== uid) return;
        const conditions = withConditions(
          conditionsIn(definition),
          [terminatingCondition(progress)],
          formatTime(env.clock.now()),
        );
        definition['status'] = { ...statusOf(definition), conditions };
        change(definition);
      },
      this.#signal,
    );
  }
}
