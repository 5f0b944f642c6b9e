import { type ApiObject, exactNumberText, parseApiVersion } from '@orch/machinery';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

/** The controller as `statefulset.apps/name`. */
function controllerText({ metadata }: ApiObject): string {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true);
  if (controller === undefined) return orNone('');
  const group = parseApiVersion(controller.apiVersion)?.group ?? '';
  const kind = group === '' ? controller.kind : `${controller.kind}.${group}`;
  return `${kind.toLowerCase()}/${controller.name}`;
}

/** Whole numbers beyond 2^53 are shown as text. */
const revisionCell = ({ revision }: ApiObject): Cell =>
  typeof revision === 'number' ? revision : (exactNumberText(revision) ?? 0);

export const controllerRevisionTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Controller', 'Object whose state it is.'),
    column('Revision', 'Number of the state; higher ones are newer.'),
    ageColumn,
  ],
  cells: (revision) => [
    nameCell(revision),
    controllerText(revision),
    revisionCell(revision),
    ageCell(revision),
  ],
};
