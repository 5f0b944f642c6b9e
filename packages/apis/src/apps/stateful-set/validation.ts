import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '@orch/kinds/apps';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { validateAnnotations, validateLabels } from '@orch/machinery/object-meta';
import type { Check } from '@orch/schema';
import { checkCollisions, checkParts } from '../../core/shared/validation/replica-counts.ts';
import type { StrategyContext } from '../../resource-type.ts';
import { checkFormat } from '../../validation-rules.ts';
import { checkAmount, isNone } from '../shared/validation/amount.ts';
import { hasUsableSelector } from '../shared/validation/selector.ts';
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

/** Later releases report each field of the spec that never changes. */
const immutable = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const;

const checkImmutableFields = (next: StatefulSet, old: StatefulSet): readonly FieldError[] =>
  immutable.flatMap((field) => {
    const value = next.spec?.[field];
    return jsonEquals(value, old.spec?.[field])
      ? []
      : [fieldError.invalid(`spec.${field}`, value, 'field is immutable')];
  });

function checkSpecKept(
  next: StatefulSet,
  old: StatefulSet,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] {
  if (since('1.37')) return checkImmutableFields(next, old);
  const changed: Record<string, unknown> = { ...next.spec };
  const changeable = since('1.33') ? ([...mutable, 'revisionHistoryLimit'] as const) : mutable;
  for (const field of changeable) changed[field] = old.spec?.[field];
  if (jsonEquals(changed, old.spec ?? {})) return [];
  const names = changeable.map((field) => `'${field}'`).join(', ');
  const why = `updates to statefulset spec for fields other than ${names} are forbidden`;
  return [fieldError.forbidden('spec', why)];
}

/** Rules of a set in releases that validate the whole template. */
export const validateStatefulSet = (
  next: StatefulSet,
  old: StatefulSet | undefined,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] => [
  ...validateWorkload(next, 'StatefulSet'),
  ...(since('1.34') ? checkTemplateVolumes(next) : []),
  ...(old === undefined ? checkServiceName(next, since) : checkSpecKept(next, old, { since })),
];

/** A pod has a volume for the claim of each template, with the name of the template. These volumes precede its own. */
function checkTemplateVolumes({ spec = {} }: StatefulSet): readonly FieldError[] {
  if (!hasUsableSelector(spec)) return [];
  const names = new Set((spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ''));
  return [...names].flatMap((name, i) => {
    const path = `spec.template.spec.volumes[${i}]`;
    return name === ''
      ? [fieldError.required(`${path}.name`), fieldError.required(`${path}.persistentVolumeClaim.claimName`)]
      : checkFormat('dns1123label', `${path}.name`, name);
  });
}

/** From 1.33 on, the service of a new set has a name that services can have. */
function checkServiceName(next: StatefulSet, since: StrategyContext['since']): readonly FieldError[] {
  const name = next.spec?.serviceName ?? '';
  return name === '' || !since('1.33') ? [] : checkFormat('dns1123label', 'spec.serviceName', name);
}

/** Earlier releases validated only the labels and annotations of the pods. */
export function validateEarlierStatefulSet(
  next: StatefulSet,
  old: StatefulSet | undefined,
  context: Pick<StrategyContext, 'since'>,
): readonly FieldError[] {
  const { labels, annotations } = next.spec?.template?.metadata ?? {};
  return [
    ...validateStatefulSet(next, old, context),
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
