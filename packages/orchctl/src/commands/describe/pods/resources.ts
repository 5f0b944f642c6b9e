import type { kinds } from '@orch/client';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantitySign,
} from '@orch/machinery/quantity';

type Pod = kinds.core.Pod;
type Container = kinds.core.Container;

/** Amounts by resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

export type AmountKind = 'requests' | 'limits';

const parsed = (amounts: Readonly<Record<string, string>> | undefined): Amounts =>
  new Map(Object.entries(amounts ?? {}).map(([name, text]) => [name, parseQuantity(text)]));

function joined(a: Amounts, b: Amounts, join: (x: Quantity, y: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const present = result.get(name);
    result.set(name, present === undefined ? amount : join(present, amount));
  }
  return result;
}

export const addAmounts = (a: Amounts, b: Amounts): Amounts => joined(a, b, addQuantities);

const larger = (a: Amounts, b: Amounts): Amounts =>
  joined(a, b, (x, y) => (compareQuantities(y, x) > 0 ? y : x));

/** The requests or limits of a pod: all containers, or the largest init container, and the overhead. */
export function podAmounts({ spec }: Pod, kind: AmountKind): Amounts {
  const amountsOf = ({ resources }: Container): Amounts => parsed(resources?.[kind]);
  const all = (spec?.containers ?? []).map(amountsOf).reduce(addAmounts, new Map());
  const initial = (spec?.initContainers ?? []).map(amountsOf).reduce(larger, new Map());
  const total = larger(all, initial);
  const overhead = parsed(spec?.overhead);
  if (kind === 'requests') return addAmounts(total, overhead);
  const limited = new Map([...overhead].filter(([name]) => quantitySign(total.get(name) ?? zero) !== 0));
  return addAmounts(total, limited);
}

const zero = parseQuantity('0');

const counted: readonly string[] = ['cpu', 'memory'];

/** The quality of service of a pod: that of its status, or of its requests and limits. */
export function qosClassOf({ spec, status }: Pod): string {
  if (status?.qosClass) return status.qosClass;
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const positive = (amounts: Readonly<Record<string, string>> | undefined): Amounts =>
    new Map(
      [...parsed(amounts)].filter(([name, amount]) => counted.includes(name) && quantitySign(amount) > 0),
    );
  const limits = containers.map(({ resources }) => positive(resources?.limits));
  const requests = containers
    .map(({ resources }) => positive(resources?.requests))
    .reduce(addAmounts, new Map());
  const totalLimits = limits.reduce(addAmounts, new Map());
  if (requests.size === 0 && totalLimits.size === 0) return 'BestEffort';
  const isEqual = [...requests].every(([name, amount]) => {
    const limit = totalLimits.get(name);
    return limit !== undefined && compareQuantities(limit, amount) === 0;
  });
  const isGuaranteed = limits.every((one) => counted.every((name) => one.has(name)));
  return isGuaranteed && isEqual && requests.size === totalLimits.size ? 'Guaranteed' : 'Burstable';
}
