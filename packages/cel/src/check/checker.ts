import { sortable } from '../library/extended-lists.ts';
import type {
  BindNode,
  CallNode,
  FoldNode,
  IdentNode,
  Node,
  OptionalMapNode,
  SelectNode,
} from '../syntax/ast.ts';
import { childrenOf } from '../syntax/height.ts';
import { dottedName } from '../syntax/parser.ts';
import { CelSyntaxError } from '../syntax/source.ts';
import type { Variable } from '../syntax/variable.ts';
import { isWildcard } from '../types/substitution.ts';
import * as types from '../types/type.ts';
import { type CelType, formatType, optionalOf } from '../types/type.ts';
import { TypeValue, Uint } from '../values/value.ts';
import { resolveCall, resolveOverload } from './calls.ts';
import { CheckContext } from './check-context.ts';
import type { Environment } from './environment.ts';
import { checkList, checkMap, checkStruct } from './literals.ts';
import { Scope } from './scope.ts';

export interface CheckResult {
  readonly type: CelType;
  /** Slots that an evaluation needs: those of the variables and of all scopes within. */
  readonly slots: number;
}

/**
 * Determines the type of every node and the declarations of its names, and sets them in the nodes. Throws a
 * CelSyntaxError.
 */
export function check(source: string, root: Node, environment: Environment): CheckResult {
  const checker = new Checker(environment);
  checker.visit(root, environment.scope());
  const { issues } = checker;
  if (issues.length > 0) throw new CelSyntaxError(source, issues);
  checker.finish(root);
  return { type: root.type ?? types.dyn, slots: checker.slots };
}

class Checker extends CheckContext {
  slots: number;

  constructor(environment: Environment) {
    super(environment);
    this.slots = environment.variables.length;
  }

  visit(node: Node, scope: Scope): CelType {
    const type = this.#typeOf(node, scope);
    node.type = type;
    return type;
  }

