import { AdmissionEnvironments, type DeclType, dynDecl } from '@orch/cel';
import type { ExpressionWarning, ValidatingAdmissionPolicySpec } from '@orch/kinds/admissionregistration';
import { type Names, parseApiVersion } from '@orch/machinery';
import type { ResourceTable, ServedApi, ServedResource } from '@orch/registry';
import { kindDecl } from '@orch/schema';
import { type CheckedKind, KindCheck } from './kind-check.ts';
import { matchedKinds } from './matched-kinds.ts';
import { policyExpressions } from './policy-expressions.ts';

/** Maximum number of expressions of a policy that are checked. */
const MAX_EXPRESSIONS = 1000;
/** Maximum number of warnings about a policy, which keeps its status small. */
const MAX_WARNINGS = 50;

export interface TypeCheckParts {
  readonly names: Names;
  readonly table: Pick<ResourceTable, 'find' | 'all'>;
  /** Reports which fields the release serves. */
  readonly includes: ServedApi['includes'];
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Checks the expressions of policies with the types of the kinds that their rules name. When a policy is written, its
 * expressions are compiled with objects of any type.
 */
export class TypeCheck {
  readonly #parts: TypeCheckParts;
  readonly #environments = new AdmissionEnvironments();

  constructor(parts: TypeCheckParts) {
    this.#parts = parts;
  }

  /** The groups whose resources affect the result. */
  groupsOf({ matchConstraints, paramKind }: ValidatingAdmissionPolicySpec): ReadonlySet<string> {
    const groups = (matchConstraints?.resourceRules ?? []).flatMap(({ apiGroups = [] }) => apiGroups);
    const ofParams = paramKind === undefined ? undefined : parseApiVersion(paramKind.apiVersion ?? '');
    return new Set(ofParams === undefined ? groups : [...groups, ofParams.group]);
  }

  /** One warning for each expression that does not fit all kinds. */
  async warnings(spec: ValidatingAdmissionPolicySpec): Promise<readonly ExpressionWarning[]> {
    const kinds = this.#kinds(spec).map((kind) => new KindCheck(kind, this.#environments));
    if (kinds.length === 0) return [];
    const warnings: ExpressionWarning[] = [];
    for (const expression of policyExpressions(spec).slice(0, MAX_EXPRESSIONS)) {
      const problems: string[] = [];
      for (const kind of kinds) {
        await nextTurn();
        const problem = kind.problem(expression);
        if (problem !== undefined) problems.push(problem);
      }
      if (problems.length === 0) continue;
      warnings.push({ fieldRef: expression.fieldRef, warning: problems.join('\n') });
      if (warnings.length === MAX_WARNINGS) break;
    }
    return warnings;
  }

  #kinds({ matchConstraints, paramKind }: ValidatingAdmissionPolicySpec): readonly CheckedKind[] {
    const params = paramKind === undefined ? undefined : this.#paramsDecl(paramKind);
    return matchedKinds(matchConstraints?.resourceRules ?? [], this.#parts.table).map((resource) => ({
      name: `${resource.apiVersion}, Kind=${resource.type.kind}`,
      object: this.#declOf(resource),
      params,
    }));
  }

  /** Parameters of a kind that is not served have any type. */
  #paramsDecl({ apiVersion, kind }: { readonly apiVersion?: string; readonly kind?: string }): DeclType {
    const served = this.#parts.table.all.find(
      (resource) => resource.apiVersion === apiVersion && resource.type.kind === kind,
    );
    return served === undefined ? dynDecl() : this.#declOf(served);
  }

  #declOf({ schema }: ServedResource): DeclType {
    const { names, includes } = this.#parts;
    return kindDecl(schema, names, { includes });
  }
}
