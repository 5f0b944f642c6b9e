import { celTypeOf } from '../decl/cel-type.ts';
import type { DeclType } from '../decl/decl-type.ts';
import type { Library, Overload } from '../functions/overload.ts';
import type { Variable } from '../syntax/variable.ts';
import { type CelType, typeName } from '../types/type.ts';
import { Scope } from './scope.ts';

/** Types that an expression may build: `Name{field: value}`. */
export type TypeProvider = (name: string) => Extract<CelType, { kind: 'object' }> | undefined;

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  /** Prefix under which names are looked up first; none by default. */
  readonly container?: string;
  /** Elements of list and map literals have one type. */
  readonly homogeneousLiterals?: boolean;
  readonly quotedFields?: boolean;
  readonly findType?: TypeProvider;
}

/**
 * The environment of expressions: functions, types and variables. Building one is expensive (some thousand functions),
 * `extend` is not: share one for a release and extend it for each place that has variables.
 */
export class Environment {
  readonly options: EnvironmentOptions;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly macros: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, CelType>;
  readonly variables: readonly Variable[];

  constructor(options: EnvironmentOptions) {
    this.options = options;
    this.functions = functionsOf(options.libraries);
    this.macros = new Set(options.libraries.flatMap(({ macros = [] }) => macros));
    const types = options.libraries.flatMap((library) => library.types ?? []);
    this.types = new Map(types.map((type) => [typeName(type), type]));
    this.variables = [];
  }

  /** This environment with variables; they replace earlier ones. */
  extend(declarations: Readonly<Record<string, DeclType>>): Environment {
    const variables = Object.entries(declarations).map(
      ([name, decl], slot): Variable => ({ name, slot, type: celTypeOf(decl), decl }),
    );
    return Object.assign(Object.create(Environment.prototype) as Environment, this, { variables });
  }

  scope(): Scope {
    const scope = new Scope();
    for (const variable of this.variables) scope.add(variable);
    return scope;
  }

  /** Full names that a name may resolve to, in the order in which they are tried. */
  candidates(name: string): readonly string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    const parts = (this.options.container ?? '').split('.').filter((part) => part !== '');
    const names = parts.map((_, index) => [...parts.slice(0, parts.length - index), name].join('.'));
    return [...names, name];
  }

  findFunction(name: string): { readonly name: string; readonly overloads: readonly Overload[] } | undefined {
    for (const candidate of this.candidates(name)) {
      const overloads = this.functions.get(candidate);
      if (overloads !== undefined) return { name: candidate, overloads };
    }
    return undefined;
  }
}

function functionsOf(libraries: readonly Library[]): Map<string, readonly Overload[]> {
  const all = new Map<string, readonly Overload[]>();
  for (const { functions } of libraries)
    for (const [name, overloads] of Object.entries(functions)) {
      const before = all.get(name) ?? [];
      const known = new Set(before.map(({ id }) => id));
      all.set(name, [...before, ...overloads.filter(({ id }) => !known.has(id))]);
    }
  return all;
}
