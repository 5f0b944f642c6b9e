import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '@orch/kinds/apps';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { validateAnnotations, validateLabels } from '@orch/machinery/object-meta';
import type { Check } from '@orch/schema';
import { checkCollisions, checkParts } from '../../core/shared/validation/replica-counts.ts';
import { checkAmount, isNone } from '../shared/validation/amount.ts';
import { validateWorkload } from '../shared/validation/workload.ts';

/** For compatibility, an unknown type is an error of the strategy as a whole. */
export const checkStatefulSetStrategy: Check<StatefulSetUpdateStrategy> = (strategy, { path }) => {
  const { type, rollingUpdate } = strategy;
  if (type !== 'RollingUpdate' && type !== 'OnDelete') {
    return [fieldError.invalid(path, strategy, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (rollingUpdate === undefined) return [];
  if (type === 'OnDelete') {
    const why = "only allowed for updateStrategy 'RollingUpdate'";
    return [fieldError.invalid(`${path}.rollingUpdate`, rollingUpdate, why)];
  }
  const { maxUnavailable } = rollingUpdate;
  const at = `${path}.rollingUpdate.maxUnavailable`;
  const errors = checkAmount(at, maxUnavailable, { atMost100: true });
  if (maxUnavailable === undefined || !isNone(maxUnavailable)) return errors;
  return [...errors, fieldError.invalid(at, maxUnavailable, 'cannot be 0')];
};

export const checkPodManagement: Check<StatefulSetSpec> = ({ podManagementPolicy: policy }, { path }) =>
  policy === 'OrderedReady' || policy === 'Parallel'
    ? []
    : [
        fieldError.invalid(
          `${path}.podManagementPolicy`,
          policy ?? '',
          "must be 'OrderedReady' or 'Parallel'",
        ),
      ];

/** Fields of the spec that may change; those that a release does not have are always absent. */
const mutable = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'persistentVolumeClaimRetentionPolicy',
  'ordinals',
] as const;

const why = `updates to statefulset spec for fields other than ${mutable.map((m) => `'${m}'`).join(', ')} are forbidden`;

function checkSpecKept(next: StatefulSet, old: StatefulSet): readonly FieldError[] {
  const changed: Record<string, unknown> = { ...next.spec };
  for (const field of mutable) changed[field] = old.spec?.[field];
  return jsonEquals(changed, old.spec ?? {}) ? [] : [fieldError.forbidden('spec', why)];
}

/** Rules of a set in releases that validate the whole template. */
export const validateStatefulSet = (
  next: StatefulSet,
  old: StatefulSet | undefined,
): readonly FieldError[] => [
  ...validateWorkload(next, 'StatefulSet'),
  ...(old === undefined ? [] : checkSpecKept(next, old)),
];

/** Earlier releases validated only the labels and annotations of the pods. */
export function validateEarlierStatefulSet(
  next: StatefulSet,
  old: StatefulSet | undefined,
): readonly FieldError[] {
  const { labels, annotations } = next.spec?.template?.metadata ?? {};
  return [
    ...validateStatefulSet(next, old),
    ...validateLabels(labels ?? {}, 'spec.template.labels'),
    ...validateAnnotations(annotations ?? {}, 'spec.template.annotations'),
  ];
}

export const validateStatefulSetStatus = (next: StatefulSet, old: StatefulSet): readonly FieldError[] => [
  ...checkParts(next.status ?? {}, [
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
  ]),
  ...checkCollisions(next.status ?? {}, old.status ?? {}),
];
