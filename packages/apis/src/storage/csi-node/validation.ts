import type { CSINodeDriver, CSINodeSpec } from '@orch/kinds/storage';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { Check, CheckContext } from '@orch/schema';
import { checkDriverName, checkFormat } from '../../validation-rules.ts';

/** Longest name of a node for its driver, in characters, by the release from which on it holds. */
const maxNodeId = [
  { release: '1.24', length: 256 },
  { release: '1.22', length: 192 },
] as const;
const OLDEST_MAX_NODE_ID = 128;

/** Before 1.35 an empty name is reported as required and as not of the format. */
const checkName = (name: string, path: string, since: CheckContext['since']): readonly FieldError[] =>
  name === '' && since('1.35') ? [] : checkDriverName(`${path}.name`, name);

/** For compatibility, errors in topology keys name the driver as a whole. */
export const checkNodeDriver: Check<CSINodeDriver> = (driver, { path, since }) => {
  const id = driver.nodeID ?? '';
  const errors: FieldError[] = [...checkName(driver.name ?? '', path, since)];
  const longest = maxNodeId.find(({ release }) => since(release))?.length ?? OLDEST_MAX_NODE_ID;
  if (id.length > longest) {
    errors.push(fieldError.invalid(`${path}.nodeID`, id, `must be ${longest} characters or less`));
  }
  const seen = new Set<string>();
  for (const key of driver.topologyKeys ?? []) {
    if (key === '') errors.push(fieldError.required(path, key));
    errors.push(...checkFormat('qualifiedName', path, key));
    if (seen.has(key)) errors.push(fieldError.duplicate(path, key));
    seen.add(key);
  }
  return errors;
};

/** Checks that each driver is there once; a missing name counts as one. */
export const checkOneOfEach: Check<CSINodeSpec> = ({ drivers }, { path }) => {
  const known = new Set<string>();
  return (drivers ?? []).flatMap(({ name = '' }, i) => {
    if (known.has(name)) return [fieldError.duplicate(`${path}.drivers[${i}].name`, name)];
    known.add(name);
    return [];
  });
};

/** Checks that an update adds and removes drivers, and changes at most how many volumes of one a node takes. */
export const checkSameDrivers: Check<CSINodeSpec> = (spec, { old, since }) => {
  if (old === undefined) return [];
  const before = new Map((old.drivers ?? []).map((driver) => [driver.name, driver]));
  const path = since('1.33') ? 'spec.drivers' : 'CSINodeDriver';
  const mayCount = since('1.35', 'MutableCSINodeAllocatableCount');
  const fixedPart = (driver: CSINodeDriver): CSINodeDriver => {
    const { allocatable: _, ...rest } = driver;
    return mayCount ? rest : driver;
  };
  return (spec.drivers ?? [])
    .filter((driver) => {
      const known = before.get(driver.name);
      return known !== undefined && !jsonEquals(fixedPart(driver), fixedPart(known));
    })
    .map((driver) => fieldError.invalid(path, driver, 'field is immutable'));
};
