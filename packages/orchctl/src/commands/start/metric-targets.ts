import { parseQuantity, QuantityError, quantitySign } from '@orch/machinery/quantity';
import { type FlagValues, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { section } from '../generate/generator.ts';

const MAX_INT32 = 2 ** 31 - 1;

/** The flags of an autoscaler for the use of CPU and memory that it aims at. */
export const metricFlags = {
  cpu: textFlag({
    name: 'cpu',
    help: 'The target of CPU over all pods: 80% of the requests, or the average of a pod, such as 500m; a number without a unit is in thousandths.',
    section,
  }),
  memory: textFlag({
    name: 'memory',
    help: 'The target of memory over all pods: 70% of the requests, or the average of a pod, such as 200Mi; a number without a unit is in Mi.',
    section,
  }),
  cpuPercent: wholeFlag({ name: 'cpu-percent', help: 'The number of --cpu=PERCENT%.', section }, -1, {
    least: -1,
    most: MAX_INT32,
  }),
} as const;

/** What an autoscaler aims at: the utilization of CPU alone, which every version has, or metrics of `autoscaling/v2`. */
export interface MetricTargets {
  readonly cpuPercent?: number;
  readonly metrics?: readonly object[];
}

/** Reads the flags. Throws a `UsageError` for values that cannot be read, and for two targets of CPU. */
export function metricTargets({ cpu, memory, cpuPercent }: FlagValues<typeof metricFlags>): MetricTargets {
  if (cpuPercent >= 0 && cpu !== '')
    throw new UsageError('--cpu-percent and --cpu are mutually exclusive; use --cpu');
  if (memory === '' && (cpu === '' || cpu.endsWith('%'))) {
    const percent = cpu === '' ? cpuPercent : percentOf(cpu);
    return percent < 0 ? {} : { cpuPercent: percent };
  }
  const cpuText = cpuPercent < 0 ? cpu : `${cpuPercent}%`;
  return {
    metrics: [
      ...(cpuText === '' ? [] : [resourceMetric('cpu', cpuText, 'm')]),
      ...(memory === '' ? [] : [resourceMetric('memory', memory, 'Mi')]),
    ],
  };
}

function resourceMetric(name: 'cpu' | 'memory', text: string, unit: string): object {
  const target = text.endsWith('%')
    ? { type: 'Utilization', averageUtilization: percentOf(text) }
    : { type: 'AverageValue', averageValue: amountOf(name, text, unit) };
  return { type: 'Resource', resource: { name, target } };
}

function percentOf(text: string): number {
  const percent = /^\d+%$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN;
  if (percent <= MAX_INT32) return percent;
  throw new UsageError(`invalid percentage ${JSON.stringify(text)}: must be a whole number, such as 80%`);
}

function amountOf(name: string, text: string, unit: string): string {
  const amount = /^\d+$/.test(text) ? `${text}${unit}` : text;
  if (isAmount(amount)) return amount;
  throw new UsageError(
    `invalid value ${JSON.stringify(text)} for --${name}: must be a percentage or a quantity`,
  );
}

function isAmount(text: string): boolean {
  try {
    return quantitySign(parseQuantity(text)) >= 0;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}
