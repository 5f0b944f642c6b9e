import type { Environment } from '../check/environment.ts';
import type { CallEstimate, EstimatedArgument } from '../functions/call-estimate.ts';
import type { Overload } from '../functions/overload.ts';
import { add, fixed, MAX, type Range, sum, union, unknown, zero } from '../functions/range.ts';
import type {
  BindNode,
  CallNode,
  ConditionalNode,
  IndexNode,
  Node,
  OptionalMapNode,
  SelectNode,
} from '../syntax/ast.ts';
import type { Variable } from '../syntax/variable.ts';
import { dyn } from '../types/type.ts';
import { countCodePoints } from '../values/code-points.ts';
import { ListValue } from '../values/value.ts';
import { equalityEstimate, isScalar } from './equality-estimate.ts';
import type { EntrySize, Estimate, LocalEstimate, NodeEstimator } from './estimate.ts';
import { estimateFold } from './fold-estimate.ts';
import { declaredSize, type SizePath, stepInto } from './size-path.ts';

/** Estimates the minimum and maximum cost of a checked expression, from the sizes that the declarations allow. */
export function estimateCost(root: Node, environment: Environment): Range {
  return new Estimator(environment).visit(root).cost;
}

class Estimator implements NodeEstimator {
  readonly #locals = new Map<number, LocalEstimate>();
  readonly root: SizePath;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
    const [first] = environment.variables;
    this.root = first?.decl?.kind === 'value' ? undefined : first?.decl;
  }

  sizeOfVariable({ slot, type }: Variable): Range | undefined {
    const local = this.#locals.get(slot);
    return declaredSize(local?.path) ?? (isScalar(type) ? fixed(1) : local?.size);
  }

  setLocal(slot: number, local: LocalEstimate): void {
    this.#locals.set(slot, local);
  }

  visit(node: Node): Estimate {
    const estimate = this.#visit(node);
    return { ...estimate, size: estimate.size ?? this.#sizeOf(node, estimate) };
  }

  #sizeOf(node: Node, { path }: Estimate): Range | undefined {
    const literal = literalSize(node);
    if (literal !== undefined) return literal;
    const declared = declaredSize(path);
    if (declared !== undefined) return declared;
    if (isScalar(node.type ?? dyn)) return fixed(1);
    const slot = node.kind === 'ident' ? node.variable?.slot : undefined;
    return slot === undefined ? undefined : this.#locals.get(slot)?.size;
  }

  #visit(node: Node): Estimate {
    switch (node.kind) {
      case 'literal':
        return { cost: zero };
      case 'ident':
        return this.#ident(node.variable?.slot);
      case 'select':
        return this.#select(node);
      case 'index':
        return this.#index(node);
      case 'call':
        return this.#call(node);
      case 'logical': {
        const [first = zero, ...rest] = node.terms.map((term) => this.visit(term).cost);
        return { cost: { min: first.min, max: sum([first, ...rest]).max } };
      }
      case 'conditional':
        return this.#conditional(node);
      case 'list':
        return this.#list(node.elements.map(({ value }) => this.visit(value)));
      case 'map':
        return this.#map(node.entries.map(({ key, value }) => [this.visit(key), this.visit(value)]));
      case 'struct':
        return { cost: add(sum(node.fields.map(({ value }) => this.visit(value).cost)), fixed(40)) };
      case 'fold':
        return estimateFold(this, node);
      case 'optionalMap':
        return this.#optionalMap(node);
      case 'bind':
        return this.#bind(node);
    }
  }

  #ident(slot: number | undefined): Estimate {
    const local = slot === undefined ? undefined : this.#locals.get(slot);
    const path = local === undefined ? this.#variablePath(slot) : local.path;
    return { cost: fixed(1), path, entry: local?.entry };
  }

  #variablePath(slot: number | undefined): SizePath {
    const decl = slot === undefined ? undefined : this.#environment.variables[slot]?.decl;
    if (decl?.kind === 'optional') return decl.of;
    return decl === undefined || decl.kind === 'value' ? this.root : decl;
  }

  #select(node: SelectNode): Estimate {
    if (node.variable !== undefined || node.constant !== undefined) return this.#ident(node.variable?.slot);
    const operand = this.visit(node.operand);
    if (node.mode === 'test') return { cost: operand.cost };
    if (node.mode === 'optional') return { cost: add(operand.cost, fixed(1)) };
    const kind = node.operand.type?.kind;
    const own = kind === 'map' || kind === 'object' || kind === 'param' ? fixed(1) : zero;
    const path = stepInto(operand.path, { field: node.field }, this.root);
    return { cost: add(operand.cost, own), path };
  }

  #index(node: IndexNode): Estimate {
    const [operand, index] = [this.visit(node.operand), this.visit(node.index)];
    const cost = add(add(operand.cost, index.cost), fixed(1));
    if (node.optional) return { cost };
    const kind = node.operand.type?.kind;
    if (kind !== 'list' && kind !== 'map' && kind !== 'dyn') return { cost };
    const path = stepInto(operand.path, kind === 'list' ? 'items' : 'values', this.root);
    return { cost, path, size: operand.entry?.value };
  }

  #conditional({ test, yes, no }: ConditionalNode): Estimate {
    const [condition, a, b] = [this.visit(test), this.visit(yes), this.visit(no)];
    return {
      cost: add(condition.cost, union(a.cost, b.cost)),
      size: union(a.size ?? unknown, b.size ?? unknown),
      entry: unionEntries(a.entry, b.entry),
    };
  }

  #list(elements: readonly Estimate[]): Estimate {
    const value = elements.length === 0 ? zero : unionSizes(elements);
    return {
      cost: add(sum(elements.map(({ cost }) => cost)), fixed(10)),
      entry: { container: 'list', key: fixed(1), value },
    };
  }

  #map(entries: readonly (readonly [Estimate, Estimate])[]): Estimate {
    const [keys, values] = [entries.map(([key]) => key), entries.map(([, value]) => value)];
    const empty = entries.length === 0;
    return {
      cost: add(sum(entries.flatMap((each) => each.map(({ cost }) => cost))), fixed(30)),
      entry: {
        container: 'map',
        key: empty ? zero : unionSizes(keys),
        value: empty ? zero : unionSizes(values),
      },
    };
  }

  #optionalMap(node: OptionalMapNode): Estimate {
    const target = this.visit(node.target);
    this.setLocal(node.variable?.slot ?? -1, { path: undefined, size: undefined, entry: undefined });
    const body = this.visit(node.body);
    // In the reference the name is bound by a comprehension over an empty list, whose cost counts.
    const bind = sum([fixed(10), target.cost, fixed(1), body.cost]);
    const some = node.flat ? bind : add(bind, fixed(1));
    return { cost: sum([target.cost, fixed(1), union(some, fixed(1))]) };
  }

  /** In the reference the name is bound by a comprehension over an empty list, whose cost counts. */
  #bind(node: BindNode): Estimate {
    const { cost, path, size, entry } = this.visit(node.init);
    this.setLocal(node.variable?.slot ?? -1, { path, size, entry });
    const body = this.visit(node.body);
    return { ...body, cost: sum([fixed(10), cost, body.cost]) };
  }

  #call(node: CallNode): Estimate {
    const nodes =
      node.target === undefined || node.qualified !== undefined ? node.args : [node.target, ...node.args];
    const estimates = nodes.map((each) => this.visit(each));
    const argCost = sum(estimates.map(({ cost }) => cost));
    const [first] = estimates;
    if (node.name === 'dyn' && first !== undefined)
      return { cost: add(argCost, fixed(1)), size: first.size, entry: first.entry };
    const args = nodes.map((each, index) => this.#argument(each, estimates[index] ?? { cost: zero }));
    const calls = (node.overloads ?? []).map((each) => callEstimate(node.name, each, args));
    if (calls.length === 0) return { cost: zero };
    const cost = calls.map((each) => each.cost).reduce(union);
    const sizes = calls.flatMap(({ size }) => (size === undefined ? [] : [size]));
    return {
      cost: add(argCost, cost),
      size: sizes.length === 0 ? undefined : sizes.reduce(union),
      entry: node.name === '_+_' ? unionEntries(estimates[0]?.entry, estimates[1]?.entry) : undefined,
    };
  }

  #argument(node: Node, { size = unknown, path }: Estimate): EstimatedArgument {
    const elements = path === undefined ? undefined : declaredSize(stepInto(path, 'items', this.root));
    const literal = node.kind === 'literal' ? node.value : undefined;
    return { literal, type: node.type ?? dyn, size, elementSize: elements ?? unknown };
  }
}

function callEstimate(name: string, overload: Overload, args: readonly EstimatedArgument[]): CallEstimate {
  if (name === '_==_' || name === '_!=_') return { cost: equalityEstimate(name, args) };
  return overload.estimate?.(args) ?? { cost: fixed(1) };
}

const unionSizes = (estimates: readonly Estimate[]): Range =>
  estimates.map(({ size = unknown }) => size).reduce(union, { min: MAX, max: 0 });

function unionEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function literalSize(node: Node): Range | undefined {
  if (node.kind === 'list') return fixed(node.elements.length);
  if (node.kind === 'map') return fixed(node.entries.length);
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  if (typeof value === 'string') return fixed(countCodePoints(value));
  return fixed(value instanceof Uint8Array || value instanceof ListValue ? value.length : 1);
}