  #typeOf(node: Node, scope: Scope): CelType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value);
      case 'ident':
        return this.#ident(node, scope);
      case 'select':
        return this.#select(node, scope);
      case 'index': {
        const args = [this.visit(node.operand, scope), this.visit(node.index, scope)];
        const name = node.optional ? '_[?_]' : '_[_]';
        return resolveOverload(this, { at: node.at, name, args, member: false }).type;
      }
      case 'call':
        return this.#call(node, scope);
      case 'logical':
        return this.#logical(node, scope);
      case 'conditional': {
        const args = [node.test, node.yes, node.no].map((each) => this.visit(each, scope));
        return resolveOverload(this, { at: node.at, name: '_?_:_', args, member: false }).type;
      }
      case 'list':
        return checkList(this, node, scope);
      case 'map':
        return checkMap(this, node, scope);
      case 'struct':
        return checkStruct(this, node, scope);
      case 'fold':
        return this.#fold(node, scope);
      case 'optionalMap':
        return this.#optionalMap(node, scope);
      case 'bind':
        return this.#bind(node, scope);
    }
  }

  #logical(node: Extract<Node, { kind: 'logical' }>, scope: Scope): CelType {
    for (const term of node.terms) {
      this.visit(term, scope);
      this.expect(term, types.bool);
    }
    return types.bool;
  }

  /** A variable or a type by a name that may have dots. */
  #named(node: IdentNode | SelectNode, name: string, scope: Scope): CelType | undefined {
    const where = name.startsWith('.') ? scope.outermost() : scope;
    for (const candidate of this.environment.candidates(name)) {
      const variable = where.find(candidate);
      if (variable !== undefined) {
        node.variable = variable;
        return variable.type;
      }
      const type = this.environment.types.get(candidate) ?? this.environment.options.findType?.(candidate);
      if (type !== undefined) {
        node.constant = new TypeValue(candidate);
        return types.typeOfType(type);
      }
    }
    return undefined;
  }

  #ident(node: IdentNode, scope: Scope): CelType {
    return this.#named(node, node.name, scope) ?? this.undeclared(node.at, node.name);
  }

  #select(node: SelectNode, scope: Scope): CelType {
    const name = dottedName(node);
    const named = name === undefined ? undefined : this.#qualified(node, name, scope);
    if (named !== undefined) return named;
    const operand = this.substitution.apply(this.visit(node.operand, scope));
    const inner = optionalOf(operand);
    const field = this.#fieldType(node, inner ?? operand);
    if (node.mode === 'test') return types.bool;
    return node.mode === 'optional' || inner !== undefined ? asOptional(field) : field;
  }

  /** A name with dots, unless its first part is a variable of a scope within the expression. */
  #qualified(node: SelectNode, name: string, scope: Scope): CelType | undefined {
    const [first = ''] = name.split('.');
    const variable = scope.find(first);
    if (variable !== undefined && variable.decl === undefined) return undefined;
    return this.#named(node, name, scope);
  }

  #fieldType(node: SelectNode, operand: CelType): CelType {
    switch (operand.kind) {
      case 'map':
        return operand.value;
      case 'object':
        return (
          operand.fields.fieldType(node.field) ?? this.report(node.at, `undefined field '${node.field}'`)
        );
      case 'dyn':
      case 'error':
        return operand;
      case 'param':
        this.substitution.assignable(operand, types.dyn);
        return types.dyn;
      default: {
        const displayed = formatType(this.substitution.apply(operand, 'dyn'));
        return this.report(node.at, `type '${displayed}' does not support field selection`);
      }
    }
  }

  #call(node: CallNode, scope: Scope): CelType {
    const { overloads, type } = resolveCall(this, node, scope);
    node.overloads = overloads;
    return type;
  }

  declare(scope: Scope, name: string, type: CelType): Variable {
    const variable = { name, slot: this.slots++, type };
    scope.add(variable);
    return variable;
  }

  #fold(node: FoldNode, scope: Scope): CelType {
    const range = this.substitution.apply(this.visit(node.range, scope));
    const inner = new Scope(scope);
    const itemTypes = this.#itemTypes(node, range);
    node.variables = node.names.map((name, index) =>
      this.declare(inner, name, itemTypes[index] ?? types.dyn),
    );
    const filter = node.filter === undefined ? undefined : this.visit(node.filter, inner);
    const type = this.#foldType(node, this.visit(node.body, inner));
    return filter === undefined ? type : this.#condition(node, filter, type);
  }

  /** Types of the iteration variables over a range. */
  #itemTypes(node: FoldNode, range: CelType): readonly CelType[] {
    const two = node.names.length === 2;
    switch (range.kind) {
      case 'list':
        return two ? [types.int, range.element] : [range.element];
      case 'map':
        return two ? [range.key, range.value] : [range.key];
      case 'dyn':
      case 'error':
      case 'param':
        return [types.dyn, types.dyn];
      default: {
        const message = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        return [this.report(node.range.at, message), types.errorType];
      }
    }
  }

  #foldType(node: FoldNode, body: CelType): CelType {
    switch (node.fold) {
      case 'all':
      case 'exists':
        this.expect(node.body, types.bool);
        return types.bool;
      case 'existsOne':
        this.#condition(node, body, types.int);
        return types.bool;
      case 'filter': {
        const result = types.list(node.variables?.[0]?.type ?? types.dyn);
        return this.#condition(node, body, result);
      }
      case 'sortBy':
        return this.#sortedType(node, body);
      case 'map':
        return types.list(body);
      case 'transformMap':
        return types.map(node.variables?.[0]?.type ?? types.dyn, body);
      case 'transformMapEntry': {
        const result = types.map(this.substitution.freshParameter(), this.substitution.freshParameter());
        return this.expect(node.body, result) ? this.substitution.apply(result) : types.errorType;
      }
    }
  }

  /** Checks a condition as the conditional expression that the macro expands to. */
  #condition(node: FoldNode, condition: CelType, result: CelType): CelType {
    const args = [condition, result, result];
    return resolveOverload(this, { at: node.at, name: '_?_:_', args, member: false }).type;
  }

  #sortedType(node: FoldNode, key: CelType): CelType {
    const type = this.substitution.apply(key);
    const result = types.list(node.variables?.[0]?.type ?? types.dyn);
    const known =
      type.kind === 'param' || isWildcard(type) || sortable.some(({ kind }) => kind === type.kind);
    if (known) return result;
    const signature = `${formatType(result)}.(${formatType(types.list(type))})`;
    return this.report(
      node.at,
      `found no matching overload for '@sortByAssociatedKeys' applied to '${signature}'`,
    );
  }

  #optionalMap(node: OptionalMapNode, scope: Scope): CelType {
    const target = this.substitution.apply(this.visit(node.target, scope));
    const inner = optionalOf(target);
    if (inner === undefined && !isWildcard(target))
      return this.report(
        node.at,
        `found no matching overload for 'hasValue' applied to '${formatType(target)}.()'`,
      );
    const bodyScope = new Scope(scope);
    node.variable = this.declare(bodyScope, node.name, inner ?? types.dyn);
    const body = this.visit(node.body, bodyScope);
    if (!node.flat) return types.optional(body);
    const result = types.optional(this.substitution.freshParameter());
    return this.expect(node.body, result) ? this.substitution.apply(result) : types.errorType;
  }

  #bind(node: BindNode, scope: Scope): CelType {
    const init = this.substitution.apply(this.visit(node.init, scope));
    const inner = new Scope(scope);
    node.variable = this.declare(inner, node.name, init);
    return this.visit(node.body, inner);
  }

  /** Replaces type parameters that are known now. */
  finish(node: Node): void {
    if (node.type !== undefined) node.type = this.substitution.apply(node.type, 'dyn');
    for (const child of childrenOf(node)) this.finish(child);
  }
}

const asOptional = (type: CelType): CelType => (optionalOf(type) === undefined ? types.optional(type) : type);

function literalType(value: unknown): CelType {
  switch (typeof value) {
    case 'boolean':
      return types.bool;
    case 'string':
      return types.string;
    case 'number':
    case 'bigint':
      return types.int;
    default:
      if (value === null) return types.nullType;
      if (value instanceof Uint8Array) return types.bytes;
      return value instanceof Uint ? types.uint : types.double;
  }
}
