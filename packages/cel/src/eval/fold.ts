import type { Evaluation } from '../functions/evaluation.ts';
import { selfComparisonCost, sortByKeys } from '../library/extended-lists.ts';
import type { FoldNode } from '../syntax/ast.ts';
import { ArrayList, EntryMap, isMapKey } from '../values/collections.ts';
import { EvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import { countLookup } from '../values/long-key.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';
import { absorbed } from './absorbed.ts';
import type { Evaluate, NodeCompiler } from './node-compiler.ts';

/** The parts of a macro over a list or map, compiled. */
interface FoldParts {
  readonly range: Evaluate;
  readonly body: Evaluate;
  readonly filter: Evaluate | undefined;
  /** Slots of the iteration variables. */
  readonly slots: readonly number[];
  /** Cost of the literal that the reference makes of every transformed element. */
  readonly elementCost: number;
}

/** Handles one element; false ends the iteration. */
type Step = () => boolean;

/**
 * The costs are those of the expressions that the macros expand to in the reference, where an accumulator is a
 * variable: reading it costs 1, as does each operation on it.
 */
export function compileFold(compiler: NodeCompiler, node: FoldNode): Evaluate {
  const body = compiler.compile(node.body);
  const parts: FoldParts = {
    range: compiler.compile(node.range),
    body,
    filter: node.filter === undefined ? undefined : compiler.compile(node.filter),
    slots: (node.variables ?? []).map(({ slot }) => slot),
    elementCost: compiler.constant(node.body) === undefined ? 10 : 0,
  };
  switch (node.fold) {
    case 'all':
      return quantifier(parts, { decisive: false, conditionCost: 2 });
    case 'exists':
      return quantifier(parts, { decisive: true, conditionCost: 3 });
    case 'existsOne':
      return existsOne(parts);
    case 'map':
      return mapElements(parts);
    case 'filter':
      return filterElements(parts);
    case 'sortBy':
      return sortBy(parts);
    case 'transformMap':
      return transformMap(parts);
    case 'transformMapEntry':
      return transformEntries(parts);
  }
}

/** Sets the iteration variables for each element in turn and takes the step. */
function iterate(range: Value, slots: readonly number[], evaluation: Evaluation, step: Step): void {
  const [first = 0, second] = slots;
  const values = evaluation.slots;
  if (range instanceof ListValue) {
    const { length } = range;
    for (let i = 0; i < length; i++) {
      if (second === undefined) values[first] = range.at(i);
      else {
        values[first] = i;
        values[second] = range.at(i);
      }
      if (!step()) return;
      evaluation.check();
    }
    return;
  }
  if (!(range instanceof MapValue))
    throw new EvaluationError('expression is not a list or map to iterate over');
  evaluation.work(range.size);
  for (const key of range.keys()) {
    values[first] = key;
    if (second !== undefined) values[second] = range.get(key) ?? null;
    if (!step()) return;
    evaluation.check();
  }
}

interface QuantifierKind {
  /** The value of the predicate that decides the result. */
  readonly decisive: boolean;
  /** Cost of the loop condition before each element. */
  readonly conditionCost: number;
}

function quantifier(
  { range, body, slots }: FoldParts,
  { decisive, conditionCost }: QuantifierKind,
): Evaluate {
  /** The value of the predicate, or the error that it ends in. */
  const test = (evaluation: Evaluation): Value | EvaluationError => {
    try {
      return body(evaluation);
    } catch (error) {
      return absorbed(error, evaluation);
    }
  };
  return (evaluation) => {
    let failure: EvaluationError | undefined;
    let decided = false;
    iterate(range(evaluation), slots, evaluation, () => {
      evaluation.cost += conditionCost;
      if (decided) return false;
      evaluation.cost += 1;
      const value = test(evaluation);
      if (value === decisive) decided = true;
      else if (typeof value !== 'boolean')
        failure ??= value instanceof EvaluationError ? value : noSuchOverload();
      return true;
    });
    evaluation.cost += 1;
    if (decided) return decisive;
    if (failure !== undefined) throw failure;
    return !decisive;
  };
}

function truth(value: Value): boolean {
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

function existsOne({ range, body, slots }: FoldParts): Evaluate {
  return (evaluation) => {
    let count = 0;
    iterate(range(evaluation), slots, evaluation, () => {
      if (truth(body(evaluation))) {
        evaluation.cost += 2;
        count++;
      }
      return true;
    });
    evaluation.cost += 2;
    return count === 1;
  };
}

function mapElements({ range, body, filter, slots, elementCost }: FoldParts): Evaluate {
  return (evaluation) => {
    const items: Value[] = [];
    iterate(range(evaluation), slots, evaluation, () => {
      if (filter === undefined || truth(filter(evaluation))) {
        items.push(body(evaluation));
        evaluation.cost += 2 + elementCost;
      }
      return true;
    });
    evaluation.cost += 1;
    return new ArrayList(items);
  };
}

/** The reference binds the list to a name, transforms it to the keys, and sorts by those. */
function sortBy({ range, body, slots, elementCost }: FoldParts): Evaluate {
  return (evaluation) => {
    const values = range(evaluation);
    if (!(values instanceof ListValue)) throw noSuchOverload();
    const keys: Value[] = [];
    evaluation.cost += 2;
    iterate(values, slots, evaluation, () => {
      keys.push(body(evaluation));
      evaluation.cost += 2 + elementCost;
      return true;
    });
    const sortKeys = new ArrayList(keys);
    evaluation.spend(1 + selfComparisonCost(sortKeys));
    return sortByKeys(values, sortKeys, evaluation);
  };
}

function filterElements({ range, body, slots }: FoldParts): Evaluate {
  return (evaluation) => {
    const items: Value[] = [];
    const [slot = 0] = slots;
    iterate(range(evaluation), slots, evaluation, () => {
      if (truth(body(evaluation))) {
        items.push(evaluation.slots[slot] ?? null);
        evaluation.cost += 13;
      }
      return true;
    });
    evaluation.cost += 1;
    return new ArrayList(items);
  };
}

/** Work of adding an entry to a map. */
const ENTRY_WORK = 30;

function insert(result: EntryMap, [key, value]: readonly [Value, Value], evaluation: Evaluation): void {
  evaluation.work(ENTRY_WORK);
  countLookup(key, evaluation);
  if (!isMapKey(key)) throw new EvaluationError('unsupported key type');
  if (!result.add(key, value)) throw new EvaluationError(`insert failed: key already exists`);
}

function transformMap({ range, body, filter, slots }: FoldParts): Evaluate {
  return (evaluation) => {
    const result = new EntryMap();
    const [slot = 0] = slots;
    iterate(range(evaluation), slots, evaluation, () => {
      if (filter === undefined || truth(filter(evaluation))) {
        insert(result, [evaluation.slots[slot] ?? null, body(evaluation)], evaluation);
        evaluation.cost += 3;
      }
      return true;
    });
    evaluation.cost += 1;
    return result;
  };
}

function transformEntries({ range, body, filter, slots }: FoldParts): Evaluate {
  return (evaluation) => {
    const result = new EntryMap();
    iterate(range(evaluation), slots, evaluation, () => {
      if (filter === undefined || truth(filter(evaluation))) {
        const entries = body(evaluation);
        if (!(entries instanceof MapValue)) throw noSuchOverload();
        for (const key of entries.keys()) insert(result, [key, entries.get(key) ?? null], evaluation);
        evaluation.cost += 2;
      }
      return true;
    });
    evaluation.cost += 1;
    return result;
  };
}
