import type { Environment } from '../check/environment.ts';
import { Evaluation } from '../functions/evaluation.ts';
import type { ListNode, LogicalNode, MapNode, Node, StructNode } from '../syntax/ast.ts';
import { ArrayList, EntryMap, isMapKey } from '../values/collections.ts';
import { EvaluationError, noSuchOverload } from '../values/evaluation-error.ts';
import { countLookup } from '../values/long-key.ts';
import { StructValue } from '../values/struct.ts';
import { none, OptionalValue, type Value } from '../values/value.ts';
import { absorbed } from './absorbed.ts';
import { compileAttribute, isAttribute } from './attributes.ts';
import { compileCall } from './calls.ts';
import { compileFold } from './fold.ts';
import type { Evaluate, NodeCompiler } from './node-compiler.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

/** Compiles nodes to closures. Names must be resolved, by `check` or by `resolveNames`. */
export class Compiler implements NodeCompiler {
  readonly environment: Environment;
  constructor(environment: Environment) {
    this.environment = environment;
  }

  compile(node: Node): Evaluate {
    const constant = this.constant(node);
    if (constant !== undefined) return () => constant;
    return this.#compile(node);
  }

  #compile(node: Node): Evaluate {
    if (isAttribute(node)) return compileAttribute(this, node, 1);
    switch (node.kind) {
      case 'call':
        return compileCall(this, node);
      case 'logical':
        return this.#logical(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#struct(node);
      case 'fold':
        return compileFold(this, node);
      case 'optionalMap': {
        const [target, body] = [this.compile(node.target), this.compile(node.body)];
        return optionalMap({ target, body, slot: node.variable?.slot ?? 0, flat: node.flat });
      }
      case 'bind':
        return bound(this.compile(node.init), this.compile(node.body), node.variable?.slot ?? 0);
      default:
        return failing(`unknown name`);
    }
  }

  constant(node: Node): Value | undefined {
    if (node.kind === 'literal') return node.value;
    if (node.kind === 'ident' || node.kind === 'select') return node.constant;
    const result = this.#folded(node);
    return result instanceof EvaluationError ? undefined : result;
  }

  /** The reason why a node with constant parts never has a value; undefined for others. */
  constantFailure(node: Node): string | undefined {
    const result = this.#folded(node);
    return result instanceof EvaluationError ? result.message : undefined;
  }

  #folded(node: Node): Value | EvaluationError | undefined {
    const parts = constantParts(node);
    if (parts === undefined || parts.some((part) => this.constant(part) === undefined)) return undefined;
    try {
      return this.#compile(node)(new Evaluation([], Number.POSITIVE_INFINITY));
    } catch (error) {
      if (error instanceof EvaluationError) return error;
      throw error;
    }
  }

  #logical(node: LogicalNode): Evaluate {
    const terms = node.terms.map((term) => this.compile(term));
    const decisive = node.operator === '||';
    return (evaluation) => {
      let failure: EvaluationError | undefined;
      for (let i = 0; i < terms.length; i++) {
        try {
          const value = terms[i]?.(evaluation);
          if (value === decisive) return value;
          if (typeof value !== 'boolean') failure ??= noSuchOverload();
        } catch (error) {
          const problem = absorbed(error, evaluation);
          failure ??= problem;
        }
      }
      if (failure !== undefined) throw failure;
      return !decisive;
    };
  }

  #list(node: ListNode): Evaluate {
    const elements = node.elements.map(({ value, optional }) => ({ get: this.compile(value), optional }));
    return (evaluation) => {
      const items: Value[] = [];
      for (const { get, optional } of elements) {
        const value = optional ? unwrap(get(evaluation)) : get(evaluation);
        if (value !== undefined) items.push(value);
      }
      evaluation.cost += LIST_COST;
      return new ArrayList(items);
    };
  }

  #map(node: MapNode): Evaluate {
    const entries = node.entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      get: this.compile(value),
      optional,
    }));
    return (evaluation) => {
      const result = new EntryMap();
      for (const { key, get, optional } of entries) {
        const name = key(evaluation);
        const value = optional ? unwrap(get(evaluation)) : get(evaluation);
        if (!isMapKey(name)) throw new EvaluationError('unsupported key type');
        countLookup(name, evaluation);
        if (value !== undefined) result.set(name, value);
      }
      evaluation.cost += MAP_COST;
      return result;
    };
  }

  #struct(node: StructNode): Evaluate {
    const make = makerOf(node);
    if (make === undefined) return failing(`unknown type: ${node.name}`);
    const fields = node.fields.map(({ name, value, optional }) => ({
      name,
      get: this.compile(value),
      optional,
    }));
    return (evaluation) => {
      const values = new Map<string, Value>();
      for (const { name, get, optional } of fields) {
        const value = optional ? unwrap(get(evaluation)) : get(evaluation);
        if (value !== undefined) values.set(name, value);
      }
      evaluation.cost += STRUCT_COST;
      return make(values);
    };
  }
}

/** Makes the value of a literal from its fields. */
function makerOf({ type, message }: StructNode): ((values: ReadonlyMap<string, Value>) => Value) | undefined {
  if (message !== undefined) return (values) => message.make(values);
  return type?.kind === 'object' ? (values) => new StructValue(type.name, values) : undefined;
}

const failing = (message: string): Evaluate => {
  return () => {
    throw new EvaluationError(message);
  };
};

/** The value that an optional entry of a literal adds; undefined for an empty optional. */
function unwrap(value: Value): Value | undefined {
  if (value instanceof OptionalValue) return value.value;
  throw new EvaluationError('cannot initialize optional entry from a non-optional value');
}

/** Conversions that are computed once when their argument is constant. */
const conversions = new Set('bool bytes double duration dyn int string timestamp type uint'.split(' '));

/** Parts of a node that is constant when they are; undefined for nodes that never are. */
function constantParts(node: Node): readonly Node[] | undefined {
  if (node.kind === 'list')
    return node.elements.some(({ optional }) => optional)
      ? undefined
      : node.elements.map(({ value }) => value);
  if (node.kind === 'map')
    return node.entries.some(({ optional }) => optional)
      ? undefined
      : node.entries.flatMap(({ key, value }) => [key, value]);
  if (node.kind !== 'call' || node.target !== undefined || node.args.length !== 1) return undefined;
  return conversions.has(node.name) ? node.args : undefined;
}

interface OptionalMapParts {
  readonly target: Evaluate;
  readonly body: Evaluate;
  readonly slot: number;
  readonly flat: boolean;
}

function optionalMap({ target, body, slot, flat }: OptionalMapParts): Evaluate {
  return (evaluation) => {
    const before = evaluation.cost;
    const found = target(evaluation);
    if (!(found instanceof OptionalValue)) throw noSuchOverload();
    const cost = evaluation.cost - before;
    evaluation.cost += 1;
    if (found.value === undefined) {
      evaluation.cost += 1;
      return none;
    }
    // The reference evaluates the target twice: for whether it has a value, and for the value.
    evaluation.spend(cost + 1);
    evaluation.slots[slot] = found.value;
    const result = body(evaluation);
    if (flat) return result;
    evaluation.cost += 1;
    return new OptionalValue(result);
  };
}

/** The value is computed before the body, which may read its slot more than once. */
const bound =
  (init: Evaluate, body: Evaluate, slot: number): Evaluate =>
  (evaluation) => {
    evaluation.slots[slot] = init(evaluation);
    return body(evaluation);
  };
