import type { Names } from '@orch/machinery';
import type { BootstrapObject } from './bootstrap-object.ts';

/** The system namespaces and the default namespace. */
export const bootstrapNamespaces = (names: Names): readonly BootstrapObject[] =>
  Object.values(names.namespaces).map((name) => ({
    group: '',
    resource: 'namespaces',
    name,
    content: { kind: 'Namespace', apiVersion: 'v1', metadata: {} },
    whenPresent: 'leave',
  }));
