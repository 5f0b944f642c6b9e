import type { Pod } from './fixture.ts';

/** The padding of a pod in a test: a reader can tell whether it has the bytes of one write, all of them. */
export const paddingOf = (key: string, write: number, length: number): string =>
  `${key} ${write} `.repeat(Math.ceil(length / 16));

/** The JSON is that of the key at the revision, and its padding that of one write. */
export function isWhole(json: string, key: string, rev: number): boolean {
  try {
    const { metadata, spec } = JSON.parse(json) as Pod;
    const { padding = '' } = spec;
    const [ofKey, write] = padding.split(' ');
    return (
      metadata.resourceVersion === String(rev) &&
      `${metadata.namespace}/${metadata.name}` === key &&
      ofKey === key &&
      padding === `${key} ${write} `.repeat(padding.length / `${key} ${write} `.length)
    );
  } catch {
    return false;
  }
}
