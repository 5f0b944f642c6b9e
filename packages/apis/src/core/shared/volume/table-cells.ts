import type { PersistentVolume, PersistentVolumeClaim } from '@orch/kinds/core';
import { hasDeletionTimestamp } from '@orch/machinery';
import { column, wideColumn } from '../../../table.ts';

export const modeColumn = wideColumn(
  'VolumeMode',
  'Whether it is used with a file system or as a block device.',
);

export const attributesClassColumn = {
  ...column('VolumeAttributesClass', 'Attributes class of the volume.'),
  since: '1.29',
} as const;

export const phaseText = (object: PersistentVolume | PersistentVolumeClaim): string =>
  hasDeletionTimestamp(object.metadata) ? 'Terminating' : (object.status?.phase ?? '');

/** An absent amount is zero. */
export const sizeText = (list: Readonly<Record<string, string>> | undefined): string => list?.storage || '0';
