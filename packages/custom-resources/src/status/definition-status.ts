import type { CustomResourceDefinition, CustomResourceDefinitionStatus } from '@orch/kinds/apiextensions';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { conditionsIn, type DefinitionCondition, withConditions } from '../definition/condition.ts';
import { approvalCondition, establishedCondition } from '../definition/conditions.ts';
import { acceptNames, type TakenNames } from '../definition/names-accepted.ts';
import type { StructureChecks } from './structure-checks.ts';

export interface StatusContext {
  readonly names: Names;
  /** RFC 3339 UTC, seconds. */
  readonly now: string;
  /** Names of all other definitions and of the built-in resources of the group. */
  readonly taken: TakenNames;
  readonly structure: StructureChecks;
}

/**
 * The status that a definition should have: accepted names, and the conditions that follow from its spec. The status
 * itself where nothing changes.
 */
export function definitionStatus(
  definition: CustomResourceDefinition,
  { names, now, taken, structure }: StatusContext,
): CustomResourceDefinitionStatus {
  const { status = {} } = definition;
  const decision = acceptNames(definition, taken);
  const next: readonly (DefinitionCondition | undefined)[] = [
    decision.condition,
    establishedCondition(definition, decision.condition.status === 'True'),
    structure.conditionOf(definition),
    approvalCondition(definition, names),
  ];
  const present = next.filter((condition) => condition !== undefined);
  const removed = absentTypes(present, names);
  const conditions = withConditions(
    conditionsIn(definition).filter(({ type }) => !removed.has(type ?? '')),
    present,
    now,
  );
  const changed = { ...status, conditions, acceptedNames: decision.acceptedNames };
  return jsonEquals(changed, status) ? status : changed;
}

/** Conditions that a definition has only when there is something to report. */
function absentTypes(present: readonly DefinitionCondition[], names: Names): ReadonlySet<string> {
  const optional = new Set(['NonStructuralSchema', names.conditionTypes.apiApprovalPolicyConformant]);
  for (const { type } of present) optional.delete(type);
  return optional;
}
