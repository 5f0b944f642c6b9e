import { asObject, asObjects, asStrings, asText, type JsonObject, specOf } from '@orch/machinery/json';
import type { Exposition } from '../health/exposition.ts';
import { ruleText, sum } from './webhooks.ts';

/** An admission policy, and the writes that it has matched since the start of the replica that answers. */
export interface PolicyState {
  /** `ValidatingAdmissionPolicy` or `MutatingAdmissionPolicy`. */
  readonly kind: string;
  readonly name: string;
  /** The operations and resources that the policy constrains. */
  readonly rules: readonly string[];
  /** The bindings that apply it, with their actions; without one it does nothing. */
  readonly bindings: readonly string[];
  /** Writes that the policy and a binding match. One that two bindings match counts twice. */
  readonly matched: number;
  readonly refused: number;
  /** Writes that were answered with a warning. */
  readonly warned: number;
  /** Writes whose violation was only recorded in the audit log. */
  readonly audited: number;
}

const MATCHES = 'apiserver_admission_policy_matches_total';
const VIOLATIONS = 'apiserver_validating_admission_policy_check_total';

/** The value of the label `type` of matches. */
const typeOf = (kind: string): string => (kind === 'ValidatingAdmissionPolicy' ? 'validating' : 'mutating');

/** The names of the metrics that `policiesOf` reads. */
export const policySeries: readonly string[] = [MATCHES, VIOLATIONS];

/** Returns the policies of one kind with their bindings and counts. */
export function policiesOf(
  kind: string,
  {
    policies,
    bindings,
  }: { readonly policies: readonly JsonObject[]; readonly bindings: readonly JsonObject[] },
  metrics: Exposition,
): readonly PolicyState[] {
  const byPolicy = Map.groupBy(bindings, (binding) => asText(specOf(binding)['policyName']));
  // Mutating policies refuse nothing.
  const violations = kind === 'ValidatingAdmissionPolicy' ? (metrics.get(VIOLATIONS) ?? []) : [];
  const matches = (metrics.get(MATCHES) ?? []).filter(({ labels }) => labels['type'] === typeOf(kind));
  return policies.map((policy) => {
    const name = nameOf(policy);
    const count = (action: string): number =>
      sum(
        violations.filter(
          ({ labels }) => labels['policy'] === name && labels['enforcement_action'] === action,
        ),
      );
    return {
      ...{ kind, name },
      rules: asObjects(asObject(specOf(policy)['matchConstraints'])['resourceRules']).map(ruleText),
      bindings: (byPolicy.get(name) ?? []).map(bindingText),
      matched: sum(matches.filter(({ labels }) => labels['policy'] === name)),
      ...{ refused: count('deny'), warned: count('warn'), audited: count('audit') },
    };
  });
}

const nameOf = (object: JsonObject): string => asText(asObject(object['metadata'])['name']);

function bindingText(binding: JsonObject): string {
  const actions = asStrings(specOf(binding)['validationActions']);
  return `${nameOf(binding)}${actions.length === 0 ? '' : ` (${actions.join(', ')})`}`;
}
