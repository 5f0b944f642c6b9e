import { type ApiObject, jsonEquals } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { asNumber, asText, specOf, statusOf } from '../../read.ts';
import type { Strategy, SubresourceRules } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { qosClassOf } from './qos-class.ts';
import { checkFixedAnnotations, checkMirrorPod } from './validation/annotations.ts';
import { validateEphemeralContainers } from './validation/ephemeral-containers.ts';
import { validatePodCreate } from './validation/metadata.ts';
import { validatePodStatus } from './validation/status.ts';
import { validatePodUpdate } from './validation/update.ts';

const ended = new Set(['Failed', 'Succeeded']);

/**
 * A pod that never started, or has ended, goes at once. Others get what the client asks for, or what they ask for
 * themselves; a negative period means one second.
 */
function gracePeriodSeconds(pod: ApiObject, requested?: number): number {
  const spec = specOf(pod);
  if (asText(spec['nodeName']) === '' || ended.has(asText(statusOf(pod)['phase']))) return 0;
  const wanted = requested ?? asNumber(spec['terminationGracePeriodSeconds']);
  return wanted < 0 ? 1 : wanted;
}

/** Of the spec, this subresource writes the ephemeral containers only. */
const ephemeralContainers: SubresourceRules = {
  prepareForUpdate(next, old, context) {
    const { ephemeralContainers: added } = specOf(next);
    const { ephemeralContainers: _, ...rest } = specOf(old);
    next['spec'] = added === undefined ? rest : { ...rest, ephemeralContainers: added };
    keepStatus(next, old, context);
  },
  validate: (next, old, { names }) => [
    ...checkFixedAnnotations(next, old, names),
    ...validateEphemeralContainers(next, old),
  ],
};

/** A Binding brings annotations for the pod. */
const binding: SubresourceRules = {
  prepareForUpdate: () => undefined,
  validate: (next, old, { names }) => checkFixedAnnotations(next, old, names),
};

export const podStrategy: Strategy = strategyOf({
  resetStatus: true,
  deleteReturns: 'object',
  gracePeriodSeconds,
  prepareForCreate(next) {
    next['status'] = { phase: 'Pending', qosClass: qosClassOf(specOf(next)) };
  },
  prepareForUpdate: keepStatus,
  validate: (next, old, context) =>
    old === undefined
      ? [...checkMirrorPod(next, context.names), ...validatePodCreate(next, context)]
      : [...checkFixedAnnotations(next, old, context.names), ...validatePodUpdate(next, old)],
  through: {
    binding,
    ephemeralcontainers: ephemeralContainers,
    status: {
      prepareForUpdate(next, old, context) {
        statusRules().prepareForUpdate(next, old, context);
        const status = statusOf(next);
        // The class follows from the spec, and no agent may forget it.
        const { qosClass } = statusOf(old);
        if (status['qosClass'] === undefined && qosClass !== undefined)
          next['status'] = { ...status, qosClass };
        // Owners are no business of whoever reports the status.
        if (!jsonEquals(next.metadata.ownerReferences, old.metadata.ownerReferences)) {
          if (old.metadata.ownerReferences === undefined) delete next.metadata.ownerReferences;
          else next.metadata.ownerReferences = old.metadata.ownerReferences;
        }
      },
      validate: (next, old, { names }) => [
        ...checkFixedAnnotations(next, old, names),
        ...validatePodStatus(next, old),
      ],
    },
  },
});
