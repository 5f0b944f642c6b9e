import type { kinds } from '@orch/client';
import {
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityInteger,
  quantityNumber,
} from '@orch/machinery/quantity';
import type { Description } from '../text/description.ts';
import { ageText } from '../text/times.ts';
import { type Amounts, addAmounts, podAmounts } from './resources.ts';

/** A node and its pods. */
export interface NodePods {
  readonly node: kinds.core.Node;
  readonly pods: readonly kinds.core.Pod[];
  readonly nowMs: number;
}

const zero = parseQuantity('0');
const standard: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/** The requests and limits of the pods of a node, each and in total. */
export function describeNodePods(out: Description, { node, pods, nowMs }: NodePods): void {
  const { capacity = {}, allocatable = {} } = node.status ?? {};
  const available = Object.keys(allocatable).length > 0 ? allocatable : capacity;
  const all = pods.map((pod) => ({
    pod,
    requests: podAmounts(pod, 'requests'),
    limits: podAmounts(pod, 'limits'),
  }));
  out.field(0, 'Non-terminated Pods', `(${pods.length} in total)`);
  out.line(
    1,
    'Namespace',
    'Name',
    '',
    'CPU Requests',
    'CPU Limits',
    'Memory Requests',
    'Memory Limits',
    'Age',
  );
  out.line(
    1,
    '---------',
    '----',
    '',
    '------------',
    '----------',
    '---------------',
    '-------------',
    '---',
  );
  for (const { pod, requests, limits } of all) {
    const share = (amounts: Amounts, resource: string): string => shareText(amounts, available, resource);
    out.line(
      1,
      ...[pod.metadata.namespace, pod.metadata.name, ''],
      ...[share(requests, 'cpu'), share(limits, 'cpu'), share(requests, 'memory'), share(limits, 'memory')],
      ageText(pod.metadata.creationTimestamp, nowMs),
    );
  }
  const total = (list: readonly Amounts[]): Amounts => list.reduce(addAmounts, new Map());
  describeTotals(out, {
    requests: total(all.map(({ requests }) => requests)),
    limits: total(all.map(({ limits }) => limits)),
    available,
  });
}

interface Totals {
  readonly requests: Amounts;
  readonly limits: Amounts;
  readonly available: Readonly<Record<string, string>>;
}

function describeTotals(out: Description, { requests, limits, available }: Totals): void {
  out.line(0, 'Allocated resources:');
  out.line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)');
  out.line(1, 'Resource', 'Requests', 'Limits');
  out.line(1, '--------', '--------', '------');
  const names = Object.keys(available).toSorted();
  const huge = names.filter((name) => name.startsWith('hugepages-'));
  for (const name of [...standard, ...huge])
    out.line(1, name, shareText(requests, available, name), shareText(limits, available, name));
  for (const name of names)
    if (!standard.includes(name) && !huge.includes(name) && name !== 'pods')
      out.line(1, name, amountText(requests, name), amountText(limits, name));
}

const amountText = (amounts: Amounts, name: string): string => formatQuantity(amounts.get(name) ?? zero);

/** `250m (12%)`. */
function shareText(amounts: Amounts, available: Totals['available'], name: string): string {
  const held = sizeOf(amounts.get(name) ?? zero, name);
  const all = sizeOf(parseQuantity(available[name] ?? '0'), name);
  const percent = all === 0 ? 0 : Math.trunc((held / all) * 100);
  return `${amountText(amounts, name)} (${percent}%)`;
}

/** CPUs are compared in thousandths, everything else in whole units. */
const sizeOf = (quantity: Quantity, name: string): number =>
  name === 'cpu' ? Math.ceil(quantityNumber(quantity) * 1000) : Number(quantityInteger(quantity));
