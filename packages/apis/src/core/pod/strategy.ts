import type { Pod, PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { approximateNumber, jsonEquals } from '@orch/machinery/json';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext, SubresourceRules } from '../../resource-type.ts';
import { keepStatus, restoreMetadata, statusRules } from '../../status-strategy.ts';
import {
  checkProfileAnnotations,
  checkProfilesAgree,
} from '../shared/pod-spec/validation/profile-annotations.ts';
import { completePod } from './prepare.ts';
import { qosClassOf } from './qos-class.ts';
import { type ResizeRelease, resizeRules } from './resize.ts';
import { checkFixedAnnotations, checkMirrorPod } from './validation/annotations.ts';
import { validatePodStatus } from './validation/status.ts';
import { validatePodUpdate } from './validation/update.ts';
import { newPodWarnings, podStatusWarnings } from './warnings.ts';

const ended = new Set(['Failed', 'Succeeded']);

/**
 * A pod that was never scheduled, or has ended, is deleted immediately. Others get the period of the request, else that
 * of their spec; a negative period counts as one second.
 */
function gracePeriodSeconds(pod: Pod, requested?: number): number {
  const spec = pod.spec ?? {};
  if ((spec.nodeName ?? '') === '' || ended.has(pod.status?.phase ?? '')) return 0;
  const period = requested ?? approximateNumber(spec.terminationGracePeriodSeconds) ?? 0;
  return period < 0 ? 1 : period;
}

const path = 'spec.ephemeralContainers';

/** Checks that existing ephemeral containers are unchanged; new ones can be added. */
function validateEphemeralContainers(next: Pod, old: Pod): readonly FieldError[] {
  const after = next.spec?.ephemeralContainers ?? [];
  const byName = new Map(after.map((container) => [container.name ?? '', container]));
  return (old.spec?.ephemeralContainers ?? []).flatMap((before) => {
    const name = before.name ?? '';
    const container = byName.get(name);
    if (container === undefined) {
      return [
        fieldError.forbidden(
          path,
          `existing ephemeral containers ${JSON.stringify(name)} may not be removed`,
        ),
      ];
    }
    if (jsonEquals(container, before)) return [];
    return [
      fieldError.forbidden(path, `existing ephemeral containers ${JSON.stringify(name)} may not be changed`),
    ];
  });
}

/** This subresource writes only the ephemeral containers of the spec, and no labels or owners. */
const ephemeralContainers: SubresourceRules<Pod> = {
  prepareForUpdate(next, old, context) {
    const { ephemeralContainers: added } = next.spec ?? {};
    const { ephemeralContainers: _, ...rest } = old.spec ?? {};
    next.spec = added === undefined ? rest : { ...rest, ephemeralContainers: added };
    keepStatus(next, old, context);
    restoreMetadata(next, old);
  },
  validate: (next, old, { names }) => [
    ...checkFixedAnnotations(next, old, names),
    ...validateEphemeralContainers(next, old),
  ],
};

/** A Binding supplies annotations for the pod. */
const binding: SubresourceRules<Pod> = {
  prepareForUpdate: () => undefined,
  keepsGeneration: true,
  validate: (next, old, { names }) => checkFixedAnnotations(next, old, names),
};

/** The rules for new pods that do not apply to templates: their spec is checked with its schema. */
function validatePodCreate(pod: Pod, { names, since }: StrategyContext): readonly FieldError[] {
  const spec = pod.spec ?? {};
  return [
    ...noEphemeralContainers(spec),
    ...checkTokenProjections('spec', spec),
    ...checkUngated(spec),
    ...checkProfilesAgree(pod, names, since('1.30', 'AppArmorFields')),
  ];
}

const noEphemeralContainers = (spec: PodSpec): readonly FieldError[] =>
  (spec.ephemeralContainers ?? []).length === 0
    ? []
    : [fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create')];

/** The scheduler chooses a node once every gate is removed. */
const checkUngated = ({ schedulingGates = [], nodeName = '' }: PodSpec): readonly FieldError[] =>
  schedulingGates.length === 0 || nodeName === ''
    ? []
    : [fieldError.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')];

/** A token volume requires a service account. */
function checkTokenProjections(path: string, spec: PodSpec): readonly FieldError[] {
  if ((spec.serviceAccountName ?? '') !== '') return [];
  return (spec.volumes ?? []).flatMap((volume, i) =>
    (volume.projected?.sources ?? []).flatMap((source, j) => {
      if (source.serviceAccountToken === undefined) return [];
      const at = `${path}.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      return [fieldError.forbidden(at, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}

/** What a release does with pods. */
interface PodRelease extends ResizeRelease {
  readonly generation: Strategy['generation'];
}

const podStrategyOf = ({ generation, ...release }: PodRelease): Strategy<Pod> => ({
  ...commonStrategy,
  generation,
  through: { ...commonStrategy.through, resize: resizeRules(release) },
});

const commonStrategy: Strategy<Pod> = strategyOf<Pod>({
  resetStatus: true,
  deleteReturns: 'object',
  gracePeriodSeconds,
  prepareForCreate(next, context) {
    next.status = { phase: 'Pending' };
    completePod(next, context);
    next.status = { ...next.status, qosClass: qosClassOf(next.spec ?? {}) };
  },
  prepareForUpdate: keepStatus,
  warnings: newPodWarnings,
  validate: (next, old, context) =>
    old === undefined
      ? [
          ...checkMirrorPod(next, context.names),
          ...checkProfileAnnotations('', next, undefined, context.names),
          ...validatePodCreate(next, context),
        ]
      : [
          ...checkFixedAnnotations(next, old, context.names),
          ...checkProfileAnnotations('', next, old, context.names),
          ...validatePodUpdate(next, old),
        ],
  through: {
    binding,
    ephemeralcontainers: ephemeralContainers,
    status: {
      prepareForUpdate(next, old, context) {
        statusRules().prepareForUpdate(next, old, context);
        const status = next.status ?? {};
        // The class is derived from the spec, so a status without it keeps the stored one from 1.32 on.
        const { qosClass } = old.status ?? {};
        if (status.qosClass === undefined && qosClass !== undefined && context.since('1.32'))
          next.status = { ...status, qosClass };
        // The writer of the status cannot change owner references.
        if (!jsonEquals(next.metadata.ownerReferences, old.metadata.ownerReferences)) {
          if (old.metadata.ownerReferences === undefined) delete next.metadata.ownerReferences;
          else next.metadata.ownerReferences = old.metadata.ownerReferences;
        }
      },
      validate: (next, old, context) => [
        ...checkFixedAnnotations(next, old, context.names),
        ...validatePodStatus(next, old, context),
      ],
      warnings: podStatusWarnings,
    },
  },
});

const latest: PodRelease = { generation: 'spec', resizesAll: true, shrinksMemory: true };

export const podStrategy = podStrategyOf(latest);

/** The strategies of earlier releases, by the release before which they hold. */
export const earlierPodStrategies = {
  '1.36': podStrategyOf({ ...latest, resizesAll: false }),
  '1.34': podStrategyOf({ ...latest, resizesAll: false, shrinksMemory: false }),
  '1.33': podStrategyOf({ generation: 'none', resizesAll: false, shrinksMemory: false }),
} as const;
