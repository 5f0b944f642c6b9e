import type { ListNode, MapNode, Node, StructNode } from '../syntax/ast.ts';
import { moreGeneral } from '../types/substitution.ts';
import * as types from '../types/type.ts';
import { type CelType, formatType, optionalOf } from '../types/type.ts';
import type { Checker } from './checker.ts';
import type { Scope } from './scope.ts';

/** Types of the parts of a list or map literal; ends as their common type, or `dyn`. */
class CommonType {
  readonly #checker: Checker;
  #type: CelType | undefined;
  constructor(checker: Checker) {
    this.#checker = checker;
  }
  add(type: CelType): void {
    if (this.#type === undefined) this.#type = type;
    else this.#type = this.#join(this.#type, type);
  }
  #join(before: CelType, type: CelType): CelType {
    const { substitution } = this.#checker;
    if (!substitution.assignable(before, type)) return types.dyn;
    return moreGeneral(substitution.apply(before), substitution.apply(type));
  }
  get result(): CelType {
    return this.#type ?? this.#checker.substitution.freshParameter();
  }
}

/** The type that an element adds: of `?x`, what the optional holds. */
function elementType(checker: Checker, node: Node, optional: boolean): CelType {
  const type = checker.substitution.apply(node.type ?? types.dyn);
  if (!optional) return type;
  const inner = optionalOf(type);
  if (inner !== undefined || type.kind === 'dyn' || type.kind === 'error') return inner ?? types.dyn;
  return checker.report(
    node.at,
    `expected type 'optional_type(${formatType(type)})' but found '${formatType(type)}'`,
  );
}

export function checkList(checker: Checker, node: ListNode, scope: Scope): CelType {
  const common = new CommonType(checker);
  for (const { value, optional } of node.elements) {
    checker.visit(value, scope);
    common.add(elementType(checker, value, optional));
  }
  return types.list(common.result);
}

export function checkMap(checker: Checker, node: MapNode, scope: Scope): CelType {
  const [keys, values] = [new CommonType(checker), new CommonType(checker)];
  for (const { key, value, optional } of node.entries) {
    keys.add(checker.visit(key, scope));
    checker.visit(value, scope);
    values.add(elementType(checker, value, optional));
  }
  return types.map(keys.result, values.result);
}

export function checkStruct(checker: Checker, node: StructNode, scope: Scope): CelType {
  for (const { value } of node.fields) checker.visit(value, scope);
  const { environment } = checker;
  const found = environment
    .candidates(node.name)
    .map((name) => environment.options.findType?.(name))
    .find((type) => type !== undefined);
  if (found === undefined) return checker.undeclared(node.at, node.name);
  for (const { at, name, value, optional } of node.fields) {
    const declared = found.fields.fieldType(name);
    if (declared === undefined) checker.report(at, `undefined field '${name}'`);
    else if (!checker.substitution.assignable(elementType(checker, value, optional), declared)) {
      const [expected, actual] = [declared, value.type ?? types.dyn].map(formatType);
      checker.report(
        at,
        `expected type of field '${name}' is '${expected}' but provided type is '${actual}'`,
      );
    }
  }
  return found;
}
