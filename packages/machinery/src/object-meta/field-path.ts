/** Paths of fields in errors: `spec.containers[0].ports[1].name`, `metadata.labels[a.b/c]`. `''` is the root. */

/** The field `name` of what `path` names. */
export const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The item `position` of the list that `path` names. */
export const index = (path: string, position: number): string => `${path}[${position}]`;

/** The entry `entry` of the map that `path` names. */
export const key = (path: string, entry: string): string => `${path}[${entry}]`;

export const fieldPath = Object.freeze({ child, index, key });
