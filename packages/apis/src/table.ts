import type { ApiObject } from '@orch/machinery';
import { asObjects, asStringMap, asText, type JsonObject } from './read.ts';
import type { AgeCell, Cell, Column } from './resource-type.ts';

/** A column; shown always, a string, unless said otherwise. */
export const column = (name: string, description: string, rest: Partial<Column> = {}): Column => ({
  name,
  type: 'string',
  format: '',
  priority: 0,
  description,
  ...rest,
});

/** A column of the wide view. */
export const wideColumn = (name: string, description: string, rest: Partial<Column> = {}): Column =>
  column(name, description, { priority: 1, ...rest });

export const nameColumn: Column = column('Name', 'Name of the object.', { format: 'name' });

export const ageColumn: Column = column('Age', 'Time since the object was created.');

export const nameCell = (object: ApiObject): Cell => object.metadata.name ?? '';

export const ageCell = (object: ApiObject): AgeCell => ({ age: object.metadata.creationTimestamp });

/** Text, or what stands for nothing. */
export const orNone = (text: string): string => (text === '' ? '<none>' : text);

export const orUnknown = (text: string): string => (text === '' ? '<unknown>' : text);

/** Labels as `a=b,c=d`, in order of their keys. */
export function labelsText(labels: unknown): string {
  const pairs = Object.entries(asStringMap(labels)).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(','));
}

/** Names and images of containers, each joined with a comma. */
export function containersText(containers: unknown): readonly [names: string, images: string] {
  const joined = (member: string): string =>
    asObjects(containers)
      .map((container) => asText(container[member]))
      .join(',');
  return [joined('name'), joined('image')];
}

/** An address and a port; IPv6 addresses in brackets. */
export const hostPort = (address: string, port: unknown): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** Number of entries of a map that may be absent. */
export const countOf = (map: unknown): number => Object.keys(asStringMap(map)).length;

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Access modes in short, in a fixed order. */
export const accessModesText = (modes: readonly string[]): string =>
  Object.entries(shortModes)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** Class of a volume or claim: the older annotation counts first. */
export const storageClassText = (object: ApiObject, spec: JsonObject, annotation: string): string =>
  object.metadata.annotations?.[annotation] ?? asText(spec['storageClassName']);
