import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { isCondition, schemaOf, versionsOf } from '../definition.ts';
import { hasKnownReviewVersions } from './conversion.ts';

/** Rules that apply to a definition. An update may violate a rule that the stored definition violates. */
export interface ValidationOptions {
  readonly schemas: boolean;
  readonly structural: boolean;
  readonly knownTypes: boolean;
  readonly prunedDefaults: boolean;
  readonly allowsDefaults: boolean;
  readonly prunes: boolean;
  readonly knownReviewVersions: boolean;
  readonly approval: boolean;
  /** Whether names and scope are immutable. */
  readonly established: boolean;
}

/** Properties of a definition that depend on all of its schemas. */
export interface SchemaFaults {
  readonly isStructural: boolean;
  readonly hasKnownTypes: boolean;
  readonly hasPrunedDefaults: boolean;
  readonly hasDefaults: boolean;
}

const faultless: SchemaFaults = {
  isStructural: true,
  hasKnownTypes: true,
  hasPrunedDefaults: true,
  hasDefaults: false,
};

const hasAllSchemas = (definition: CustomResourceDefinition): boolean =>
  versionsOf(definition).every((version) => schemaOf(version) !== undefined);

const preserves = (definition: CustomResourceDefinition): boolean =>
  definition.spec?.preserveUnknownFields === true;

/**
 * The rules for a write (spec 9.4): all of them for a new definition in v1, few in the older version, and on updates
 * those that the stored definition meets. `faults` are those of the schemas of the stored one; undefined where no rule
 * about schemas applies.
 */
export function validationOptionsOf(
  old: CustomResourceDefinition | undefined,
  requestVersion: string,
  faults: SchemaFaults = faultless,
): ValidationOptions {
  const older = requestVersion === 'apiextensions/v1beta1';
  if (old === undefined) {
    return {
      schemas: !older,
      structural: !older,
      knownTypes: !older,
      prunedDefaults: true,
      allowsDefaults: !older,
      prunes: !older,
      knownReviewVersions: true,
      approval: !older,
      established: false,
    };
  }
  return {
    schemas: !older && hasAllSchemas(old),
    structural: !older && faults.isStructural,
    knownTypes: !older && faults.hasKnownTypes,
    prunedDefaults: faults.hasPrunedDefaults,
    allowsDefaults: !older || faults.hasDefaults,
    prunes: !older && !preserves(old),
    knownReviewVersions: hasKnownReviewVersions(old.spec?.conversion ?? {}),
    approval: !older,
    established: isCondition(old, 'Established'),
  };
}
