import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, asStrings, asText, type JsonObject, specOf, statusOf } from '../../read.ts';

/** Members of definitions, read from objects that were decoded. */

export const versionsOf = (definition: ApiObject | JsonObject): readonly JsonObject[] =>
  asObjects(specOf(definition)['versions']);

export const schemaOf = (version: JsonObject): JsonObject | undefined => {
  const { openAPIV3Schema } = asObject(version['schema']);
  return openAPIV3Schema === undefined ? undefined : asObject(openAPIV3Schema);
};

export const storedVersionsOf = (definition: ApiObject): readonly string[] =>
  asStrings(statusOf(definition)['storedVersions']);

/** Whether a condition of the definition is true. */
export const isCondition = (definition: ApiObject, wanted: string): boolean =>
  asObjects(statusOf(definition)['conditions']).some(
    ({ type, status }) => type === wanted && status === 'True',
  );

export const storageVersionOf = (definition: ApiObject): string =>
  asText(versionsOf(definition).find(({ storage }) => storage === true)?.['name']);
