import type { CSINodeDriver, CSINodeSpec } from '@orch/kinds/storage';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';

const MAX_NODE_ID = 128;

/** For compatibility, errors in topology keys name the driver as a whole. */
export const checkNodeDriver: Check<CSINodeDriver> = (driver, { path }) => {
  const id = driver.nodeID ?? '';
  const errors: FieldError[] = [];
  if (id.length > MAX_NODE_ID) {
    errors.push(fieldError.invalid(`${path}.nodeID`, id, `must be ${MAX_NODE_ID} characters or less`));
  }
  const seen = new Set<string>();
  for (const key of driver.topologyKeys ?? []) {
    if (key === '') errors.push(fieldError.required(path, key));
    else errors.push(...checkFormat('qualifiedName', path, key));
    if (seen.has(key)) errors.push(fieldError.duplicate(path, key));
    seen.add(key);
  }
  return errors;
};

/** Checks that entries of drivers are only added and removed, and do not change. */
export const checkSameDrivers: Check<CSINodeSpec> = (spec, { old }) => {
  if (old === undefined) return [];
  const before = new Map((old.drivers ?? []).map((driver) => [driver.name, driver]));
  return (spec.drivers ?? [])
    .filter((driver) => {
      const known = before.get(driver.name);
      return known !== undefined && !jsonEquals(driver, known);
    })
    .map((driver) => fieldError.invalid('CSINodeDriver', driver, 'field is immutable'));
};
