import type { Container, PodSpec } from '@orch/kinds/core';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '@orch/machinery/quantity';

type List = 'limits' | 'requests';
type Sums = Map<string, Quantity>;

const amountsIn = (container: Container, list: List): Sums =>
  new Map(
    Object.entries(container.resources?.[list] ?? {}).map(([name, text]) => [
      name,
      parseQuantity(text || '0'),
    ]),
  );

function add(sums: Sums, amounts: Sums): void {
  for (const [name, amount] of amounts) {
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

/** Raises an amount to another one, if that is more. */
function raise(sums: Sums, name: string, amount: Quantity): void {
  const before = sums.get(name);
  if (before === undefined || compareQuantities(amount, before) > 0) sums.set(name, amount);
}

/**
 * The amounts that the containers of a pod need together, by resource. An init container that ends needs its own beside
 * those of the init containers before it that keep running.
 */
export function containerSums(spec: PodSpec, list: List): ReadonlyMap<string, Quantity> {
  const sums: Sums = new Map();
  for (const container of spec.containers ?? []) add(sums, amountsIn(container, list));
  const running: Sums = new Map();
  const starting: Sums = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amountsIn(container, list);
    const keepsRunning = container.restartPolicy === 'Always';
    if (keepsRunning) {
      add(sums, own);
      add(running, own);
    }
    // Containers that keep running have raised their amounts already: only those of this container can be higher.
    for (const [name, amount] of own) {
      const others = running.get(name);
      const needed =
        keepsRunning || others === undefined ? (others ?? amount) : addQuantities(amount, others);
      raise(starting, name, needed);
    }
  }
  for (const [name, amount] of starting) raise(sums, name, amount);
  return sums;
}
