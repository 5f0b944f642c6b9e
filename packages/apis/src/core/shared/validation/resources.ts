import type { ResourceRequirements } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import {
  compareQuantities,
  isWholeQuantity,
  parseQuantity,
  type Quantity,
  quantityInteger,
  quantitySign,
} from '@orch/machinery/quantity';
import {
  containerResourceProblem,
  isHugePages,
  isOvercommitAllowed,
  isPodResource,
  isWholeResource,
  podResources,
  resourceNameProblem,
} from './resource-names.ts';

/** A resource list for comparisons, with parsed amounts. The text is kept for messages. */
export type Amounts = readonly { readonly name: string; readonly text: string; readonly amount: Quantity }[];

/** Parses a decoded resource list, whose amounts are valid quantities. */
export const amountsOf = (list: Readonly<Record<string, string>> | undefined): Amounts =>
  Object.entries(list ?? {}).map(amountOf);

function amountOf([name, value]: [name: string, value: string]): Amounts[number] {
  const text = value || '0';
  return { name, text, amount: parseQuantity(text) };
}

function* readAmounts(list: Readonly<Record<string, string>> | undefined, pace: Pace): Work<Amounts> {
  if (list === undefined) return [];
  const amounts: Amounts[number][] = [];
  // Listing the names of a large object is several times faster than listing its entries.
  for (const name of Object.keys(list)) {
    if (pace.isDue()) yield;
    amounts.push(amountOf([name, list[name] ?? '']));
  }
  return amounts;
}

/** Checks that amounts are not negative, and are integers where they are counts. */
export function checkAmount(path: string, entry: Amounts[number], names: Names): readonly FieldError[] {
  const { name, text, amount } = entry;
  if (quantitySign(amount) < 0) {
    return [fieldError.invalid(path, text, 'must be greater than or equal to 0')];
  }
  if (isWholeResource(name, names) && !isWholeQuantity(amount)) {
    return [fieldError.invalid(path, text, 'must be an integer')];
  }
  return [];
}

/** Checks that huge pages are requested as whole pages. */
function checkPages(path: string, { name, text, amount }: Amounts[number]): readonly FieldError[] {
  if (!isHugePages(name)) return [];
  const size = pageSize(name);
  if (size === undefined) return [fieldError.invalid(path, name, 'must name the size of the pages')];
  const whole = isWholeQuantity(amount) && quantityInteger(amount) % size === 0n;
  return whole ? [] : [fieldError.invalid(path, text, `must be a multiple of the page size of ${name}`)];
}

function pageSize(resource: string): bigint | undefined {
  try {
    const size = parseQuantity(resource.slice('hugepages-'.length));
    return quantitySign(size) > 0 && isWholeQuantity(size) ? quantityInteger(size) : undefined;
  } catch {
    return undefined;
  }
}

/** What has resources: a pod has only some of those of a container. */
type Holder = 'container' | 'pod';

function checkName(path: string, name: string, names: Names, of: Holder): FieldError | undefined {
  const wrong = of === 'pod' ? resourceNameProblem(name) : containerResourceProblem(name, names);
  if (wrong !== undefined) return fieldError.invalid(path, name, wrong);
  return of === 'container' || isPodResource(name)
    ? undefined
    : fieldError.notSupported(path, name, podResources);
}

function checkEntry(path: string, entry: Amounts[number], names: Names, of: Holder): readonly FieldError[] {
  const wrong = checkName(path, entry.name, names, of);
  const unit = checkAmount(path, entry, names);
  const pages = checkPages(path, entry);
  return wrong === undefined ? joined(unit, pages) : [wrong, ...unit, ...pages];
}

/** Both lists; most entries have no problem, and make no list. */
const joined = (a: readonly FieldError[], b: readonly FieldError[]): readonly FieldError[] =>
  a.length === 0 ? b : b.length === 0 ? a : [...a, ...b];

/** Checks that a request does not exceed its limit, and equals it where resources cannot be overcommitted. */
function checkAgainstLimit(
  path: string,
  request: Amounts[number],
  limit: Amounts[number] | undefined,
  names: Names,
): readonly FieldError[] {
  const { name, text, amount } = request;
  if (limit === undefined) {
    if (isOvercommitAllowed(name, names)) return [];
    return [
      fieldError.required(`${path}.limits`, `${name} needs a limit, because it cannot be overcommitted`),
    ];
  }
  const order = compareQuantities(amount, limit.amount);
  if (order !== 0 && !isOvercommitAllowed(name, names)) {
    return [fieldError.invalid(`${path}.requests`, text, `must be equal to ${name} limit`)];
  }
  return order > 0
    ? [fieldError.invalid(`${path}.requests`, text, `must be less than or equal to ${name} limit`)]
    : [];
}

const usesMemory = (amounts: Amounts): boolean =>
  amounts.some(({ name }) => name === 'cpu' || name === 'memory');

/** Checks requests and limits of a container or a whole pod, or the overhead of a pod as its limits. */
export const checkContainerResources = (
  path: string,
  resources: ResourceRequirements,
  names: Names,
  of: Holder = 'container',
): readonly FieldError[] => atOnce(checkingContainerResources(path, resources, names, of));

/** Like `checkContainerResources`, in pieces. */
export function* checkingContainerResources(
  path: string,
  resources: ResourceRequirements,
  names: Names,
  of: Holder = 'container',
): Work<readonly FieldError[]> {
  if (resources.limits === undefined && resources.requests === undefined) return [];
  const pace = new Pace();
  const limits = yield* readAmounts(resources.limits, pace);
  const requests = yield* readAmounts(resources.requests, pace);
  const limitOf = new Map<string, Amounts[number]>();
  const errors: FieldError[] = [];
  for (const entry of limits) {
    if (pace.isDue()) yield;
    limitOf.set(entry.name, entry);
    errors.push(...checkEntry(`${path}.limits[${entry.name}]`, entry, names, of));
  }
  const hasNoErrors = errors.length === 0;
  for (const entry of requests) {
    if (pace.isDue()) yield;
    const limit = limitOf.get(entry.name);
    // A request nearly always equals the limit, which is checked already.
    const isChecked = hasNoErrors && limit?.text === entry.text;
    if (!isChecked) errors.push(...checkEntry(`${path}.requests[${entry.name}]`, entry, names, of));
    errors.push(...checkAgainstLimit(path, entry, limit, names));
  }
  const isPages = ({ name }: Amounts[number]): boolean => isHugePages(name);
  if ((limits.some(isPages) || requests.some(isPages)) && !usesMemory(limits) && !usesMemory(requests)) {
    errors.push(fieldError.forbidden(path, 'HugePages require cpu or memory'));
  }
  return errors;
}
