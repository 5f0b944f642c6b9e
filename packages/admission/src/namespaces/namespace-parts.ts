import type { ObjectSource } from '@orch/auth';
import type { Namespace } from '@orch/kinds/core';
import { type ApiObject, errors, type Names } from '@orch/machinery';
import type { Operation, ResourceTarget } from '../types.ts';

export interface NamespaceParts {
  readonly source: ObjectSource;
  readonly names: Names;
}

export type FoundNamespace = (ApiObject & Namespace) | undefined;

/** Namespaces themselves, other than their subresources. */
export const isNamespace = ({ group, resource, subresource }: ResourceTarget): boolean =>
  group === '' && resource === 'namespaces' && subresource === '';

/**
 * Writes of objects in a namespace. Access reviews are not included: nothing is written, and an answer about the
 * namespace would inform users who may not read it.
 */
export const writesInNamespaces =
  (...operations: readonly Operation[]) =>
  ({ requested, group, operation }: ResourceTarget): boolean =>
    requested.namespaced && operations.includes(operation) && group !== 'authorization';

export const namespaceNotFound = (name: string): Error =>
  errors.notFound({ group: '', kind: 'namespaces', name });
