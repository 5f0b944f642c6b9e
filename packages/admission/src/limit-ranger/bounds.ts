import type { LimitRangeItem } from '@orch/kinds/core';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityNumber,
} from '@orch/machinery/quantity';
import type { Amounts } from '@orch/quota';

/** The requests and limits of a pod or a container. */
export interface Requirements {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The violations of one item of a limit range by requirements; empty when there are none. */
export function boundProblems(item: LimitRangeItem, requirements: Requirements): readonly string[] {
  const { type = '' } = item;
  return [
    ...each(item.min, (resource, bound) => belowMinimum(type, resource, bound, requirements)),
    ...each(item.max, (resource, bound) => aboveMaximum(type, resource, bound, requirements)),
    ...each(item.maxLimitRequestRatio, (resource, bound) => aboveRatio(type, resource, bound, requirements)),
  ];
}

/** The violations of one item of a limit range by the requests of a claim: claims have no limits. */
export function requestProblems(item: LimitRangeItem, requests: Amounts): readonly string[] {
  const { type = '' } = item;
  const requirements = { requests, limits: new Map() };
  return [
    ...each(item.min, (resource, bound) => belowMinimum(type, resource, bound, requirements)),
    ...each(item.max, (resource, bound) => requestAboveMaximum(type, resource, bound, requests)),
  ];
}

type Check = (resource: string, bound: Quantity) => string | undefined;

const each = (bounds: Readonly<Record<string, string>> = {}, check: Check): readonly string[] =>
  Object.entries(bounds).flatMap(([resource, text]) => check(resource, parseQuantity(text)) ?? []);

const isAbove = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) > 0;

function belowMinimum(
  type: string,
  resource: string,
  minimum: Quantity,
  { requests, limits }: Requirements,
): string | undefined {
  const rule = `minimum ${resource} usage per ${type} is ${formatQuantity(minimum)}`;
  const request = requests.get(resource);
  if (request === undefined) return `${rule}.  No request is specified`;
  if (isAbove(minimum, request)) return `${rule}, but request is ${formatQuantity(request)}`;
  const limit = limits.get(resource);
  return limit !== undefined && isAbove(minimum, limit)
    ? `${rule}, but limit is ${formatQuantity(limit)}`
    : undefined;
}

function aboveMaximum(
  type: string,
  resource: string,
  maximum: Quantity,
  { requests, limits }: Requirements,
): string | undefined {
  const rule = `maximum ${resource} usage per ${type} is ${formatQuantity(maximum)}`;
  const limit = limits.get(resource);
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (isAbove(limit, maximum)) return `${rule}, but limit is ${formatQuantity(limit)}`;
  const request = requests.get(resource);
  return request !== undefined && isAbove(request, maximum)
    ? `${rule}, but request is ${formatQuantity(request)}`
    : undefined;
}

function requestAboveMaximum(
  type: string,
  resource: string,
  maximum: Quantity,
  requests: Amounts,
): string | undefined {
  const rule = `maximum ${resource} usage per ${type} is ${formatQuantity(maximum)}`;
  const request = requests.get(resource);
  if (request === undefined) return `${rule}.  No request is specified`;
  return isAbove(request, maximum) ? `${rule}, but request is ${formatQuantity(request)}` : undefined;
}

function aboveRatio(
  type: string,
  resource: string,
  ratio: Quantity,
  { requests, limits }: Requirements,
): string | undefined {
  const rule = `${resource} max limit to request ratio per ${type} is ${formatQuantity(ratio)}`;
  const request = requests.get(resource);
  const limit = limits.get(resource);
  const requested = request === undefined ? 0 : quantityNumber(request);
  if (requested === 0) return `${rule}, but no request is specified or request is 0`;
  const limited = limit === undefined ? 0 : quantityNumber(limit);
  if (limited === 0) return `${rule}, but no limit is specified or limit is 0`;
  const actual = limited / requested;
  return actual > quantityNumber(ratio) ? `${rule}, but provided ratio is ${actual.toFixed(6)}` : undefined;
}
