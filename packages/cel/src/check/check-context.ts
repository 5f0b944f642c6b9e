import type { Node } from '../syntax/ast.ts';
import type { Issue } from '../syntax/source.ts';
import { Substitution } from '../types/substitution.ts';
import * as types from '../types/type.ts';
import { type CelType, formatType } from '../types/type.ts';
import type { Environment } from './environment.ts';
import type { Scope } from './scope.ts';

/** The state that the checks of all nodes of an expression share: the types of its type parameters, and the problems found. */
export abstract class CheckContext {
  readonly environment: Environment;
  readonly substitution = new Substitution();
  readonly issues: Issue[] = [];

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** Checks a node with all its parts. Sets its type and returns it. */
  abstract visit(node: Node, scope: Scope): CelType;

  report(at: number, message: string): CelType {
    this.issues.push({ at, message });
    return types.errorType;
  }

  /** Reports a type that does not fit. True when it does. */
  expect(node: Node, expected: CelType): boolean {
    const actual = node.type ?? types.dyn;
    if (this.substitution.assignable(actual, expected)) return true;
    const [wanted, found] = [expected, actual].map((each) =>
      formatType(this.substitution.apply(each, 'dyn')),
    );
    this.report(node.at, `expected type '${wanted}' but found '${found}'`);
    return false;
  }

  undeclared(at: number, name: string): CelType {
    const container = this.environment.options.container ?? '';
    return this.report(
      at,
      `undeclared reference to '${name.replace(/^\./, '')}' (in container '${container}')`,
    );
  }
}
