import type { PersistentVolume, PersistentVolumeClaim, PodSpec } from '@orch/kinds/core';
import type { ApiObject } from '@orch/machinery';
import type { AgeCell, Cell, Column } from './resource-type.ts';

/** A column; by default a string that is always shown. */
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

/** The string, or a placeholder when it is empty. */
export const orNone = (text: string): string => (text === '' ? '<none>' : text);

export const orUnknown = (text: string): string => (text === '' ? '<unknown>' : text);

/** Labels as `a=b,c=d`, sorted by key. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(','));
}

/** Names and images of containers, each joined with a comma. */
export function containersText(containers: PodSpec['containers']): readonly [names: string, images: string] {
  const joined = (name: 'name' | 'image'): string =>
    (containers ?? []).map((container) => container[name] ?? '').join(',');
  return [joined('name'), joined('image')];
}

/** An address and a port; IPv6 addresses in brackets. */
export const hostPort = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** Number of entries of a map that may be absent. */
export const countOf = (map: Readonly<Record<string, string>> = {}): number => Object.keys(map).length;

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Abbreviated access modes, in a fixed order. */
export const accessModesText = (modes: readonly string[]): string =>
  Object.entries(shortModes)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** Class of a volume or claim: the older annotation takes precedence. */
export const storageClassText = (
  object: PersistentVolume | PersistentVolumeClaim,
  annotation: string,
): string => object.metadata.annotations?.[annotation] ?? object.spec?.storageClassName ?? '';
