import { type ApiObject, parseJson } from '@orch/machinery';
import type { WrittenStates } from './admission.ts';

/** Calls `make` when the object is first needed, and not again. */
export function once(make: () => ApiObject): () => ApiObject {
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
export const parsedOnce = (json: Buffer): (() => ApiObject) => once(() => parseJson(json) as ApiObject);

/** The states around a write, each of which is read when a plugin reads it. */
export class UnparsedStates implements WrittenStates {
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

export const nothing = (): undefined => undefined;

/** The states around a deletion. */
export const deletingStates = (json: Buffer): WrittenStates =>
  new UnparsedStates({ object: nothing, oldObject: parsedOnce(json) });

/** The states around a write that leaves an object as it is. */
export function unchangedStates(json: Buffer): WrittenStates {
  const object = parsedOnce(json);
  return new UnparsedStates({ object, oldObject: object });
}
