import type { Overload } from '../functions/overload.ts';
import type { CallNode } from '../syntax/ast.ts';
import { dottedName } from '../syntax/parser.ts';
import { equalTypes } from '../types/equal.ts';
import type { Substitution } from '../types/substitution.ts';
import * as types from '../types/type.ts';
import { type CelType, formatType } from '../types/type.ts';
import type { CheckContext } from './check-context.ts';
import type { Scope } from './scope.ts';

interface ResolvedCall {
  readonly type: CelType;
  readonly overloads: readonly Overload[];
}

interface CheckedCall {
  readonly at: number;
  readonly name: string;
  /** Types of the arguments, that of the receiver first. */
  readonly args: readonly CelType[];
  readonly member: boolean;
}

/** Checks a call and its arguments. */
export function resolveCall(context: CheckContext, node: CallNode, scope: Scope): ResolvedCall {
  const visit = (): CelType[] => node.args.map((each) => context.visit(each, scope));
  if (node.target === undefined) return resolveOverload(context, callOf(node, node.name, visit()));
  const prefix = dottedName(node.target);
  const [first = ''] = (prefix ?? '').split('.');
  const found =
    prefix === undefined || scope.find(first) !== undefined
      ? undefined
      : context.environment.findFunction(`${prefix}.${node.name}`);
  if (found !== undefined) {
    node.qualified = found.name;
    return resolveOverload(context, callOf(node, found.name, visit()));
  }
  const target = context.visit(node.target, scope);
  return resolveOverload(context, { ...callOf(node, node.name, [target, ...visit()]), member: true });
}

const callOf = ({ at }: CallNode, name: string, args: readonly CelType[]): CheckedCall => ({
  at,
  name,
  args,
  member: false,
});

/** The overloads that the types of the arguments leave, and the type of the result. Reports when there is none. */
export function resolveOverload(context: CheckContext, call: CheckedCall): ResolvedCall {
  const found = context.environment.findFunction(call.name);
  if (found === undefined) return { type: context.undeclared(call.at, call.name), overloads: [] };
  const overloads: Overload[] = [];
  let result: CelType | undefined;
  const { substitution } = context;
  for (const overload of found.overloads) {
    if (overload.member !== call.member || overload.args.length !== call.args.length) continue;
    const { args, result: declared } = instantiate(overload, substitution);
    if (!substitution.allAssignable(call.args, args)) continue;
    overloads.push(overload);
    const type = substitution.apply(declared);
    result = result === undefined || equalTypes(result, type) ? (result ?? type) : types.dyn;
  }
  if (result !== undefined) return { type: result, overloads };
  return { type: noOverload(context, call), overloads };
}

function noOverload(context: CheckContext, { at, name, args, member }: CheckedCall): CelType {
  // An invalid argument has been reported already.
  if (args.some(({ kind }) => kind === 'error')) return types.errorType;
  const displayed = args.map((each) => formatType(context.substitution.apply(each, 'dyn')));
  const signature = member
    ? `${displayed[0]}.(${displayed.slice(1).join(', ')})`
    : `(${displayed.join(', ')})`;
  return context.report(at, `found no matching overload for '${name}' applied to '${signature}'`);
}

/** The signature with fresh names for its type parameters. */
function instantiate(overload: Overload, substitution: Substitution): Pick<Overload, 'args' | 'result'> {
  if (!overload.args.some(hasParameter) && !hasParameter(overload.result)) return overload;
  const fresh = new Map<string, CelType>();
  const rename = (type: CelType): CelType => {
    switch (type.kind) {
      case 'param': {
        const known = fresh.get(type.name) ?? substitution.freshParameter();
        fresh.set(type.name, known);
        return known;
      }
      case 'list':
        return types.list(rename(type.element));
      case 'map':
        return types.map(rename(type.key), rename(type.value));
      case 'type':
        return type.of === undefined ? type : types.typeOfType(rename(type.of));
      case 'opaque':
        return { ...type, parameters: type.parameters.map(rename) };
      default:
        return type;
    }
  };
  return { args: overload.args.map(rename), result: rename(overload.result) };
}

function hasParameter(type: CelType): boolean {
  switch (type.kind) {
    case 'param':
      return true;
    case 'list':
      return hasParameter(type.element);
    case 'map':
      return hasParameter(type.key) || hasParameter(type.value);
    case 'type':
      return type.of !== undefined && hasParameter(type.of);
    case 'opaque':
      return type.parameters.some(hasParameter);
    default:
      return false;
  }
}
