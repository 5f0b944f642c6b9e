import { type ApiObject, hasDeletionTimestamp } from '@orch/machinery';
import { asObject, asText, statusOf } from '../../../read.ts';
import { wideColumn } from '../../../table.ts';

export const modeColumn = wideColumn(
  'VolumeMode',
  'Whether it is used with a file system or as a block device.',
);

export const phaseText = (object: ApiObject): string =>
  hasDeletionTimestamp(object.metadata) ? 'Terminating' : asText(statusOf(object)['phase']);

/** An amount that is not there is nothing. */
export const sizeText = (list: unknown): string => asText(asObject(list)['storage']) || '0';
