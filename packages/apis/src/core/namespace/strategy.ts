import {
  type ApiObject,
  type FieldError,
  fieldError,
  hasDeletionTimestamp,
  type Names,
  validateFinalizer,
} from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { asStrings, asText, specOf, statusOf } from '../../read.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';

/** Selectors can ask for a namespace by name: the label is there on every write, whatever the client sent. */
function keepNameLabel(next: ApiObject, names: Names): void {
  const { name } = next.metadata;
  if (name === undefined || name === '') return;
  next.metadata.labels = { ...next.metadata.labels, [names.labels.metadataName]: name };
}

/** Errors name the list. */
function validateFinalizers(next: ApiObject, names: Names): readonly FieldError[] {
  const path = 'spec.finalizers';
  return asStrings(specOf(next)['finalizers']).flatMap((name) => validateFinalizer(name, path, names));
}

/** The phase tells whether the namespace is being deleted, and nothing else. */
function validatePhase(next: ApiObject): readonly FieldError[] {
  const phase = asText(statusOf(next)['phase']);
  const expected = hasDeletionTimestamp(next.metadata) ? 'Terminating' : 'Active';
  if (phase === expected) return [];
  const when = hasDeletionTimestamp(next.metadata) ? 'is not empty' : 'is empty';
  return [
    fieldError.invalid('status.phase', phase, `may only be '${expected}' if \`deletionTimestamp\` ${when}`),
  ];
}

/**
 * Namespaces (spec 3.1): besides their own finalizers they have those of their spec, which only `/finalize` changes;
 * the first of them is the server's, and goes when the namespace is empty.
 */
const namespaceRules: Partial<Strategy> = {
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next, { names }) {
    const finalizers = asStrings(specOf(next)['finalizers']);
    const own = names.finalizers.namespace;
    next['spec'] = {
      ...specOf(next),
      finalizers: finalizers.includes(own) ? finalizers : [...finalizers, own],
    };
    next['status'] = { phase: 'Active' };
  },
  prepareForUpdate(next, old, context) {
    next['spec'] = old['spec'];
    keepStatus(next, old, context);
  },
  prepareForDelete(next) {
    next['status'] = { ...statusOf(next), phase: 'Terminating' };
  },
  ownFinalizers: (object) => asStrings(specOf(object)['finalizers']),
  validate: (next, _old, { names }) => validateFinalizers(next, names),
  through: {
    finalize: {
      prepareForUpdate: keepStatus,
      validate: (next, _old, { names }) => validateFinalizers(next, names),
    },
    status: statusRules(validatePhase),
  },
};

export const namespaceStrategy: Strategy = strategyOf({
  ...namespaceRules,
  // Only a name that was found valid can be the value of a label.
  canonicalize: (next, { names }) => keepNameLabel(next, names),
});

/** Before 1.21 namespaces had no label with their name. */
export const unlabelledNamespaceStrategy: Strategy = strategyOf(namespaceRules);
