import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import type { Draft } from '@orch/kinds/draft';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { storedVersionsOf, versionsOf } from './definition.ts';
import {
  definitionValidation,
  validateDefinition,
  validateDefinitionStatus,
} from './validation/custom-resource-definition.ts';
import { definitionWarnings } from './warnings.ts';

/** Records that objects may be stored in the storage version from now on. */
function noteStorageVersion(next: Draft<CustomResourceDefinition>): void {
  const stored = storedVersionsOf(next);
  const found = versionsOf(next).find(({ storage }) => storage === true);
  if (found === undefined) return;
  const version = found.name ?? '';
  if (stored.includes(version)) return;
  next.status = { ...next.status, storedVersions: [...stored, version] };
}

/** Until the deletion of its objects starts. */
const deletionPending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** Status of a new definition, before controllers have processed it. */
const untouched = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };

/** Definitions of custom resources: their status lists every version in which objects were ever stored. */
export const customResourceDefinitionStrategy: Strategy<CustomResourceDefinition> =
  strategyOf<CustomResourceDefinition>({
    unconditionalUpdate: false,
    generation: 'spec',
    resetStatus: true,
    prepareForCreate(next) {
      next.status = { ...untouched };
      noteStorageVersion(next);
    },
    prepareForUpdate(next, old, context) {
      keepStatus(next, old, context);
      noteStorageVersion(next);
    },
    // Its objects are deleted first.
    finalizersOnDelete: (names) => [names.finalizers.crdCleanup],
    onlyMarksDeletion: true,
    prepareForDelete(next, { now }) {
      const conditions = next.status?.conditions ?? [];
      if (conditions.some(({ type }) => type === deletionPending.type)) return;
      next.status = {
        ...next.status,
        conditions: [...conditions, { ...deletionPending, lastTransitionTime: now }],
      };
    },
    validate: validateDefinition,
    validation: definitionValidation,
    warnings: definitionWarnings,
    through: { status: statusRules(validateDefinitionStatus) },
  });
