import type { PodSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { setField } from '@orch/machinery/json';
import { compareQuantities, formatQuantity, parseQuantity } from '@orch/machinery/quantity';
import { isHugePages, isPodResource } from '../validation/resource-names.ts';
import { containerSums } from './container-sums.ts';

type Amounts = Readonly<Record<string, string>>;

/** The amounts with those of others that have no entry yet. */
function completed(amounts: Amounts, others: readonly (readonly [name: string, amount: string])[]): Amounts {
  const missing = others.filter(([name]) => isPodResource(name) && !Object.hasOwn(amounts, name));
  if (missing.length === 0) return amounts;
  const all = { ...amounts };
  for (const [name, amount] of missing) setField(all, name, amount);
  return all;
}

const sumsOf = (spec: PodSpec, list: 'limits' | 'requests', hugePages: boolean): [string, string][] =>
  [...containerSums(spec, list)]
    .filter(([name]) => isHugePages(name) === hugePages)
    .map(([name, amount]) => [name, formatQuantity(amount)]);

const isEmpty = (amounts: Amounts | undefined): boolean => Object.keys(amounts ?? {}).length === 0;

/** Limits of huge pages of a pod that has resources are those of its containers together. */
function completePages(spec: Draft<PodSpec>): boolean {
  const { limits = {}, requests = {} } = spec.resources ?? {};
  if (spec.resources === undefined || (isEmpty(limits) && isEmpty(requests))) return false;
  const pages = sumsOf(spec, 'limits', true).filter(([name]) => !Object.hasOwn(requests, name));
  const next = completed(limits, pages);
  if (next === limits) return false;
  spec.resources.limits = next;
  return true;
}

/** A pod that has resources requests what its containers request together, else its limits. */
function completeRequests(spec: Draft<PodSpec>): boolean {
  const { limits = {}, requests = {} } = spec.resources ?? {};
  if (spec.resources === undefined || (isEmpty(limits) && isEmpty(requests))) return false;
  const next = completed(completed(requests, sumsOf(spec, 'requests', false)), Object.entries(limits));
  if (next === requests) return false;
  spec.resources.requests = next;
  return true;
}

/** Completes the resources of a pod that has limits. Reports whether something was added. */
export function completeLimitedPod(spec: Draft<PodSpec>): boolean {
  const changed = completePages(spec);
  return isEmpty(spec.resources?.limits) ? changed : completeRequests(spec) || changed;
}

/** Completes the requests and limits of a pod that has some of them. */
export function completePodResources(spec: Draft<PodSpec>): void {
  completePages(spec);
  completeRequests(spec);
  completeLimits(spec);
}

/**
 * Limits what a pod requests to the limits of its containers together, where each of them has one; a larger request is
 * the limit.
 */
function completeLimits(spec: Draft<PodSpec>): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const { limits = {}, requests = {} } = resources;
  const sums = containerSums(spec, 'limits');
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(
    (container) => container.resources?.limits ?? {},
  );
  const missing = Object.entries(requests).flatMap(([name, text]): [string, string][] => {
    const sum = sums.get(name);
    if (sum === undefined || !all.every((own) => Object.hasOwn(own, name))) return [];
    const request = parseQuantity(text || '0');
    return [[name, formatQuantity(compareQuantities(request, sum) > 0 ? request : sum)]];
  });
  const next = completed(limits, missing);
  if (next !== limits) resources.limits = next;
}
