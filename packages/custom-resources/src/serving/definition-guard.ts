import type { GuardedKey, WriteGuard } from '@orch/apis';
import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { errors, type Subject } from '@orch/machinery';

/** A definition as observed by this replica. */
export interface KnownDefinition {
  readonly object: CustomResourceDefinition;
  /** Revision of the last write of the definition. */
  readonly revision: number;
}

/** Resolves when this replica serves definitions as they were before the call, or later. */
export type CatchUp = (signal: AbortSignal) => Promise<void> | undefined;

const subjectOf = ({ spec, status }: CustomResourceDefinition): Subject => ({
  group: spec?.group ?? '',
  kind: status?.acceptedNames?.plural ?? '',
});

/** The part of a definition that the guard needs: the decoded definition itself takes many times the memory of its bytes. */
interface GuardedState {
  readonly revision: number;
  readonly subject: Subject;
  readonly isTerminating: boolean;
}

const stateOf = ({ object, revision }: KnownDefinition): GuardedState => ({
  revision,
  subject: subjectOf(object),
  isTerminating: object.metadata.deletionTimestamp !== undefined,
});

/**
 * Guards the writes of objects of one definition, from its establishment to its removal. They are written only while
 * the definition is in the state that this replica has observed, so that none is stored in a version after another one
 * has become the storage version. None is created once the deletion of the definition has started: the deletion of its
 * objects then finds all of them, whichever replicas created them.
 */
export class DefinitionGuard implements WriteGuard {
  readonly uid: string | undefined;
  readonly #key: string;
  readonly #catchUp: CatchUp;
  /** Undefined once the definition was removed. */
  #state: GuardedState | undefined;

  constructor(key: string, known: KnownDefinition, catchUp: CatchUp) {
    this.uid = known.object.metadata.uid;
    this.#key = key;
    this.#state = stateOf(known);
    this.#catchUp = catchUp;
  }

  /** The definition has changed; undefined: it was removed. */
  update(known: KnownDefinition | undefined): void {
    this.#state = known === undefined ? undefined : stateOf(known);
  }

  current(write: 'create' | 'update'): GuardedKey {
    if (this.#state === undefined) throw errors.resourceNotFound();
    const { isTerminating, revision, subject } = this.#state;
    if (isTerminating && write === 'create') {
      const why = 'create not allowed while custom resource definition is terminating';
      throw errors.verbNotAllowed(subject, why);
    }
    return { key: this.#key, revision };
  }

  async renew(signal: AbortSignal): Promise<void> {
    await this.#catchUp(signal);
  }
}
