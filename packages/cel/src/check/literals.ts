import type { ListNode, MapNode, Node, StructNode } from '../syntax/ast.ts';
import { moreGeneral } from '../types/substitution.ts';
import * as types from '../types/type.ts';
import { type CelType, formatType, optionalOf } from '../types/type.ts';
import { findMessage, type Message } from '../values/messages.ts';
import type { CheckContext } from './check-context.ts';
import type { Scope } from './scope.ts';

/** Types of the parts of a list or map literal; ends as their common type, or `dyn`. */
class CommonType {
  readonly #context: CheckContext;
  #type: CelType | undefined;
  constructor(context: CheckContext) {
    this.#context = context;
  }
  add(type: CelType): void {
    if (this.#type === undefined) this.#type = type;
    else this.#type = this.#join(this.#type, type);
  }
  #join(before: CelType, type: CelType): CelType {
    const { substitution } = this.#context;
    if (!substitution.assignable(before, type)) return types.dyn;
    return moreGeneral(substitution.apply(before), substitution.apply(type));
  }
  get result(): CelType {
    return this.#type ?? this.#context.substitution.freshParameter();
  }
}

/** The type that an element adds: for `?x`, the type of the value in the optional. */
function elementType(context: CheckContext, node: Node, optional: boolean): CelType {
  const type = context.substitution.apply(node.type ?? types.dyn);
  if (!optional) return type;
  const inner = optionalOf(type);
  if (inner !== undefined || type.kind === 'dyn' || type.kind === 'error') return inner ?? types.dyn;
  return context.report(
    node.at,
    `expected type 'optional_type(${formatType(type)})' but found '${formatType(type)}'`,
  );
}

export function checkList(context: CheckContext, node: ListNode, scope: Scope): CelType {
  const common = new CommonType(context);
  for (const { value, optional } of node.elements) {
    context.visit(value, scope);
    common.add(elementType(context, value, optional));
  }
  return types.list(common.result);
}

export function checkMap(context: CheckContext, node: MapNode, scope: Scope): CelType {
  const [keys, values] = [new CommonType(context), new CommonType(context)];
  for (const { key, value, optional } of node.entries) {
    keys.add(context.visit(key, scope));
    context.visit(value, scope);
    values.add(elementType(context, value, optional));
  }
  return types.map(keys.result, values.result);
}

export function checkStruct(context: CheckContext, node: StructNode, scope: Scope): CelType {
  for (const { value } of node.fields) context.visit(value, scope);
  const found = findBuilt(context, node.name);
  if (found === undefined) return context.undeclared(node.at, node.name);
  if ('make' in found) node.message = found;
  for (const { at, name, value, optional } of node.fields) {
    const declared = found.fields.fieldType(name);
    if (declared === undefined) context.report(at, `undefined field '${name}'`);
    else if (!context.substitution.assignable(elementType(context, value, optional), declared)) {
      const [expected, actual] = [declared, value.type ?? types.dyn].map(formatType);
      context.report(
        at,
        `expected type of field '${name}' is '${expected}' but provided type is '${actual}'`,
      );
    }
  }
  return 'make' in found ? found.type : found;
}

/** The object type or message with this name; undefined without one. */
function findBuilt(
  { environment }: CheckContext,
  name: string,
): Extract<CelType, { kind: 'object' }> | Message | undefined {
  for (const candidate of environment.candidates(name)) {
    const found = environment.options.findType?.(candidate) ?? findMessage(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}
