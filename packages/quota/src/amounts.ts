import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
} from '@orch/machinery/quantity';

/** Parsed resource list: amounts by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const noAmounts: Amounts = new Map();

export const zeroAmount: Quantity = Object.freeze({ mantissa: 0n, exponent: 0, format: 'decimalSI' });

/** An amount for a number of objects. */
export const countAmount = (count: number): Quantity =>
  count === 0 ? zeroAmount : { mantissa: BigInt(count), exponent: 0, format: 'decimalSI' };

/** Parses a resource list of an object. Invalid values are omitted: stored lists have none. */
export function readAmounts(list: unknown): Amounts {
  if (typeof list !== 'object' || list === null || Array.isArray(list)) return noAmounts;
  const amounts = new Map<string, Quantity>();
  for (const [name, value] of Object.entries(list)) {
    const amount = readAmount(value);
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

function readAmount(value: unknown): Quantity | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return parseQuantity(String(value));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/** As a resource list, sorted by name. */
export const writeAmounts = (amounts: Amounts): Record<string, string> =>
  Object.fromEntries(
    [...amounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, amount]) => [name, formatQuantity(amount)]),
  );

/** Adds amounts to `sums`, which belongs to the caller; only those with the given names, if any are given. */
export function addTo(sums: Map<string, Quantity>, more: Amounts, only?: ReadonlySet<string>): void {
  for (const [name, amount] of more) {
    if (only?.has(name) === false) continue;
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

/** Raises `most`, which belongs to the caller, to these amounts where they are larger. */
export function raiseTo(most: Map<string, Quantity>, others: Amounts): void {
  for (const [name, amount] of others) {
    const before = most.get(name);
    if (before === undefined || compareQuantities(before, amount) < 0) most.set(name, amount);
  }
}

/** Reports whether both have the same names with equal amounts, regardless of their format. */
export function sameAmounts(a: Amounts, b: Amounts): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [name, amount] of a) {
    const other = b.get(name);
    if (other === undefined || compareQuantities(amount, other) !== 0) return false;
  }
  return true;
}
