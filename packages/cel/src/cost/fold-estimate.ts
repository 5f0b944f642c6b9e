import { add, fixed, multiply, type Range, sum, union, unknown, zero } from '../functions/range.ts';
import { sortEstimate } from '../library/extended-lists.ts';
import type { FoldNode } from '../syntax/ast.ts';
import { type CelType, dyn } from '../types/type.ts';
import type { EntrySize, Estimate, NodeEstimator } from './estimate.ts';
import { type PathStep, stepInto } from './size-path.ts';

/** Costs of a macro as the reference expands it, aside from those of its range, filter and body. */
interface FoldCosts {
  /** Cost of the initial value of the accumulator. */
  readonly initial: number;
  /** Cost of the loop condition. */
  readonly condition: number;
  readonly result: number;
  readonly step: (body: Range, filter: Range | undefined) => Range;
}

/** A step that a condition may skip; then it reads the accumulator only. */
const guarded = (step: Range, condition: Range | undefined): Range =>
  condition === undefined ? step : add(condition, union(step, fixed(1)));

const quantified = (condition: number): FoldCosts => ({
  initial: 0,
  condition,
  result: 1,
  step: (body) => ({ min: 1, max: 1 + body.max }),
});

const costs: Readonly<Record<FoldNode['fold'], FoldCosts>> = {
  all: quantified(2),
  exists: quantified(3),
  existsOne: { initial: 0, condition: 0, result: 2, step: (body) => guarded(fixed(2), body) },
  map: {
    initial: 10,
    condition: 0,
    result: 1,
    step: (body, filter) => guarded(add(body, fixed(12)), filter),
  },
  filter: { initial: 10, condition: 0, result: 1, step: (body) => guarded(fixed(13), body) },
  sortBy: { initial: 10, condition: 0, result: 1, step: (body) => add(body, fixed(12)) },
  transformMap: {
    initial: 30,
    condition: 0,
    result: 1,
    step: (body, filter) => guarded(add(body, fixed(3)), filter),
  },
  transformMapEntry: {
    initial: 30,
    condition: 0,
    result: 1,
    step: (body, filter) => guarded(add(body, fixed(2)), filter),
  },
};

export function estimateFold(estimator: NodeEstimator, node: FoldNode): Estimate {
  const range = estimator.visit(node.range);
  setVariables(estimator, node, range);
  const filter = node.filter === undefined ? undefined : estimator.visit(node.filter);
  const body = estimator.visit(node.body);
  const { initial, condition, result, step } = costs[node.fold];
  const count = range.size ?? unknown;
  const loop = multiply(count, add(step(body.cost, filter?.cost), fixed(condition)));
  const cost = sum([range.cost, fixed(initial), fixed(result), loop]);
  if (node.fold === 'sortBy') return sortedEstimate({ cost, count, key: node.body.type ?? dyn });
  const [variable] = node.variables ?? [];
  const item = variable === undefined ? undefined : estimator.sizeOfVariable(variable);
  return { cost, ...resultSize(node, { count, item, body }) };
}

/** Aside from the keys, the list is bound to a name, which is read twice, and sorted. */
function sortedEstimate({ cost, count, key }: { cost: Range; count: Range; key: CelType }): Estimate {
  const sorted = sortEstimate(count, key);
  return { cost: sum([cost, fixed(12), sorted.cost]), size: sorted.size };
}

function resultSize(
  node: FoldNode,
  { count, item, body }: { readonly count: Range; readonly item: Range | undefined; readonly body: Estimate },
): Pick<Estimate, 'size' | 'entry'> {
  switch (node.fold) {
    case 'all':
    case 'exists':
    case 'existsOne':
      return { size: fixed(1) };
    case 'map':
      return { size: count, entry: listEntry(body.size ?? unknown) };
    case 'filter':
      return { size: count, entry: listEntry(item ?? unknown) };
    default:
      return { size: count };
  }
}

const listEntry = (value: Range): EntrySize => ({
  container: 'list',
  key: fixed(1),
  value: union(zero, value),
});

const containerOf = (node: FoldNode, { entry }: Estimate): 'list' | 'map' =>
  entry?.container ?? (node.range.type?.kind === 'list' ? 'list' : 'map');

function single(
  node: FoldNode,
  range: Estimate,
): { readonly step: PathStep; readonly size: Range | undefined } {
  return containerOf(node, range) === 'list'
    ? { step: 'items', size: range.entry?.value }
    : { step: 'keys', size: range.entry?.key };
}

function setVariables(estimator: NodeEstimator, node: FoldNode, range: Estimate): void {
  const isList = containerOf(node, range) === 'list';
  const parts =
    node.names.length === 1
      ? [single(node, range)]
      : [
          { step: isList ? 'indices' : 'keys', size: range.entry?.key } as const,
          { step: isList ? 'items' : 'values', size: range.entry?.value } as const,
        ];
  parts.forEach(({ step, size }, index) => {
    const slot = node.variables?.[index]?.slot ?? -1;
    const path = stepInto(range.path, step, estimator.root);
    estimator.setLocal(slot, { path, size, entry: undefined });
  });
}
