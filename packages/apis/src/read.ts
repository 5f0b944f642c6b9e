import type { ApiObject } from '@orch/machinery';

/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

const nothing: JsonObject = Object.freeze({});

/** The value as an object; an empty one when it is anything else. */
export const asObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : nothing;

/** The value as a list of objects; empty when it is not a list. */
export const asObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

/** The value as a list of strings; empty when it is not a list. */
export const asStrings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? (value as readonly string[]) : [];

/** The value as text; `''` when it is not a string. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value as a number; 0 when it is none. */
export const asNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** A string map; empty when the value is none. */
export const asStringMap = (value: unknown): Readonly<Record<string, string>> =>
  asObject(value) as Readonly<Record<string, string>>;

/** `spec` of an object that was decoded. */
export const specOf = (object: ApiObject | JsonObject): JsonObject => asObject(object['spec']);

/** `status` of an object that was decoded. */
export const statusOf = (object: ApiObject | JsonObject): JsonObject => asObject(object['status']);
