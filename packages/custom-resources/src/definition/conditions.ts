import { approvalOf, structuralProblems, unsupportedSchema } from '@orch/apis';
import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import type { FieldError, Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { type DefinitionCondition, hasCondition } from './condition.ts';

/** A definition that was established remains established, even if its names are in conflict later. */
export function establishedCondition(
  definition: CustomResourceDefinition,
  namesAreAccepted: boolean,
): DefinitionCondition {
  const type = 'Established';
  const message = 'the initial names have been accepted';
  if (hasCondition(definition, type, 'True') || namesAreAccepted)
    return { type, status: 'True', reason: 'InitialNamesAccepted', message };
  return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

const line = ({ field, message }: FieldError): string => `${field}: ${message}`;

/**
 * Present while a schema of the definition is not structural; undefined otherwise, so that the condition is removed.
 */
export function* nonStructuralCondition(
  definition: CustomResourceDefinition,
  names: Names,
): Work<DefinitionCondition | undefined> {
  const unsupported = yield* unsupportedSchema(definition);
  if (unsupported !== undefined) {
    const { part, version } = unsupported;
    return {
      type: 'NonStructuralSchema',
      status: 'Unknown',
      reason: 'StructuralError',
      message: `failed to check validation schema for version ${version}: OpenAPIV3Schema '${part}' is not supported`,
    };
  }
  const problems = (yield* structuralProblems(definition, names)).map(line);
  if (problems.length === 0) return undefined;
  return {
    type: 'NonStructuralSchema',
    status: 'True',
    reason: 'Violations',
    message: problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`,
  };
}

const approvalReasons = {
  missing: 'MissingAnnotation',
  bypassed: 'UnapprovedAnnotation',
  approved: 'ApprovedAnnotation',
  invalid: 'InvalidAnnotation',
} as const;

/** The condition that reports whether the names of a definition in a protected group were approved. */
export function approvalCondition(
  definition: CustomResourceDefinition,
  names: Names,
): DefinitionCondition | undefined {
  const approval = approvalOf(definition, names);
  if (approval === undefined) return undefined;
  return {
    type: names.conditionTypes.apiApprovalPolicyConformant,
    status: approval.state === 'approved' ? 'True' : 'False',
    reason: approvalReasons[approval.state],
    message: approval.message,
  };
}

/** Progress of deleting the objects of a definition that is being deleted. */
export type DeletionProgress =
  | { readonly step: 'deleting' }
  | { readonly step: 'completed' }
  | { readonly step: 'neverEstablished' }
  | { readonly step: 'overlapsBuiltIn' }
  | { readonly step: 'failed' | 'unconfirmed'; readonly problem: string };

/** The condition of a definition that is being deleted. */
export function terminatingCondition(progress: DeletionProgress): DefinitionCondition {
  const condition = (
    status: DefinitionCondition['status'],
    reason: string,
    message: string,
  ): DefinitionCondition => ({ type: 'Terminating', status, reason, message });
  switch (progress.step) {
    case 'deleting':
      return condition('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    case 'completed':
      return condition('False', 'InstanceDeletionCompleted', 'removed all instances');
    case 'neverEstablished':
      return condition('False', 'NeverEstablished', 'resource was never established');
    case 'overlapsBuiltIn': {
      const message = 'instances overlap with built-in resources in storage';
      return condition('False', 'OverlappingBuiltInResource', message);
    }
    case 'failed':
      return condition('True', 'InstanceDeletionFailed', progress.problem);
    case 'unconfirmed':
      return condition(
        'True',
        'InstanceDeletionCheck',
        `could not confirm zero CustomResources remaining: ${progress.problem}`,
      );
  }
}
