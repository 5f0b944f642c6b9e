import { AdmissionEnvironments } from '@orch/cel';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@orch/kinds/admissionregistration';
import type { ApiObject } from '@orch/machinery';
import { WriteVariables } from '../expressions/index.ts';
import { VersionedObjects } from '../matching/versioned-objects.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import {
  readValidatingBinding,
  readValidatingPolicy,
  type ValidatingBinding,
  type ValidatingPolicy,
} from './definitions.ts';
import { ParamAccess } from './param-access.ts';
import { PolicyMatching } from './policy-matching.ts';
import { type PolicyMatched, policyMatches, policyMetrics } from './policy-metrics.ts';
import type { PolicyParts } from './policy-parts.ts';
import { type BoundPolicy, PolicyRegistry } from './policy-registry.ts';
import { ValidationReport } from './validation-report.ts';
import { type PolicyResult, runValidations } from './validation-run.ts';

const resources = { policies: 'validatingadmissionpolicies', bindings: 'validatingadmissionpolicybindings' };

type Bound = BoundPolicy<ValidatingPolicy, ValidatingBinding>;

/** `ValidatingAdmissionPolicy`: writes must satisfy the expressions of the policies that are bound. */
export function validatingAdmissionPolicy(parts: PolicyParts): AdmissionPlugin {
  const environments = new AdmissionEnvironments();
  const registry = new PolicyRegistry<ValidatingPolicy, ValidatingBinding>(parts.source, {
    policies: `${resources.policies}.admissionregistration`,
    bindings: `${resources.bindings}.admissionregistration`,
    readPolicy: (object) => readValidatingPolicy(object as ValidatingAdmissionPolicy, environments),
    readBinding: (object) => readValidatingBinding(object as ValidatingAdmissionPolicyBinding),
  });
  const access = new ParamAccess(parts, resources);
  const reportParts = { names: parts.names, observe: policyMetrics(parts.metrics) };
  const matched = policyMatches(parts.metrics, 'validating');
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: () => true,
    handlesWrite: (target) => access.handles(target) || registry.candidates(target).length > 0,
    configuredBy: (target) => (access.handles(target) ? undefined : registry),
    async validate(write): Promise<Refusal | undefined> {
      if (access.handles(write)) return access.refusal(write);
      const report = new ValidationReport(reportParts, write);
      const validation = new WriteValidation(parts, { write, report, matched });
      for (const bound of registry.candidates(write)) await validation.check(bound);
      report.finish();
      return undefined;
    },
  };
}

/** Passes one write to policies. */
class WriteValidation {
  readonly #clock: PolicyParts['clock'];
  readonly #report: ValidationReport;
  readonly #variables: WriteVariables;
  readonly #matching: PolicyMatching;

  constructor(
    parts: PolicyParts,
    {
      write,
      report,
      matched,
    }: {
      readonly write: AdmissionAttributes;
      readonly report: ValidationReport;
      readonly matched: PolicyMatched;
    },
  ) {
    this.#clock = parts.clock;
    this.#report = report;
    this.#variables = new WriteVariables(parts, write, new VersionedObjects(write));
    this.#matching = new PolicyMatching(parts, write, matched);
  }

  /** Reports the decision of a policy. Rejects with other errors, such as the end of the request. */
  async check({ policy, bindings }: Bound): Promise<void> {
    const matching = this.#matching;
    const unusable = (why: string): void => this.#report.unusable({ policy }, why);
    const version = await matching.configured(() => matching.version(policy), unusable);
    if (version === undefined) return;
    const evaluations = new PolicyEvaluations((params) => this.#evaluate(policy, version, params));
    for (const binding of bindings) await this.#bind({ policy, binding }, evaluations);
  }

  async #bind(
    effect: { readonly policy: ValidatingPolicy; readonly binding: ValidatingBinding },
    evaluations: PolicyEvaluations,
  ): Promise<void> {
    const results = await this.#matching.configured(
      async () => {
        const found: PolicyResult[] = [];
        for (const params of await this.#matching.params(effect.policy, effect.binding))
          found.push(await evaluations.with(params));
        return found;
      },
      (why) => this.#report.unusable(effect, why),
    );
    for (const result of results ?? []) this.#report.add(effect, result);
  }

  async #evaluate(
    { program }: ValidatingPolicy,
    version: VersionedResource,
    params: ApiObject | null,
  ): Promise<PolicyResult> {
    const variables = {
      ...(await this.#variables.in(version)),
      params,
      namespaceObject: await this.#matching.namespaceObject(),
    };
    return runValidations(program, variables, { turn: this.#variables.turn, clock: this.#clock });
  }
}

/** The results of a policy for one write: bindings with the same parameters share them. */
class PolicyEvaluations {
  readonly #known = new Map<ApiObject | null, Promise<PolicyResult>>();
  readonly #evaluate: (params: ApiObject | null) => Promise<PolicyResult>;

  constructor(evaluate: (params: ApiObject | null) => Promise<PolicyResult>) {
    this.#evaluate = evaluate;
  }

  with(params: ApiObject | null): Promise<PolicyResult> {
    const known = this.#known.get(params) ?? this.#evaluate(params);
    this.#known.set(params, known);
    return known;
  }
}
