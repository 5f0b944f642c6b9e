import type { DaemonSetSpec } from '@orch/kinds/apps';
import type { PodTemplateSpec } from '@orch/kinds/core';
import type { LabelSelector } from '@orch/kinds/meta';
import { formatLabelSelector, labelSelectorFromObject, SelectorError } from '@orch/machinery/selectors';
import type { Cell, Column } from '../../resource-type.ts';
import { column, containersText, orNone, wideColumn } from '../../table.ts';

export const desiredColumn = column('Desired', 'Desired number of pods.', { type: 'integer' });
export const currentColumn = column('Current', 'Current number of pods.', { type: 'integer' });
export const readyCountColumn = column('Ready', 'Pods that are ready.', { type: 'integer' });
export const readyPartColumn = column('Ready', 'Pods that are ready, of the desired number.');

/** The wide columns about the containers of a template. */
export const containerColumns: readonly Column[] = [
  wideColumn('Containers', 'Names of the containers.'),
  wideColumn('Images', 'Images of the containers.'),
];

export const selectorColumn = wideColumn('Selector', 'Selects the pods.');

export const containerCells = (template: PodTemplateSpec | undefined): readonly Cell[] =>
  containersText(template?.spec?.containers);

/** A label selector as text. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  if ((selector ?? undefined) === undefined) return orNone('');
  try {
    return orNone(formatLabelSelector(labelSelectorFromObject(selector)));
  } catch (error) {
    if (error instanceof SelectorError) return '<error>';
    throw error;
  }
}

export const templateNodeSelector = (spec: DaemonSetSpec): Readonly<Record<string, string>> | undefined =>
  spec.template?.spec?.nodeSelector;
