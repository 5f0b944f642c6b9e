import type { Overload } from '../functions/overload.ts';
import type { BindNode, CallNode, FoldNode, Node, OptionalMapNode } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/height.ts';
import { dottedName } from '../syntax/parser.ts';
import type { Variable } from '../syntax/variable.ts';
import { dyn } from '../types/type.ts';
import { TypeValue } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { Scope } from './scope.ts';

/**
 * Resolves names without a check of types, for expressions whose types are found when they are evaluated. Returns the
 * number of slots that an evaluation needs.
 */
export function resolveNames(root: Node, environment: Environment): number {
  const resolver = new NameResolver(environment);
  resolver.visit(root, environment.scope());
  return resolver.slots;
}

class NameResolver {
  readonly #environment: Environment;
  slots: number;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.slots = environment.variables.length;
  }

  visit(node: Node, scope: Scope): void {
    switch (node.kind) {
      case 'ident':
      case 'select':
        if (!this.#named(node, scope)) this.#children(node, scope);
        break;
      case 'call':
        this.#call(node, scope);
        break;
      case 'fold':
        this.#fold(node, scope);
        break;
      case 'optionalMap':
        this.#optionalMap(node, scope);
        break;
      case 'bind':
        this.#bind(node, scope);
        break;
      default:
        this.#children(node, scope);
    }
  }

  #children(node: Node, scope: Scope): void {
    for (const child of childrenOf(node)) this.visit(child, scope);
  }

  #fold(node: FoldNode, scope: Scope): void {
    this.visit(node.range, scope);
    const inner = new Scope(scope);
    node.variables = node.names.map((name) => this.#declare(inner, name));
    if (node.filter !== undefined) this.visit(node.filter, inner);
    this.visit(node.body, inner);
  }

  #optionalMap(node: OptionalMapNode, scope: Scope): void {
    this.visit(node.target, scope);
    const inner = new Scope(scope);
    node.variable = this.#declare(inner, node.name);
    this.visit(node.body, inner);
  }

  #bind(node: BindNode, scope: Scope): void {
    this.visit(node.init, scope);
    const inner = new Scope(scope);
    node.variable = this.#declare(inner, node.name);
    this.visit(node.body, inner);
  }

  #declare(scope: Scope, name: string): Variable {
    const variable = { name, slot: this.slots++, type: dyn };
    scope.add(variable);
    return variable;
  }

  #named(node: Extract<Node, { kind: 'ident' | 'select' }>, scope: Scope): boolean {
    const name = dottedName(node);
    if (name === undefined) return false;
    for (const candidate of this.#environment.candidates(name)) {
      const variable = scope.find(candidate);
      if (variable !== undefined) node.variable = variable;
      else if (this.#environment.types.has(candidate)) node.constant = new TypeValue(candidate);
      else continue;
      return true;
    }
    return false;
  }

  #call(node: CallNode, scope: Scope): void {
    const prefix = node.target === undefined ? undefined : dottedName(node.target);
    const qualified =
      prefix === undefined ? undefined : this.#environment.findFunction(`${prefix}.${node.name}`);
    if (qualified !== undefined) node.qualified = qualified.name;
    else if (node.target !== undefined) this.visit(node.target, scope);
    for (const argument of node.args) this.visit(argument, scope);
    const isMember = node.target !== undefined && qualified === undefined;
    const count = node.args.length + (isMember ? 1 : 0);
    const found = qualified ?? this.#environment.findFunction(node.name);
    node.overloads = (found?.overloads ?? []).filter(
      ({ member, args }: Overload) => member === isMember && args.length === count,
    );
  }
}
