import { type CelType, dyn, list, map } from './type.ts';

/**
 * The bindings of type parameters while a call is checked. Parameters are renamed before use, so names are unique
 * within one expression.
 */
export class Substitution {
  readonly #bindings = new Map<string, CelType>();
  /** The previous value of each binding, in order: attempts that fail are undone in proportion to the number of their bindings. */
  readonly #replaced: (readonly [name: string, before: CelType | undefined])[] = [];
  #fresh = 0;

  freshParameter(): CelType {
    return { kind: 'param', name: `_var${this.#fresh++}` };
  }

  /** Runs `check`, and removes its bindings when it returns false. */
  attempt(check: () => boolean): boolean {
    const before = this.#replaced.length;
    if (check()) return true;
    while (this.#replaced.length > before) this.#undo();
    return false;
  }

  #bind(name: string, type: CelType): void {
    this.#replaced.push([name, this.#bindings.get(name)]);
    this.#bindings.set(name, type);
  }

  #undo(): void {
    const [name = '', before] = this.#replaced.pop() ?? [];
    if (before === undefined) this.#bindings.delete(name);
    else this.#bindings.set(name, before);
  }

  /** The type with its parameters replaced by their bindings; unbound ones remain, or become `dyn`. */
  apply(type: CelType, unbound: 'keep' | 'dyn' = 'keep'): CelType {
    switch (type.kind) {
      case 'param': {
        const bound = this.#bindings.get(type.name);
        if (bound !== undefined) return this.apply(bound, unbound);
        return unbound === 'dyn' ? dyn : type;
      }
      case 'list':
        return list(this.apply(type.element, unbound));
      case 'map':
        return map(this.apply(type.key, unbound), this.apply(type.value, unbound));
      case 'type':
        return type.of === undefined ? type : { kind: 'type', of: this.apply(type.of, unbound) };
      case 'opaque':
        if (type.parameters.length === 0) return type;
        return { ...type, parameters: type.parameters.map((each) => this.apply(each, unbound)) };
      default:
        return type;
    }
  }

  /** True when a value of type `actual` can be used where `expected` is expected; binds parameters of both. */
  assignable(actual: CelType, expected: CelType): boolean {
    return this.attempt(() => this.#fits(actual, expected));
  }

  allAssignable(actual: readonly CelType[], expected: readonly CelType[]): boolean {
    return this.attempt(() =>
      actual.every((type, index) => {
        const other = expected[index];
        return other !== undefined && this.#fits(type, other);
      }),
    );
  }

  #fits(actual: CelType, expected: CelType): boolean {
    if (expected.kind === 'param') return this.#fitsParameter(expected.name, expected, actual);
    if (actual.kind === 'param') return this.#fitsParameter(actual.name, actual, expected);
    if (isWildcard(actual) || isWildcard(expected)) return true;
    if (actual.kind === 'null') return isNullable(expected);
    if (actual.kind !== expected.kind) return expected.kind === 'null' && isNullable(actual);
    return this.#partsFit(actual, expected);
  }

  #partsFit(actual: CelType, expected: CelType): boolean {
    if (actual.kind === 'list' && expected.kind === 'list')
      return this.#fits(actual.element, expected.element);
    if (actual.kind === 'map' && expected.kind === 'map')
      return this.#fits(actual.key, expected.key) && this.#fits(actual.value, expected.value);
    if (actual.kind === 'object' && expected.kind === 'object') return actual.name === expected.name;
    if (actual.kind !== 'opaque' || expected.kind !== 'opaque') return true;
    return (
      actual.name === expected.name &&
      actual.parameters.every((each, index) => this.#fits(each, expected.parameters[index] ?? dyn))
    );
  }

  #fitsParameter(name: string, parameter: CelType, type: CelType): boolean {
    if (type.kind === 'param' && type.name === name) return true;
    const bound = this.#bindings.get(name);
    if (bound === undefined) {
      const resolved = this.apply(type);
      if (mentions(resolved, name)) return resolved.kind === 'param';
      this.#bind(name, type);
      return true;
    }
    if (!this.#fits(type, bound)) return false;
    const other = this.apply(type);
    const wider = moreGeneral(this.apply(bound), other);
    // A parameter is never bound to itself, neither directly nor through others: a cycle would cause an endless
    // recursion.
    if (wider === other && !mentions(other, name) && parameter.kind === 'param') this.#bind(name, wider);
    return true;
  }
}

export const isWildcard = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'error';

/** Types whose values include `null` for the checker. */
const isNullable = ({ kind }: CelType): boolean =>
  kind === 'null' || kind === 'object' || kind === 'opaque' || kind === 'timestamp' || kind === 'duration';

function mentions(type: CelType, name: string): boolean {
  switch (type.kind) {
    case 'param':
      return type.name === name;
    case 'list':
      return mentions(type.element, name);
    case 'map':
      return mentions(type.key, name) || mentions(type.value, name);
    case 'type':
      return type.of !== undefined && mentions(type.of, name);
    case 'opaque':
      return type.parameters.some((each) => mentions(each, name));
    default:
      return false;
  }
}

/** Returns the more general of two types that fit each other. */
export function moreGeneral(a: CelType, b: CelType): CelType {
  return isAtMost(b, a) ? a : b;
}

/** True when every value of `a` is known to be one of `b`. */
function isAtMost(a: CelType, b: CelType): boolean {
  if (isWildcard(b) || b.kind === 'param') return true;
  if (isWildcard(a) || a.kind === 'param') return false;
  if (a.kind === 'null') return isNullable(b) || b.kind === 'null';
  if (a.kind === 'list') return b.kind === 'list' && isAtMost(a.element, b.element);
  if (a.kind === 'map') return b.kind === 'map' && isAtMost(a.key, b.key) && isAtMost(a.value, b.value);
  if (a.kind === 'opaque')
    return (
      b.kind === 'opaque' && a.parameters.every((each, index) => isAtMost(each, b.parameters[index] ?? dyn))
    );
  return a.kind === b.kind;
}
