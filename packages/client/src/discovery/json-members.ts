import { isJsonObject } from '@orch/machinery';

type JsonObject = Record<string, unknown>;

/** Members of a JSON value by their type: what is of another type is as good as absent. */
export const objectsAt = (value: JsonObject, name: string): readonly JsonObject[] => {
  const list = value[name];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

export const objectAt = (value: JsonObject, name: string): JsonObject => {
  const member = value[name];
  return isJsonObject(member) ? member : {};
};

export const textAt = (value: JsonObject, name: string): string => {
  const member = value[name];
  return typeof member === 'string' ? member : '';
};

export const textsAt = (value: JsonObject, name: string): readonly string[] => {
  const list = value[name];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
};
