import type { Namespace } from '@orch/kinds/core';
import { type FieldError, fieldError, hasDeletionTimestamp, type Names } from '@orch/machinery';
import { validateFinalizer } from '@orch/machinery/object-meta';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { labelWithName } from './defaults.ts';

/** For compatibility, errors name the list, except those of the subresource for it. */
function validateFinalizers(next: Namespace, names: Names): readonly FieldError[] {
  const path = 'spec.finalizers';
  return (next.spec?.finalizers ?? []).flatMap((name) => validateFinalizer(name, path, names));
}

/** The phase only indicates whether the namespace is being deleted. */
function validatePhase(next: Namespace): readonly FieldError[] {
  const phase = next.status?.phase ?? '';
  const expected = hasDeletionTimestamp(next.metadata) ? 'Terminating' : 'Active';
  if (phase === expected) return [];
  const when = hasDeletionTimestamp(next.metadata) ? 'is not empty' : 'is empty';
  return [
    fieldError.invalid('status.Phase', phase, `may only be '${expected}' if \`deletionTimestamp\` ${when}`),
  ];
}

/**
 * Namespaces (spec 3.1): besides the finalizers of their metadata they have those of their spec, which only `/finalize`
 * changes; the first of them belongs to the server, which removes it when the namespace is empty.
 */
const namespaceRules: Partial<Strategy<Namespace>> = {
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next, { names }) {
    const finalizers = next.spec?.finalizers ?? [];
    const own = names.finalizers.namespace;
    next.spec = {
      ...next.spec,
      finalizers: finalizers.includes(own) ? finalizers : [...finalizers, own],
    };
    next.status = { phase: 'Active' };
  },
  prepareForUpdate(next, old, context) {
    if (old.spec === undefined) delete next.spec;
    else next.spec = old.spec;
    keepStatus(next, old, context);
  },
  prepareForDelete(next) {
    next.status = { ...next.status, phase: 'Terminating' };
  },
  ownFinalizers: (object) => object.spec?.finalizers ?? [],
  validate: (next, _old, { names }) => validateFinalizers(next, names),
  through: {
    finalize: {
      prepareForUpdate: keepStatus,
      validate: ({ spec }, _old, { names }) =>
        (spec?.finalizers ?? []).flatMap((name, i) =>
          validateFinalizer(name, `spec.finalizers[${i}]`, names),
        ),
    },
    status: statusRules(validatePhase),
  },
};

export const namespaceStrategy: Strategy<Namespace> = strategyOf({
  ...namespaceRules,
  // The label is a default too, but the name of a new namespace may be generated later.
  canonicalize(next, { names }) {
    labelWithName(next, names);
  },
});

/** Before 1.21 namespaces had no label with their name. */
export const unlabelledNamespaceStrategy: Strategy<Namespace> = strategyOf(namespaceRules);
