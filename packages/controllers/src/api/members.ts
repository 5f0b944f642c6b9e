import { isJsonObject } from '@orch/machinery';

/** Reading of objects whose form the server has checked: what is not there, or of another type, is empty. */

export type Members = Readonly<Record<string, unknown>>;

export const membersAt = (object: Members, name: string): Members => {
  const value = object[name];
  return isJsonObject(value) ? value : {};
};

export const textAt = (object: Members, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

export const numberAt = (object: Members, name: string): number | undefined => {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
};

export const listAt = (object: Members, name: string): readonly unknown[] => {
  const value = object[name];
  return Array.isArray(value) ? value : [];
};

export const textsAt = (object: Members, name: string): readonly string[] =>
  listAt(object, name).filter((value): value is string => typeof value === 'string');

export const objectsAt = (object: Members, name: string): readonly Members[] =>
  listAt(object, name).filter(isJsonObject);

/** Text that stands in an object as base64. */
export const decodedAt = (object: Members, name: string): string =>
  Buffer.from(textAt(object, name), 'base64').toString();

export const encoded = (text: string): string => Buffer.from(text).toString('base64');
