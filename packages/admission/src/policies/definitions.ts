import type { AdmissionEnvironments } from '@orch/cel';
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@orch/kinds/admissionregistration';
import { type LabelSelector, labelSelectorFromObject } from '@orch/machinery/selectors';
import { RequestMatcher } from '../matching/request-matcher.ts';
import { MutationProgram } from './mutation-program.ts';
import { ValidationProgram } from './validation-program.ts';

/** The common fields of policies of both kinds. */
export interface PolicyDefinition {
  readonly name: string;
  readonly matcher: RequestMatcher;
  readonly paramKind: ParamKind | undefined;
  /** Errors of the policy refuse a write. */
  readonly isFailClosed: boolean;
}

/** The common fields of bindings of both kinds. */
export interface BindingDefinition {
  readonly name: string;
  readonly policyName: string;
  /** Undefined when the binding adds no conditions to those of the policy. */
  readonly matcher: RequestMatcher | undefined;
  readonly params: ParamSelection | undefined;
}

/** The parameter objects that a binding selects. */
export interface ParamSelection {
  readonly namespace: string;
  /** A name, or the labels that select the objects. */
  readonly select: string | LabelSelector;
  /** A missing object is an error. */
  readonly isRequired: boolean;
}

export interface ValidatingPolicy extends PolicyDefinition {
  readonly program: ValidationProgram;
}

export interface MutatingPolicy extends PolicyDefinition {
  readonly program: MutationProgram;
  /** Evaluated again when later plugins changed the object. */
  readonly isReinvoked: boolean;
}

export interface ValidatingBinding extends BindingDefinition {
  readonly actions: ReadonlySet<string>;
}

export function readValidatingPolicy(
  policy: ValidatingAdmissionPolicy,
  environments: AdmissionEnvironments,
): ValidatingPolicy {
  const { metadata, spec = {} } = policy;
  return { ...policyOf(metadata.name, spec), program: new ValidationProgram(spec, environments) };
}

export function readMutatingPolicy(
  { metadata, spec = {} }: MutatingAdmissionPolicy,
  environments: AdmissionEnvironments,
): MutatingPolicy {
  return {
    ...policyOf(metadata.name, spec),
    program: new MutationProgram(spec, environments),
    isReinvoked: spec.reinvocationPolicy === 'IfNeeded',
  };
}

export function readValidatingBinding({
  metadata,
  spec = {},
}: ValidatingAdmissionPolicyBinding): ValidatingBinding {
  // Bindings of the first version have no actions; they refuse violations.
  const { validationActions = [] } = spec;
  const actions = new Set(validationActions.length === 0 ? ['Deny'] : validationActions);
  return { ...bindingOf(metadata.name, spec), actions };
}

interface PolicySpec {
  readonly matchConstraints?: MatchResources;
  readonly paramKind?: ParamKind;
  readonly failurePolicy?: string;
}

/** Throws `SelectorError` for selectors that validation should have refused. */
const policyOf = (
  name = '',
  { matchConstraints = {}, paramKind, failurePolicy }: PolicySpec,
): PolicyDefinition => ({
  name,
  matcher: matcherOf(matchConstraints, matchConstraints.resourceRules ?? []),
  paramKind,
  isFailClosed: failurePolicy !== 'Ignore',
});

interface BindingSpec {
  readonly policyName?: string;
  readonly matchResources?: MatchResources;
  readonly paramRef?: ParamRef;
}

/** The common fields of the bindings of the two kinds. Throws `SelectorError` as `policyOf` does. */
export function bindingOf(
  name = '',
  { policyName = '', matchResources, paramRef }: BindingSpec,
): BindingDefinition {
  const rules = matchResources?.resourceRules ?? [];
  return {
    name,
    policyName,
    matcher:
      matchResources === undefined
        ? undefined
        : matcherOf(matchResources, rules.length === 0 ? undefined : rules),
    params: paramRef === undefined ? undefined : paramsOf(paramRef),
  };
}

const paramsOf = ({
  name = '',
  namespace = '',
  selector,
  parameterNotFoundAction,
}: ParamRef): ParamSelection => ({
  namespace,
  select: name === '' ? labelSelectorFromObject(selector ?? {}) : name,
  isRequired: parameterNotFoundAction === 'Deny',
});

const matcherOf = (
  { excludeResourceRules = [], matchPolicy, namespaceSelector, objectSelector }: MatchResources,
  rules: MatchResources['resourceRules'],
): RequestMatcher =>
  new RequestMatcher({
    rules,
    excludeRules: excludeResourceRules,
    matchPolicy: matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceSelector: namespaceSelector,
    objectSelector: objectSelector,
  });
