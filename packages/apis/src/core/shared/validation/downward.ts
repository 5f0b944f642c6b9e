import type { ObjectFieldSelector, ResourceFieldSelector } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';
import { parseQuantity, quantityNumber } from '@orch/machinery/quantity';
import { isHugePages } from './resource-names.ts';

/** Pod fields with a single value. */
const plainFields = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.labels',
  'metadata.annotations',
  'spec.nodeName',
  'spec.serviceAccountName',
  'spec.restartPolicy',
  'spec.host',
  'status.phase',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
]);

/** Fields that environment variables can have. */
export const envFields: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
]);

/** Fields that files can have. */
export const fileFields: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.labels',
  'metadata.annotations',
]);

const entry = /^(metadata\.(?:labels|annotations))\['([^']*)'\]$/;

/**
 * Checks a field of a pod for the downward API: known, and among the `allowed`, or an entry of its labels or
 * annotations.
 */
export function checkDownwardField(
  path: string,
  reference: ObjectFieldSelector,
  allowed: ReadonlySet<string>,
): readonly FieldError[] {
  const version = reference.apiVersion ?? '';
  const field = reference.fieldPath ?? '';
  if (version === '') return [fieldError.required(`${path}.apiVersion`)];
  // The declaration of the path makes it required.
  if (field === '') return [];
  const match = entry.exec(field);
  if (match !== null) {
    const key = match[2] ?? '';
    const wrong = qualifiedName(match[1] === 'metadata.annotations' ? key.toLowerCase() : key);
    return wrong === undefined ? [] : [fieldError.invalid(path, key, wrong)];
  }
  const at = `${path}.fieldPath`;
  if (version !== 'v1' || !plainFields.has(field)) {
    return [fieldError.invalid(at, field, 'error converting fieldPath: field label not supported')];
  }
  return allowed.has(field) ? [] : [fieldError.notSupported(at, field, [...allowed].sort())];
}

const amounts = ['cpu', 'memory', 'ephemeral-storage'] as const;
const resources = new Set(amounts.flatMap((name) => [`limits.${name}`, `requests.${name}`]));

const cpuDivisors = new Set([0, 0.001, 1]);
const sizeDivisors = new Set([
  0,
  1,
  1e3,
  1e6,
  1e9,
  1e12,
  1e15,
  1e18,
  ...[1, 2, 3, 4, 5, 6].map((n) => 1024 ** n),
]);

/** Checks a limit or request of a container with a suitable divisor. */
export function checkResourceField(
  path: string,
  reference: ResourceFieldSelector,
  where: 'env' | 'file',
): readonly FieldError[] {
  const container = reference.containerName ?? '';
  const resource = reference.resource ?? '';
  if (where === 'file' && container === '') return [fieldError.required(`${path}.containerName`)];
  if (resource === '') return [];
  const kind = resource.slice(resource.indexOf('.') + 1);
  if (!resources.has(resource) && !(isHugePages(kind) && kind !== resource)) {
    return [fieldError.notSupported(`${path}.resource`, resource, [...resources].sort())];
  }
  const divisor = (reference.divisor ?? '') || '0';
  const allowed = kind === 'cpu' ? cpuDivisors : sizeDivisors;
  if (allowed.has(quantityNumber(parseQuantity(divisor)))) return [];
  return [fieldError.invalid(`${path}.divisor`, divisor, `only divisors for ${kind} are supported`)];
}
