import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import type { Draft } from '@orch/kinds/draft';
import { messageOf } from '@orch/machinery';
import { formatTime } from '@orch/machinery/time';
import type { InternalResource, ServedApi, ServerContext } from '@orch/registry';
import { conditionsIn, hasCondition, withConditions } from '../definition/condition.ts';
import { type DeletionProgress, terminatingCondition } from '../definition/conditions.ts';
import { deleteInstances } from './delete-instances.ts';

/** Time after which the condition reports that objects remain. */
const CONFIRMATION_MS = 60_000;

/** Reports whether a definition waits for the deletion of its objects. */
export const awaitsCleanup = (definition: CustomResourceDefinition, finalizer: string): boolean =>
  definition.metadata.deletionTimestamp !== undefined &&
  (definition.metadata.finalizers ?? []).includes(finalizer);

/** A definition that is being deleted. */
export interface Cleanup {
  readonly context: ServerContext;
  readonly table: ServedApi['table'];
  readonly definition: CustomResourceDefinition;
}

/**
 * Deletes the objects of a definition that is being deleted and, when none is left, releases the definition. Returns
 * false when it has to be called again: finalizers hold some objects. All replicas do this at once: deletions of
 * objects that another replica has deleted, and conditions that another one has written, have no effect.
 */
export async function finalizeDefinition(cleanup: Cleanup, signal: AbortSignal): Promise<boolean> {
  const work = new DefinitionCleanup(cleanup, signal);
  if (work.overlapsBuiltIn) {
    await work.finish({ step: 'overlapsBuiltIn' });
    return true;
  }
  if (!hasCondition(cleanup.definition, 'Established', 'True')) {
    await work.finish({ step: 'neverEstablished' });
    return true;
  }
  await work.report(work.progress);
  const remaining = await work.deleteInstances();
  if (remaining > 0) return false;
  await work.finish({ step: 'completed' });
  return true;
}

class DefinitionCleanup {
  readonly #context: ServerContext;
  readonly #table: ServedApi['table'];
  readonly #definition: CustomResourceDefinition;
  readonly #signal: AbortSignal;

  constructor({ context, definition, table }: Cleanup, signal: AbortSignal) {
    this.#context = context;
    this.#table = table;
    this.#definition = definition;
    this.#signal = signal;
  }

  get #group(): string {
    return this.#definition.spec?.group ?? '';
  }

  /** A release with a built-in resource of this name stores its objects under the same keys: they are not deleted. */
  get overlapsBuiltIn(): boolean {
    const plural = this.#definition.spec?.names?.plural ?? '';
    return this.#table.all.some(
      // For custom resources the key of the group is the group.
      ({ group, groupKey, type }) => group === this.#group && groupKey !== group && type.resource === plural,
    );
  }

  /** The message of the condition while objects remain. */
  get progress(): DeletionProgress {
    const since = Date.parse(this.#definition.metadata.deletionTimestamp ?? '');
    return this.#context.env.clock.now() - since < CONFIRMATION_MS
      ? { step: 'deleting' }
      : { step: 'unconfirmed', problem: 'timed out waiting for the condition' };
  }

  /** Number of objects that remain; 0 when another replica has completed the deletion. */
  async deleteInstances(): Promise<number> {
    const resource = this.#resource;
    if (resource === undefined) {
      if (this.#isGone) return 0;
      throw new Error('the resource of the definition is not served yet');
    }
    try {
      return await deleteInstances(resource, this.#signal);
    } catch (cause) {
      if (this.#isGone) return 0;
      await this.report({ step: 'failed', problem: `could not issue all deletes: ${messageOf(cause)}` });
      throw cause;
    }
  }

  get #resource(): InternalResource | undefined {
    const { plural = '' } = this.#definition.status?.acceptedNames ?? {};
    return this.#context.objects.resource(this.#group, plural);
  }

  get #isGone(): boolean {
    const { name = '', uid } = this.#definition.metadata;
    const definitions = this.#context.objects.resource('apiextensions', 'customresourcedefinitions');
    return definitions?.cached({ namespace: '', name })?.metadata.uid !== uid;
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

  async #change(
    progress: DeletionProgress,
    change: (definition: Draft<CustomResourceDefinition>) => void,
  ): Promise<void> {
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
        definition.status = { ...definition.status, conditions };
        change(definition);
      },
      this.#signal,
    );
  }
}
