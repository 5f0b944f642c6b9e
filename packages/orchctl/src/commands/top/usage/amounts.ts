import { asText, type JsonObject } from '@orch/machinery/json';
import { addQuantities, parseQuantity, type Quantity, quantityNumber } from '@orch/machinery/quantity';

/** CPU, memory and swap space. */
export interface Usage {
  readonly cpu: Quantity;
  readonly memory: Quantity;
  /** Undefined where the system does not report it. */
  readonly swap: Quantity | undefined;
}

const MIB = 1024 * 1024;
const zero = parseQuantity('0');
export const noUsage: Usage = { cpu: zero, memory: zero, swap: undefined };

/** Reads a map of quantities; CPU and memory that are absent count as 0. */
export const readUsage = (amounts: JsonObject): Usage => ({
  cpu: parseQuantity(asText(amounts['cpu']) || '0'),
  memory: parseQuantity(asText(amounts['memory']) || '0'),
  swap: amounts['swap'] === undefined ? undefined : parseQuantity(asText(amounts['swap']) || '0'),
});

export const addUsage = (a: Usage, b: Usage): Usage => ({
  cpu: addQuantities(a.cpu, b.cpu),
  memory: addQuantities(a.memory, b.memory),
  swap: a.swap === undefined || b.swap === undefined ? (a.swap ?? b.swap) : addQuantities(a.swap, b.swap),
});

/** `250m`: started thousandths count. */
export const cpuText = ({ cpu }: Usage): string => `${Math.ceil(quantityNumber(cpu) * 1000)}m`;

/** `64Mi`: whole mebibytes. */
export const bytesText = (bytes: Quantity): string => `${Math.trunc(quantityNumber(bytes) / MIB)}Mi`;

export const memoryText = ({ memory }: Usage): string => bytesText(memory);

/** `37%` of an available amount. */
export const shareText = (used: Quantity, available: string): string =>
  `${Math.trunc((quantityNumber(used) / quantityNumber(parseQuantity(available))) * 100)}%`;

/** Largest usage first with `sortBy`, then by name. */
export const byUsage =
  <T>(sortBy: '' | 'cpu' | 'memory', usageOf: (item: T) => Usage, nameOf: (item: T) => string) =>
  (a: T, b: T): number => {
    const difference =
      sortBy === '' ? 0 : quantityNumber(usageOf(b)[sortBy]) - quantityNumber(usageOf(a)[sortBy]);
    if (difference !== 0) return difference;
    return nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0;
  };
