import type { CustomResourceDefinition, CustomResourceDefinitionStatus } from '@orch/kinds/apiextensions';
import { Turns } from '@orch/machinery/concurrency';
import { formatTime } from '@orch/machinery/time';
import type { ServedApi, ServerContext } from '@orch/registry';
import { awaitsCleanup } from '../cleanup/finalize-definition.ts';
import { definitionStatus } from './definition-status.ts';
import { StructureChecks } from './structure-checks.ts';
import { GrantedNames } from './taken-names.ts';

/** The API group of the resource that a definition defines. */
export const groupOf = (definition: CustomResourceDefinition): string => definition.spec?.group ?? '';

/** Decides on the status of definitions: their names, among those that others of the group have, and their conditions. */
export class DefinitionDecisions {
  readonly #context: Pick<ServerContext, 'names' | 'env'>;
  readonly #granted: GrantedNames;
  readonly #structure: StructureChecks;
  readonly #turns: Turns;

  constructor(context: Pick<ServerContext, 'names' | 'env'>, served: Pick<ServedApi, 'table'>) {
    this.#context = context;
    this.#granted = new GrantedNames(served);
    this.#structure = new StructureChecks(context.names);
    this.#turns = new Turns(context.env);
  }

  /** Names of all definitions that are recorded. */
  names(): Iterable<string> {
    return this.#granted.names();
  }

  /** Records the names that a definition has. Returns the definitions whose status this may affect. */
  record(name: string, definition: CustomResourceDefinition): readonly string[] {
    return this.#granted.set(name, definition);
  }

  /** Forgets a definition that is gone. Returns the definitions that may receive its names. */
  forget(name: string): readonly string[] {
    this.#structure.delete(name);
    return this.#granted.delete(name);
  }

  /** Checks the schemas of a definition in turns, so that decisions on it take no time. */
  prepare(definition: CustomResourceDefinition): Promise<void> {
    return this.#structure.prepare(definition, this.#turns);
  }

  /** Reports whether the definition waits for the deletion of its objects. */
  awaitsCleanup(definition: CustomResourceDefinition): boolean {
    return awaitsCleanup(definition, this.#context.names.finalizers.crdCleanup);
  }

  /** The status that the definition should have; the same object if it has it. */
  statusOf(definition: CustomResourceDefinition): CustomResourceDefinitionStatus {
    const { names, env } = this.#context;
    const { name = '' } = definition.metadata;
    return definitionStatus(definition, {
      names,
      now: formatTime(env.clock.now()),
      taken: this.#granted.takenFrom(name, groupOf(definition)),
      structure: this.#structure,
    });
  }

  /** Reports whether the definition has the status that it should have. */
  hasStatus(definition: CustomResourceDefinition): boolean {
    return this.statusOf(definition) === definition.status;
  }

  /** Reports whether there is nothing to write about a definition, or to delete, as far as this is known without a long check. */
  isDecided(definition: CustomResourceDefinition): boolean {
    return this.#structure.has(definition) && !this.awaitsCleanup(definition) && this.hasStatus(definition);
  }
}
