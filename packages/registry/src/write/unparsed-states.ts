import type { ApiObject } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { Revision } from '@orch/storage';
import type { WrittenStates } from './admission.ts';
import type { Act, Candidate } from './change.ts';

/** The states around a write that is about to be stored. */
export interface DraftStates extends WrittenStates {
  /** The object as it will be stored, which hooks may change. Read only for writes that store one. */
  readonly stored: ApiObject;
}

/** Calls `make` when the object is first needed, and not again. */
function once(make: () => ApiObject): () => ApiObject {
  let object: ApiObject | undefined;
  return () => {
    object ??= make();
    return object;
  };
}

/**
 * An object that is parsed when it is first needed. Most plugins decide on most writes without the objects: parsing them
 * would be half of the cost of an apply that changes nothing.
 */
const parsedOnce = (json: Buffer): (() => ApiObject) => once(() => parseJson(json) as ApiObject);

/** The states around a write, each of which is parsed on demand. */
class UnparsedStates implements WrittenStates {
  readonly #object: () => ApiObject | undefined;
  readonly #oldObject: () => ApiObject | undefined;

  constructor(states: {
    readonly object: () => ApiObject | undefined;
    readonly oldObject: () => ApiObject | undefined;
  }) {
    this.#object = states.object;
    this.#oldObject = states.oldObject;
  }

  get object(): ApiObject | undefined {
    return this.#object();
  }

  get oldObject(): ApiObject | undefined {
    return this.#oldObject();
  }
}

const nothing = (): undefined => undefined;

/** The states around a deletion. */
export const deletingStates = (json: Buffer): WrittenStates =>
  new UnparsedStates({ object: nothing, oldObject: parsedOnce(json) });

/** The states around a write that does not change the object. */
export function unchangedStates(json: Buffer): WrittenStates {
  const object = parsedOnce(json);
  return new UnparsedStates({ object, oldObject: object });
}

/** The states around a change; plugins receive no new object when the request is a deletion. */
export function changedStates(act: Act, { json, rev }: Candidate, deletes: boolean): DraftStates {
  const stored = parsedOnce(act.kind === 'remove' ? act.hub : act.encoded.hub);
  // An update that completes a deletion is an update to plugins.
  const object = deletes ? nothing : once(() => withVersion(stored(), rev));
  return new ChangedStates({ object, oldObject: parsedOnce(json), stored });
}

class ChangedStates extends UnparsedStates implements DraftStates {
  readonly #stored: () => ApiObject;

  constructor(
    states: ConstructorParameters<typeof UnparsedStates>[0] & { readonly stored: () => ApiObject },
  ) {
    super(states);
    this.#stored = states.stored;
  }

  get stored(): ApiObject {
    return this.#stored();
  }
}

/** The new state of an object, which is encoded without a version, with the version that it replaces. */
const withVersion = (next: ApiObject, rev: Revision): ApiObject => ({
  ...next,
  metadata: { ...next.metadata, resourceVersion: String(rev) },
});
