import {
  type Attributes,
  type ExplainedDecision,
  type ExplainedGrant,
  explainedBy,
  type PolicyRule,
  type ResourceAttributes,
} from '@orch/auth';
import { type Asker, type AskerParts, subjectText } from '../answer/asker.ts';
import type { Cause } from '../answer/cause.ts';

/** Maximum number of rules in an explanation. */
const MAX_RULES = 20;

export interface AccessAnswer {
  readonly allowed: boolean;
  readonly causes: readonly Cause[];
}

/** The causes why an operation is allowed or refused: the decision of each authorizer, and the rules behind it. */
export async function accessCauses(
  asker: Asker,
  parts: AskerParts,
  attributes: Attributes,
): Promise<AccessAnswer> {
  const explained = await explainedBy(parts.authorizer, attributes, asker);
  const allowed = explained.some(({ decision }) => decision.verdict === 'allow');
  const causes: Cause[] = [];
  for (const one of explained)
    causes.push(authorizerCause(one), ...(await grantCauses(asker, parts, one, attributes)));
  if (!allowed) causes.push(await missingPermission(asker, parts, attributes));
  return { allowed, causes };
}

const types = { allow: 'Allowed', deny: 'Denied', noOpinion: 'NoOpinion' } as const;
const verdicts = { allow: 'allows it', deny: 'refuses it', noOpinion: 'has no opinion on it' } as const;

function authorizerCause({ authorizer, decision: { verdict, reason }, grants }: ExplainedDecision): Cause {
  const title = authorizer === '' ? 'an authorizer' : `the authorizer ${authorizer}`;
  // The reason of a decision by rules names roles and bindings; the causes of the rules follow.
  const why = reason === '' || grants.length > 0 ? '' : `: ${reason}`;
  return { type: types[verdict], message: `${title} ${verdicts[verdict]}${why}` };
}

async function grantCauses(
  asker: Asker,
  parts: AskerParts,
  { grants, decision }: ExplainedDecision,
  attributes: Attributes,
): Promise<readonly Cause[]> {
  const shown = grants.filter(({ relation }) =>
    decision.verdict === 'allow' ? relation === 'allows' : relation !== 'unrelated',
  );
  const causes = await Promise.all(
    shown.slice(0, MAX_RULES).map((grant) => grantCause(asker, parts, grant, attributes)),
  );
  const rest = grants.length - causes.length;
  if (rest === 0 || decision.verdict === 'allow') return causes;
  return [...causes, { type: 'OtherRules', message: `${rest} more roles of the user do not allow it` }];
}

async function grantCause(
  asker: Asker,
  { names }: AskerParts,
  { binding, role, subject, relation, rules }: ExplainedGrant,
  attributes: Attributes,
): Promise<Cause> {
  const group = names.group('rbac');
  const place = (kind: 'role' | 'rolebinding', { namespace, name }: ExplainedGrant['role']) =>
    ({ group, resource: namespace === '' ? `cluster${kind}s` : `${kind}s`, namespace, name }) as const;
  const roleAt = place('role', role);
  const bindingAt = place('rolebinding', binding);
  const maySee = (at: typeof roleAt): Promise<boolean> => asker.may({ ...at, verb: 'get' });
  const isRoleVisible = await maySee(roleAt);
  const isVisible = await maySee(bindingAt);
  const roleText = isRoleVisible ? titleOf(roleAt) : 'a role that you may not read';
  const granted = isVisible
    ? `granted to ${subjectText(subject)} by ${titleOf(bindingAt)}`
    : 'granted by a binding that you may not read';
  const where = isVisible ? { where: bindingAt } : {};
  if (relation === 'missing')
    return {
      type: 'MissingRole',
      message: `the role of a binding does not exist: ${roleText}, ${granted}`,
      ...where,
    };
  // Users may list the rules that apply to them, but not those of others.
  if (!isRoleVisible && attributes.user !== asker.user)
    return {
      type: 'Rule',
      message: `${roleText}, ${granted}, ${relation === 'allows' ? 'allows it' : 'is about it'}`,
      ...where,
    };
  const does = relation === 'allows' ? 'allows' : 'allows only';
  return {
    type: 'Rule',
    message: `${roleText}, ${granted}, ${does} ${rules.map((rule) => ruleText(rule, attributes)).join('; ')}`,
    ...where,
  };
}

const titleOf = ({
  resource,
  namespace,
  name,
}: {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}): string => `${resource}/${name}${namespace === '' ? '' : ` in ${namespace}`}`;

function ruleText(
  { verbs, resources, resourceNames, nonResourceURLs }: PolicyRule,
  { isResource }: Attributes,
): string {
  const named = resourceNames.length === 0 ? '' : ` named ${resourceNames.join(', ')}`;
  return `${verbs.join(', ')} of ${(isResource ? resources : nonResourceURLs).join(', ')}${named}`;
}

/** The subjects that may grant the missing permission. */
async function missingPermission(
  asker: Asker,
  { names }: AskerParts,
  attributes: Attributes,
): Promise<Cause> {
  const namespace = attributes.isResource ? attributes.namespace : '';
  const resolvedBy = await asker.resolution('binding a role that allows it', {
    verb: 'create',
    group: names.group('rbac'),
    resource: namespace === '' ? 'clusterrolebindings' : 'rolebindings',
    namespace,
    name: '',
  });
  return {
    type: 'MissingPermission',
    message: `nothing allows ${JSON.stringify(attributes.user.name)} to ${operationText(attributes)}`,
    resolvedBy,
  };
}

const operationText = (attributes: Attributes): string =>
  attributes.isResource ? resourceText(attributes) : `${attributes.verb} ${attributes.path}`;

function resourceText({ verb, group, resource, subresource, namespace, name }: ResourceAttributes): string {
  const type = group === '' ? resource : `${resource}.${group}`;
  const what = subresource === '' ? type : `${type}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${verb} ${what}${name === '' ? '' : ` ${JSON.stringify(name)}`} ${where}`;
}
