import type { Evaluation } from '../functions/evaluation.ts';
import { selfComparisonCost, sortByKeys } from '../library/extended-lists.ts';
import type { FoldNode } from '../syntax/ast.ts';
import { ArrayList, EntryMap, isMapKey } from '../values/collections.ts';
import { EvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import { countLookup } from '../values/long-key.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';
import { absorbed } from './absorbed.ts';
import { compileLoop, type LoopRange } from './loop.ts';
import type { Evaluate, NodeCompiler } from './node-compiler.ts';

/** The parts of a macro over a list or map, compiled. */
interface FoldParts extends LoopRange {
  readonly body: Evaluate;
  readonly filter: Evaluate | undefined;
  /** Cost of the literal that the reference makes of every transformed element. */
  readonly elementCost: number;
}

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

interface QuantifierKind {
  /** The value of the predicate that decides the result. */
  readonly decisive: boolean;
  /** Cost of the loop condition before each element. */
  readonly conditionCost: number;
}

interface QuantifierState {
  isDecided: boolean;
  failure: EvaluationError | undefined;
}

function quantifier(parts: FoldParts, { decisive, conditionCost }: QuantifierKind): Evaluate {
  /** The value of the predicate, or the error that it ends in. */
  const test = (evaluation: Evaluation): Value | EvaluationError => {
    try {
      return parts.body(evaluation);
    } catch (error) {
      return absorbed(error, evaluation);
    }
  };
  return compileLoop<QuantifierState>(parts, {
    begin: () => ({ isDecided: false, failure: undefined }),
    step(state, evaluation) {
      evaluation.cost += conditionCost;
      if (state.isDecided) return false;
      evaluation.cost += 1;
      const value = test(evaluation);
      if (value === decisive) state.isDecided = true;
      else if (typeof value !== 'boolean')
        state.failure ??= value instanceof EvaluationError ? value : noSuchOverload();
      return true;
    },
    end({ isDecided, failure }, evaluation) {
      evaluation.cost += 1;
      if (isDecided) return decisive;
      if (failure !== undefined) throw failure;
      return !decisive;
    },
  });
}

function truth(value: Value): boolean {
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

function existsOne(parts: FoldParts): Evaluate {
  return compileLoop(parts, {
    begin: () => ({ count: 0 }),
    step(state, evaluation) {
      if (truth(parts.body(evaluation))) {
        evaluation.cost += 2;
        state.count += 1;
      }
      return true;
    },
    end({ count }, evaluation) {
      evaluation.cost += 2;
      return count === 1;
    },
  });
}

const noItems = (): Value[] => [];

function listOf(items: readonly Value[], evaluation: Evaluation): Value {
  evaluation.cost += 1;
  return new ArrayList(items);
}

function mapElements({ body, filter, elementCost, ...range }: FoldParts): Evaluate {
  return compileLoop<Value[]>(range, {
    begin: noItems,
    step(items, evaluation) {
      if (filter === undefined || truth(filter(evaluation))) {
        items.push(body(evaluation));
        evaluation.cost += 2 + elementCost;
      }
      return true;
    },
    end: listOf,
  });
}

/** The reference binds the list to a name, transforms it to the keys, and sorts by those. */
function sortBy({ body, elementCost, ...range }: FoldParts): Evaluate {
  return compileLoop(range, {
    begin(evaluation, values) {
      if (!(values instanceof ListValue)) throw noSuchOverload();
      evaluation.cost += 2;
      return noItems();
    },
    step(keys, evaluation) {
      keys.push(body(evaluation));
      evaluation.cost += 2 + elementCost;
      return true;
    },
    end(keys, evaluation, values) {
      const sortKeys = new ArrayList(keys);
      evaluation.spend(1 + selfComparisonCost(sortKeys));
      return sortByKeys(values as ListValue, sortKeys, evaluation);
    },
  });
}

function filterElements({ body, ...range }: FoldParts): Evaluate {
  const [slot = 0] = range.slots;
  return compileLoop<Value[]>(range, {
    begin: noItems,
    step(items, evaluation) {
      if (truth(body(evaluation))) {
        items.push(evaluation.slots[slot] ?? null);
        evaluation.cost += 13;
      }
      return true;
    },
    end: listOf,
  });
}

/** Work of adding an entry to a map. */
const ENTRY_WORK = 30;

function insert(result: EntryMap, [key, value]: readonly [Value, Value], evaluation: Evaluation): void {
  evaluation.work(ENTRY_WORK);
  countLookup(key, evaluation);
  if (!isMapKey(key)) throw new EvaluationError('unsupported key type');
  if (!result.add(key, value)) throw new EvaluationError(`insert failed: key already exists`);
}

const noEntries = (): EntryMap => new EntryMap();

function mapOf(result: EntryMap, evaluation: Evaluation): Value {
  evaluation.cost += 1;
  return result;
}

function transformMap({ body, filter, ...range }: FoldParts): Evaluate {
  const [slot = 0] = range.slots;
  return compileLoop(range, {
    begin: noEntries,
    step(result, evaluation) {
      if (filter === undefined || truth(filter(evaluation))) {
        insert(result, [evaluation.slots[slot] ?? null, body(evaluation)], evaluation);
        evaluation.cost += 3;
      }
      return true;
    },
    end: mapOf,
  });
}

function transformEntries({ body, filter, ...range }: FoldParts): Evaluate {
  return compileLoop(range, {
    begin: noEntries,
    step(result, evaluation) {
      if (filter === undefined || truth(filter(evaluation))) {
        const entries = body(evaluation);
        if (!(entries instanceof MapValue)) throw noSuchOverload();
        for (const key of entries.keys()) insert(result, [key, entries.get(key) ?? null], evaluation);
        evaluation.cost += 2;
      }
      return true;
    },
    end: mapOf,
  });
}
