import { isJsonObject, type JsonObject, specOf } from '@orch/machinery/json';

/** A value that is valid in two versions of a kind and means something else in the newer one. */
export interface ChangedMeaning {
  readonly kind: string;
  /** The older version, with the key of its group. */
  readonly version: string;
  readonly field: string;
  applies(object: JsonObject): boolean;
  readonly message: string;
}

/** API conventions, 9.4: changes that neither fields nor defaults show. */
export const changedMeanings: readonly ChangedMeaning[] = [
  {
    kind: 'PodDisruptionBudget',
    version: 'policy/v1beta1',
    field: 'spec.selector',
    applies: (object) => {
      const { selector } = specOf(object);
      return isJsonObject(selector) && Object.keys(selector).length === 0;
    },
    message:
      'an empty spec.selector selects all pods of the namespace in v1, and none in v1beta1; remove spec.selector to select none',
  },
];
