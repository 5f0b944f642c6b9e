import type { ApiObject } from '@orch/machinery';
import { column } from '../../../table.ts';

export const classColumn = column('ResourceClassName', 'Class of the resource.');

export const modeColumn = column('AllocationMode', 'When the resource is allocated.');

export const generatedFromColumn = column('GeneratedFrom', 'Object from which the parameters were made.');

interface Generated extends ApiObject {
  readonly generatedFrom?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
}

/** Kind, group and name of the object from which parameters were made. */
export function generatedFromCell({ generatedFrom }: Generated): string {
  if (generatedFrom === undefined) return '';
  const { kind = '', apiGroup = '', name = '' } = generatedFrom;
  return `${kind}.${apiGroup} ${name}`;
}
