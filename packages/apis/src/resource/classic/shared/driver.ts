import { fieldError } from '@orch/machinery';
import { type Check, f } from '@orch/schema';
import { checkDriverName } from '../../../validation-rules.ts';

interface OfDriver {
  readonly driverName?: string;
}

/** The field with the driver that an entry of a list is for. */
export const driverNameField = f.string(1, {
  doc: 'Driver that the entry is for; each has one entry.',
  required: true,
});

/** Checks the name of a driver; a missing one is reported as required and as not of the format. */
export const checkDriver: Check<OfDriver> = ({ driverName = '' }, { path }) =>
  checkDriverName(path === '' ? 'driverName' : `${path}.driverName`, driverName);

/** The items of a list of the object itself are for different drivers. */
export const oneForEachDriver =
  (field: string): Check =>
  (value) => {
    const known = new Set<string>();
    const entries = (value[field] ?? []) as readonly OfDriver[];
    return entries.flatMap(({ driverName = '' }, i) => {
      if (known.has(driverName)) return [fieldError.duplicate(`${field}[${i}].driverName`, driverName)];
      known.add(driverName);
      return [];
    });
  };
