import type { CreationGuard, GuardedKey } from '@orch/apis';
import { type ApiObject, asObject, asText, errors, type Subject, specOf, statusOf } from '@orch/machinery';

/** A definition as this replica knows it. */
export interface KnownDefinition {
  readonly object: ApiObject;
  /** Revision of the last write of the definition. */
  readonly revision: number;
}

/** Resolves when this replica serves definitions as they were before the call, or later. */
export type CatchUp = (signal: AbortSignal) => Promise<void> | undefined;

const subjectOf = (definition: ApiObject): Subject => ({
  group: asText(specOf(definition)['group']),
  kind: asText(asObject(statusOf(definition)['acceptedNames'])['plural']),
});

/**
 * Guards the creation of objects of one definition, from its establishment to its removal. Objects are created only while the
 * definition is as this replica knows it, and never once its deletion has started: the deletion of its objects then finds
 * all of them, whichever replicas created them.
 */
export class DefinitionGuard implements CreationGuard {
  readonly uid: string | undefined;
  readonly #key: string;
  readonly #catchUp: CatchUp;
  /** Undefined once the definition was removed. */
  #known: KnownDefinition | undefined;

  constructor(key: string, known: KnownDefinition, catchUp: CatchUp) {
    this.uid = known.object.metadata.uid;
    this.#key = key;
    this.#known = known;
    this.#catchUp = catchUp;
  }

  /** The definition has changed; undefined: it was removed. */
  update(known: KnownDefinition | undefined): void {
    this.#known = known;
  }

  current(): GuardedKey {
    if (this.#known === undefined) throw errors.resourceNotFound();
    const { object, revision } = this.#known;
    if (object.metadata.deletionTimestamp !== undefined) {
      const why = 'create not allowed while custom resource definition is terminating';
      throw errors.verbNotAllowed(subjectOf(object), why);
    }
    return { key: this.#key, revision };
  }

  async renew(signal: AbortSignal): Promise<void> {
    await this.#catchUp(signal);
  }
}
