import type { Overload } from '../functions/overload.ts';
import type { CelType } from '../types/type.ts';
import type { Message } from '../values/messages.ts';
import type { Value } from '../values/value.ts';
import type { Variable } from './variable.ts';

/** Fields of every node. The checker sets types and the declarations of names; an unchecked node has neither. */
interface NodeBase {
  /** Offset in the source that errors about the node point to. */
  readonly at: number;
  type?: CelType;
}

export type Node =
  | LiteralNode
  | IdentNode
  | SelectNode
  | IndexNode
  | CallNode
  | LogicalNode
  | ConditionalNode
  | ListNode
  | MapNode
  | StructNode
  | FoldNode
  | OptionalMapNode
  | BindNode;

export interface LiteralNode extends NodeBase {
  readonly kind: 'literal';
  readonly value: Value;
}

export interface IdentNode extends NodeBase {
  readonly kind: 'ident';
  /** With a leading dot when it is looked up outside of all scopes. */
  readonly name: string;
  variable?: Variable;
  /** Set when the name is that of a type. */
  constant?: Value;
}

export interface SelectNode extends NodeBase {
  readonly kind: 'select';
  readonly operand: Node;
  readonly field: string;
  /** `plain` is `a.b`, `optional` is `a.?b`, and `test` is `has(a.b)`. */
  readonly mode: 'plain' | 'optional' | 'test';
  /** Set when the whole expression is the name of a variable or type with dots. */
  variable?: Variable;
  constant?: Value;
}

export interface IndexNode extends NodeBase {
  readonly kind: 'index';
  readonly operand: Node;
  readonly index: Node;
  readonly optional: boolean;
}

export interface CallNode extends NodeBase {
  readonly kind: 'call';
  readonly name: string;
  readonly target?: Node;
  readonly args: readonly Node[];
  /** The overloads that the call may select at run time, by the types of its arguments. */
  overloads?: readonly Overload[];
  /** The name of the function with its dots, when the target is a part of that name and not a value. */
  qualified?: string;
}

export interface LogicalNode extends NodeBase {
  readonly kind: 'logical';
  readonly operator: '&&' | '||';
  readonly terms: readonly Node[];
  /** Offset of the operator before each term but the first. */
  readonly operatorsAt: readonly number[];
}

export interface ConditionalNode extends NodeBase {
  readonly kind: 'conditional';
  readonly test: Node;
  readonly yes: Node;
  readonly no: Node;
}

export interface ElementNode {
  readonly value: Node;
  readonly optional: boolean;
}

export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly elements: readonly ElementNode[];
}

export interface EntryNode {
  readonly at: number;
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly EntryNode[];
}

export interface StructFieldNode {
  readonly at: number;
  readonly name: string;
  readonly value: Node;
  readonly optional: boolean;
}

export interface StructNode extends NodeBase {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly StructFieldNode[];
  /** Set by the checker for a message whose value is not an object. */
  message?: Message;
}

export type FoldKind =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'map'
  | 'filter'
  | 'sortBy'
  | 'transformMap'
  | 'transformMapEntry';

/** A macro that iterates over a list or map. */
export interface FoldNode extends NodeBase {
  readonly kind: 'fold';
  readonly fold: FoldKind;
  readonly range: Node;
  /** One name (element of a list or key of a map) or two (index or key, and value). */
  readonly names: readonly string[];
  /** Elements for which it is false are left out (`map` and the transformations only). */
  readonly filter?: Node;
  /** The predicate or the transformation. */
  readonly body: Node;
  variables?: readonly Variable[];
}

/**
 * `target.optMap(name, body)`: applies the body to the value of an optional; `flat` when the body is optional itself.
 */
export interface OptionalMapNode extends NodeBase {
  readonly kind: 'optionalMap';
  readonly flat: boolean;
  readonly target: Node;
  readonly name: string;
  readonly body: Node;
  variable?: Variable;
}

/** `cel.bind(name, init, body)`: the body with a name for the value of an expression. */
export interface BindNode extends NodeBase {
  readonly kind: 'bind';
  readonly name: string;
  readonly init: Node;
  readonly body: Node;
  variable?: Variable;
}
