import type { Namespace } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import type { Derive } from '@orch/schema';

/**
 * Sets the label by which selectors match a namespace by name, whatever the client sent. Returns whether it changed
 * anything.
 */
export function labelWithName({ metadata }: Draft<Namespace>, names: Names): boolean {
  const { name = '', labels } = metadata;
  const key = names.labels.metadataName;
  if (name === '' || labels?.[key] === name) return false;
  metadata.labels = { ...labels, [key]: name };
  return true;
}

/** From 1.21 on, every namespace has the label. */
export const deriveNamespace: Derive<Draft<Namespace>> = (namespace, names, { since }) =>
  namespace.metadata !== undefined && since('1.21') && labelWithName(namespace, names);
