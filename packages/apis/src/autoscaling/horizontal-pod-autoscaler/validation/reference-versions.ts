import type { CrossVersionObjectReferenceV2, HorizontalPodAutoscalerV2 } from '@orch/kinds/autoscaling';
import { type FieldError, fieldError } from '@orch/machinery';

type Reference = CrossVersionObjectReferenceV2;

const isGroupVersion = ({ apiVersion = '' }: Reference): boolean => apiVersion.split('/').length <= 2;

/** The problem of the version of a reference. ReplicationController is the only scalable kind without a group. */
function problemOf(reference: Reference, needsGroup: boolean): string | undefined {
  if (!isGroupVersion(reference)) return 'must be a group and a version, separated by a slash';
  const { apiVersion = '' } = reference;
  const hasGroup = apiVersion.includes('/') && !apiVersion.startsWith('/');
  return needsGroup && !hasGroup ? 'must contain the API group' : undefined;
}

function checkVersion(path: string, reference: Reference, needsGroup: boolean): readonly FieldError[] {
  const problem = problemOf(reference, needsGroup);
  if (problem === undefined) return [];
  return [fieldError.invalid(`${path}.apiVersion`, reference.apiVersion ?? '', problem)];
}

const isSameType = (a: Reference, b: Reference): boolean =>
  (a.apiVersion ?? '') === (b.apiVersion ?? '') && a.kind === b.kind;

const describedObjects = ({ spec }: HorizontalPodAutoscalerV2): readonly (Reference | undefined)[] =>
  (spec?.metrics ?? []).map(({ type, object }) => (type === 'Object' ? object?.describedObject : undefined));

/**
 * Checks the versions of references, from release 1.34 on. Stored references stay valid.
 */
export function checkReferenceVersions(
  next: HorizontalPodAutoscalerV2,
  old: HorizontalPodAutoscalerV2 | undefined,
): readonly FieldError[] {
  const target = next.spec?.scaleTargetRef ?? {};
  const keepsTarget = old !== undefined && isSameType(target, old.spec?.scaleTargetRef ?? {});
  const errors = keepsTarget
    ? []
    : checkVersion('spec.scaleTargetRef', target, target.kind !== 'ReplicationController');
  const wereValid = old === undefined || describedObjects(old).every((one) => isGroupVersion(one ?? {}));
  if (!wereValid) return errors;
  const ofMetrics = describedObjects(next).flatMap((described, i) =>
    described === undefined
      ? []
      : checkVersion(`spec.metrics[${i}].object.describedObject`, described, false),
  );
  return [...errors, ...ofMetrics];
}
