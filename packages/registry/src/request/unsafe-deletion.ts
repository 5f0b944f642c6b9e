import { type FieldError, fieldError } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';

/**
 * The option, and the query parameter, for deleting an object that cannot be decrypted. Kubernetes has it since 1.32;
 * it is accepted for all releases, since there is no other way to remove such an object.
 */
export const IGNORES_READ_ERRORS = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Reads the option from a body whose kind was checked: the schema of an older release does not have the field. */
export const ignoresReadErrorsIn = (body: unknown): boolean =>
  isJsonObject(body) && body[IGNORES_READ_ERRORS] === true;

interface OptionsOfDeletion {
  readonly ignoresReadErrors: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagation: string | undefined;
  readonly dryRun: readonly string[];
}

/** The options whose requirements cannot be examined in an object that cannot be read. */
export function unsafeDeletionProblems(options: OptionsOfDeletion): readonly FieldError[] {
  if (!options.ignoresReadErrors) return [];
  const given = {
    dryRun: options.dryRun.length > 0,
    propagationPolicy: options.propagation !== undefined,
    orphanDependents: options.orphanDependents !== undefined,
    gracePeriodSeconds: options.gracePeriodSeconds !== undefined,
    preconditions: options.uid !== undefined || options.resourceVersion !== undefined,
  };
  const others = Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  return others.map((name) =>
    fieldError.invalid(IGNORES_READ_ERRORS, true, `cannot be set together with .${name}`),
  );
}

/** Each object of a collection would need a separate decision. */
export const unsafeCollectionProblems = ({
  ignoresReadErrors,
}: Pick<OptionsOfDeletion, 'ignoresReadErrors'>): readonly FieldError[] =>
  ignoresReadErrors
    ? [fieldError.invalid(IGNORES_READ_ERRORS, true, 'cannot be set for the deletion of a collection')]
    : [];
