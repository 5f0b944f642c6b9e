import { type ApiObject, type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { asNumber, asObject, asObjects, asText, type JsonObject, specOf, statusOf } from '../../read.ts';
import type { Strategy, StrategyContext, SubresourceRules } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { qosClassOf } from './qos-class.ts';
import { checkFixedAnnotations, checkMirrorPod } from './validation/annotations.ts';
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

const path = 'spec.ephemeralContainers';

/** Ephemeral containers can be added; those that are there stay as they are. */
function validateEphemeralContainers(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const after = asObjects(specOf(next)['ephemeralContainers']);
  const byName = new Map(after.map((container) => [asText(container['name']), container]));
  return asObjects(specOf(old)['ephemeralContainers']).flatMap((before) => {
    const name = asText(before['name']);
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

/** What holds for new pods, but not for templates: their spec is checked with its schema. */
function validatePodCreate(pod: ApiObject, _context: StrategyContext): readonly FieldError[] {
  const spec = specOf(pod);
  return [...noEphemeralContainers(spec), ...checkTokenProjections('spec', spec)];
}

const noEphemeralContainers = (spec: JsonObject): readonly FieldError[] =>
  asObjects(spec['ephemeralContainers']).length === 0
    ? []
    : [fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create')];

/** Without a service account there is nobody a token could be for. */
function checkTokenProjections(path: string, spec: JsonObject): readonly FieldError[] {
  if (asText(spec['serviceAccountName']) !== '') return [];
  return asObjects(spec['volumes']).flatMap((volume, i) =>
    asObjects(asObject(volume['projected'])['sources']).flatMap((source, j) => {
      if (source['serviceAccountToken'] === undefined) return [];
      const at = `${path}.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      return [fieldError.forbidden(at, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}

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
