// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as meta from './meta.ts';

/** A change by fields that are merged into the object. */
export interface ApplyConfiguration {
  /** An expression whose value is an `Object`, which is merged into the object as in server-side apply. */
  expression?: string;
}

/** A change by fields that are merged into the object. */
export interface ApplyConfigurationV1alpha1 {
  /** An expression whose value is an `Object`, which is merged into the object as in server-side apply. */
  expression?: string;
}

/** A change by fields that are merged into the object. */
export interface ApplyConfigurationV1beta1 {
  /** An expression whose value is an `Object`, which is merged into the object as in server-side apply. */
  expression?: string;
}

/** An annotation of requests in the audit log. */
export interface AuditAnnotation {
  /** Second part of the key; the first is the name of the policy. */
  key: string;
  /** An expression whose value is a string, or null for no annotation. */
  valueExpression: string;
}

/** An annotation of requests in the audit log. */
export interface AuditAnnotationV1alpha1 {
  /** Second part of the key; the first is the name of the policy. */
  key: string;
  /** An expression whose value is a string, or null for no annotation. */
  valueExpression: string;
}

/** An annotation of requests in the audit log. */
export interface AuditAnnotationV1beta1 {
  /** Second part of the key; the first is the name of the policy. */
  key: string;
  /** An expression whose value is a string, or null for no annotation. */
  valueExpression: string;
}

/** A warning about one expression. */
export interface ExpressionWarning {
  /** Path of the expression. */
  fieldRef: string;
  /** Human-readable warning. */
  warning: string;
}

/** A warning about one expression. */
export interface ExpressionWarningV1alpha1 {
  /** Path of the expression. */
  fieldRef: string;
  /** Human-readable warning. */
  warning: string;
}

/** A warning about one expression. */
export interface ExpressionWarningV1beta1 {
  /** Path of the expression. */
  fieldRef: string;
  /** Human-readable warning. */
  warning: string;
}

/** A change that consists of operations. */
export interface JSONPatch {
  /** An expression whose value is a list of `JSONPatch`. */
  expression?: string;
}

/** A change that consists of operations. */
export interface JSONPatchV1alpha1 {
  /** An expression whose value is a list of `JSONPatch`. */
  expression?: string;
}

/** A change that consists of operations. */
export interface JSONPatchV1beta1 {
  /** An expression whose value is a list of `JSONPatch`. */
  expression?: string;
}

/** An expression that a request must satisfy. */
export interface MatchCondition {
  /** Name of the condition in errors and logs. */
  name: string;
  /** An expression over `object`, `oldObject`, `request` and `authorizer` that is true or false. */
  expression: string;
}

/** An expression that a request must satisfy. */
export interface MatchConditionV1alpha1 {
  /** Name of the condition in errors and logs. */
  name: string;
  /** An expression over `object`, `oldObject`, `request` and `authorizer` that is true or false. */
  expression: string;
}

/** An expression that a request must satisfy. */
export interface MatchConditionV1beta1 {
  /** Name of the condition in errors and logs. */
  name: string;
  /** An expression over `object`, `oldObject`, `request` and `authorizer` that is true or false. */
  expression: string;
}

/** Requests that a policy, or its binding, applies to. */
export interface MatchResources {
  /** Labels of the namespaces of matching objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users can set any labels, so this is not a protection. */
  objectSelector?: meta.LabelSelector;
  /** Requests that match one of these are included. */
  resourceRules?: NamedRuleWithOperations[];
  /** Requests that match one of these are excluded, regardless of the other rules. */
  excludeResourceRules?: NamedRuleWithOperations[];
  /** Exact applies rules literally; Equivalent also includes the same resource under another group or version. */
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
}

/** Requests that a policy, or its binding, applies to. */
export interface MatchResourcesV1alpha1 {
  /** Labels of the namespaces of matching objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users can set any labels, so this is not a protection. */
  objectSelector?: meta.LabelSelector;
  /** Requests that match one of these are included. */
  resourceRules?: NamedRuleWithOperationsV1alpha1[];
  /** Requests that match one of these are excluded, regardless of the other rules. */
  excludeResourceRules?: NamedRuleWithOperationsV1alpha1[];
  /** Exact applies rules literally; Equivalent also includes the same resource under another group or version. */
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
}

/** Requests that a policy, or its binding, applies to. */
export interface MatchResourcesV1beta1 {
  /** Labels of the namespaces of matching objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users can set any labels, so this is not a protection. */
  objectSelector?: meta.LabelSelector;
  /** Requests that match one of these are included. */
  resourceRules?: NamedRuleWithOperationsV1beta1[];
  /** Requests that match one of these are excluded, regardless of the other rules. */
  excludeResourceRules?: NamedRuleWithOperationsV1beta1[];
  /** Exact applies rules literally; Equivalent also includes the same resource under another group or version. */
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
}

/** Changes of objects before they are stored. A policy does nothing until it is bound. */
export type MutatingAdmissionPolicy = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: MutatingAdmissionPolicySpec;
};

/** Enforces a mutating policy, with parameters, for some of the requests that it applies to. */
export type MutatingAdmissionPolicyBinding = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: MutatingAdmissionPolicyBindingSpec;
};

/** The policy that is enforced, its parameters, and the requests. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** Name of the policy. The binding has no effect while the policy does not exist. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRef;
  /** Requests that the binding applies to, among those of the policy. All of the policy when absent. */
  matchResources?: MatchResources;
}

/** The policy that is enforced, its parameters, and the requests. */
export interface MutatingAdmissionPolicyBindingSpecV1alpha1 {
  /** Name of the policy. The binding has no effect while the policy does not exist. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1alpha1;
  /** Requests that the binding applies to, among those of the policy. All of the policy when absent. */
  matchResources?: MatchResourcesV1alpha1;
}

/** The policy that is enforced, its parameters, and the requests. */
export interface MutatingAdmissionPolicyBindingSpecV1beta1 {
  /** Name of the policy. The binding has no effect while the policy does not exist. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1beta1;
  /** Requests that the binding applies to, among those of the policy. All of the policy when absent. */
  matchResources?: MatchResourcesV1beta1;
}

/** Enforces a mutating policy, with parameters, for some of the requests that it applies to. */
export type MutatingAdmissionPolicyBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: MutatingAdmissionPolicyBindingSpecV1alpha1;
};

/** Enforces a mutating policy, with parameters, for some of the requests that it applies to. */
export type MutatingAdmissionPolicyBindingV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: MutatingAdmissionPolicyBindingSpecV1beta1;
};

/** Changes of a policy, and the requests that they apply to. */
export interface MutatingAdmissionPolicySpec {
  /** Kind of the objects with its parameters; absent when the policy has none. */
  paramKind?: ParamKind;
  /** Requests that the policy applies to. It changes no policies and bindings. */
  matchConstraints?: MatchResources;
  /** Expressions that later expressions can refer to, in their order. */
  variables?: Variable[];
  /** Changes of the object, one after the other. */
  mutations?: Mutation[];
  /** What happens to a request when the policy cannot be evaluated: Fail rejects it, Ignore continues without a change. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchCondition, 'name'>;
  /** IfNeeded evaluates the policy again when the object was changed after it; Never evaluates it once. */
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
}

/** Changes of a policy, and the requests that they apply to. */
export interface MutatingAdmissionPolicySpecV1alpha1 {
  /** Kind of the objects with its parameters; absent when the policy has none. */
  paramKind?: ParamKindV1alpha1;
  /** Requests that the policy applies to. It changes no policies and bindings. */
  matchConstraints?: MatchResourcesV1alpha1;
  /** Expressions that later expressions can refer to, in their order. */
  variables?: VariableV1alpha1[];
  /** Changes of the object, one after the other. */
  mutations?: MutationV1alpha1[];
  /** What happens to a request when the policy cannot be evaluated: Fail rejects it, Ignore continues without a change. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchConditionV1alpha1, 'name'>;
  /** IfNeeded evaluates the policy again when the object was changed after it; Never evaluates it once. */
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
}

/** Changes of a policy, and the requests that they apply to. */
export interface MutatingAdmissionPolicySpecV1beta1 {
  /** Kind of the objects with its parameters; absent when the policy has none. */
  paramKind?: ParamKindV1beta1;
  /** Requests that the policy applies to. It changes no policies and bindings. */
  matchConstraints?: MatchResourcesV1beta1;
  /** Expressions that later expressions can refer to, in their order. */
  variables?: VariableV1beta1[];
  /** Changes of the object, one after the other. */
  mutations?: MutationV1beta1[];
  /** What happens to a request when the policy cannot be evaluated: Fail rejects it, Ignore continues without a change. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchConditionV1beta1, 'name'>;
  /** IfNeeded evaluates the policy again when the object was changed after it; Never evaluates it once. */
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
}

/** Changes of objects before they are stored. A policy does nothing until it is bound. */
export type MutatingAdmissionPolicyV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: MutatingAdmissionPolicySpecV1alpha1;
};

/** Changes of objects before they are stored. A policy does nothing until it is bound. */
export type MutatingAdmissionPolicyV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: MutatingAdmissionPolicySpecV1beta1;
};

/** A webhook that may change objects before they are stored. */
export interface MutatingWebhook {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfig;
  /** Requests for which the webhook is called: those that match one of these. It is never called for webhook configurations. */
  rules?: RuleWithOperations[];
  /** What happens to a request when the webhook fails or does not respond in time: Fail rejects it, Ignore continues. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Exact applies rules literally; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
  /** Namespaces for whose objects the webhook is called, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users can set any labels, so this is not a protection. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects: string | null;
  /** Seconds within which the webhook must respond, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent. */
  admissionReviewVersions: string[] | null;
  /** IfNeeded calls the webhook again when the object was changed after its call; Never calls it once. */
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchCondition, 'name'>;
}

/** Webhooks that are called before objects are stored, and may change them. */
export type MutatingWebhookConfiguration = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The webhooks, and the requests for which they are called. */
  webhooks?: KeyedList<MutatingWebhook, 'name'>;
};

/** Webhooks that are called before objects are stored, and may change them. */
export type MutatingWebhookConfigurationV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The webhooks, and the requests for which they are called. */
  webhooks?: KeyedList<MutatingWebhookV1beta1, 'name'>;
};

/** A webhook that may change objects before they are stored. */
export interface MutatingWebhookV1beta1 {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfigV1beta1;
  /** Requests for which the webhook is called: those that match one of these. It is never called for webhook configurations. */
  rules?: RuleWithOperationsV1beta1[];
  /** What happens to a request when the webhook fails or does not respond in time: Fail rejects it, Ignore continues. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Exact applies rules literally; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
  /** Namespaces for whose objects the webhook is called, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users can set any labels, so this is not a protection. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects?: string;
  /** Seconds within which the webhook must respond, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent. */
  admissionReviewVersions?: string[];
  /** IfNeeded calls the webhook again when the object was changed after its call; Never calls it once. */
  reinvocationPolicy?: 'IfNeeded' | 'Never' | (string & {});
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchConditionV1beta1, 'name'>;
}

/** One change of an object. */
export interface Mutation {
  /** ApplyConfiguration or JSONPatch. */
  patchType: 'ApplyConfiguration' | 'JSONPatch' | (string & {});
  /** The change, if its type is ApplyConfiguration. */
  applyConfiguration?: ApplyConfiguration;
  /** The change, if its type is JSONPatch. */
  jsonPatch?: JSONPatch;
}

/** One change of an object. */
export interface MutationV1alpha1 {
  /** ApplyConfiguration or JSONPatch. */
  patchType: 'ApplyConfiguration' | 'JSONPatch' | (string & {});
  /** The change, if its type is ApplyConfiguration. */
  applyConfiguration?: ApplyConfigurationV1alpha1;
  /** The change, if its type is JSONPatch. */
  jsonPatch?: JSONPatchV1alpha1;
}

/** One change of an object. */
export interface MutationV1beta1 {
  /** ApplyConfiguration or JSONPatch. */
  patchType: 'ApplyConfiguration' | 'JSONPatch' | (string & {});
  /** The change, if its type is ApplyConfiguration. */
  applyConfiguration?: ApplyConfigurationV1beta1;
  /** The change, if its type is JSONPatch. */
  jsonPatch?: JSONPatchV1beta1;
}

/** Operations and resources, optionally by name, that a policy applies to. */
export interface NamedRuleWithOperations {
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {}))[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: '*' | 'Cluster' | 'Namespaced' | (string & {});
}

/** Operations and resources, optionally by name, that a policy applies to. */
export interface NamedRuleWithOperationsV1alpha1 {
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {}))[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: '*' | 'Cluster' | 'Namespaced' | (string & {});
}

/** Operations and resources, optionally by name, that a policy applies to. */
export interface NamedRuleWithOperationsV1beta1 {
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {}))[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: '*' | 'Cluster' | 'Namespaced' | (string & {});
}

/** Kind of the objects with the parameters of a policy. */
export interface ParamKind {
  /** Group and version of the kind. */
  apiVersion?: string;
  /** Name of the kind. */
  kind?: string;
}

/** Kind of the objects with the parameters of a policy. */
export interface ParamKindV1alpha1 {
  /** Group and version of the kind. */
  apiVersion?: string;
  /** Name of the kind. */
  kind?: string;
}

/** Kind of the objects with the parameters of a policy. */
export interface ParamKindV1beta1 {
  /** Group and version of the kind. */
  apiVersion?: string;
  /** Name of the kind. */
  kind?: string;
}

/** Selects the objects with the parameters. */
export interface ParamRef {
  /** Name of the object. */
  name?: string;
  /** Namespace of the objects. When it is empty, that of the object of the request. Must be empty for cluster-scoped kinds. */
  namespace?: string;
  /** Labels of the objects, instead of a name. The request must satisfy the policy with each of them. */
  selector?: meta.LabelSelector;
  /** What happens to a request when there is no such object: Allow skips the binding, Deny counts as a failure of the policy. */
  parameterNotFoundAction?: 'Allow' | 'Deny' | (string & {});
}

/** Selects the objects with the parameters. */
export interface ParamRefV1alpha1 {
  /** Name of the object. */
  name?: string;
  /** Namespace of the objects. When it is empty, that of the object of the request. Must be empty for cluster-scoped kinds. */
  namespace?: string;
  /** Labels of the objects, instead of a name. The request must satisfy the policy with each of them. */
  selector?: meta.LabelSelector;
  /** What happens to a request when there is no such object: Allow skips the binding, Deny counts as a failure of the policy. */
  parameterNotFoundAction?: 'Allow' | 'Deny' | (string & {});
}

/** Selects the objects with the parameters. */
export interface ParamRefV1beta1 {
  /** Name of the object. */
  name?: string;
  /** Namespace of the objects. When it is empty, that of the object of the request. Must be empty for cluster-scoped kinds. */
  namespace?: string;
  /** Labels of the objects, instead of a name. The request must satisfy the policy with each of them. */
  selector?: meta.LabelSelector;
  /** What happens to a request when there is no such object: Allow skips the binding, Deny counts as a failure of the policy. */
  parameterNotFoundAction?: 'Allow' | 'Deny' | (string & {});
}

/** Operations and resources of matching requests. */
export interface RuleWithOperations {
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {}))[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: '*' | 'Cluster' | 'Namespaced' | (string & {});
}

/** Operations and resources of matching requests. */
export interface RuleWithOperationsV1beta1 {
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {}))[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: '*' | 'Cluster' | 'Namespaced' | (string & {});
}

/** Names a port of a service. */
export interface ServiceReference {
  /** Namespace of the service. */
  namespace: string;
  /** Name of the service. */
  name: string;
  /** Path of the requests. */
  path?: string;
  /** Port of the service. */
  port?: number;
}

/** Names a port of a service. */
export interface ServiceReferenceV1beta1 {
  /** Namespace of the service. */
  namespace: string;
  /** Name of the service. */
  name: string;
  /** Path of the requests. */
  path?: string;
  /** Port of the service. */
  port?: number;
}

/** Result of the type check of the expressions of a policy. */
export interface TypeChecking {
  /** Expressions that do not fit the types of the resources. */
  expressionWarnings?: ExpressionWarning[];
}

/** Result of the type check of the expressions of a policy. */
export interface TypeCheckingV1alpha1 {
  /** Expressions that do not fit the types of the resources. */
  expressionWarnings?: ExpressionWarningV1alpha1[];
}

/** Result of the type check of the expressions of a policy. */
export interface TypeCheckingV1beta1 {
  /** Expressions that do not fit the types of the resources. */
  expressionWarnings?: ExpressionWarningV1beta1[];
}

/** Expressions that requests must satisfy. A policy does nothing until it is bound. */
export type ValidatingAdmissionPolicy = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ValidatingAdmissionPolicySpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ValidatingAdmissionPolicyStatus;
};

/** Enforces a policy, with parameters, for some of the requests that it applies to. */
export type ValidatingAdmissionPolicyBinding = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ValidatingAdmissionPolicyBindingSpec;
};

/** The policy that is enforced, its parameters, and the requests. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** Name of the policy. The binding has no effect while the policy does not exist. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRef;
  /** Requests that the binding applies to, among those of the policy. All of the policy when absent. */
  matchResources?: MatchResources;
  /** Actions for requests that do not satisfy the policy: Deny, Warn or Audit. Deny when empty. */
  validationActions?: ('Audit' | 'Deny' | 'Warn' | (string & {}))[];
}

/** The policy that is enforced, its parameters, and the requests. */
export interface ValidatingAdmissionPolicyBindingSpecV1alpha1 {
  /** Name of the policy. The binding has no effect while the policy does not exist. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1alpha1;
  /** Requests that the binding applies to, among those of the policy. All of the policy when absent. */
  matchResources?: MatchResourcesV1alpha1;
  /** Actions for requests that do not satisfy the policy: Deny, Warn or Audit. Deny when empty. */
  validationActions?: ('Audit' | 'Deny' | 'Warn' | (string & {}))[];
}

/** The policy that is enforced, its parameters, and the requests. */
export interface ValidatingAdmissionPolicyBindingSpecV1beta1 {
  /** Name of the policy. The binding has no effect while the policy does not exist. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1beta1;
  /** Requests that the binding applies to, among those of the policy. All of the policy when absent. */
  matchResources?: MatchResourcesV1beta1;
  /** Actions for requests that do not satisfy the policy: Deny, Warn or Audit. Deny when empty. */
  validationActions?: ('Audit' | 'Deny' | 'Warn' | (string & {}))[];
}

/** Enforces a policy, with parameters, for some of the requests that it applies to. */
export type ValidatingAdmissionPolicyBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ValidatingAdmissionPolicyBindingSpecV1alpha1;
};

/** Enforces a policy, with parameters, for some of the requests that it applies to. */
export type ValidatingAdmissionPolicyBindingV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ValidatingAdmissionPolicyBindingSpecV1beta1;
};

/** Requirements of a policy, and the requests that they apply to. */
export interface ValidatingAdmissionPolicySpec {
  /** Kind of the objects with its parameters; absent when the policy has none. */
  paramKind?: ParamKind;
  /** Requests that the policy applies to; the types of their resources must be known. */
  matchConstraints?: MatchResources;
  /** Expressions that must all hold. */
  validations?: Validation[];
  /** What happens to a request when an expression cannot be evaluated: Fail rejects it, Ignore continues. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Annotations of the requests in the audit log. */
  auditAnnotations?: AuditAnnotation[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchCondition, 'name'>;
  /** Expressions that later expressions can refer to, in their order. */
  variables?: KeyedList<Variable, 'name'>;
}

/** Requirements of a policy, and the requests that they apply to. */
export interface ValidatingAdmissionPolicySpecV1alpha1 {
  /** Kind of the objects with its parameters; absent when the policy has none. */
  paramKind?: ParamKindV1alpha1;
  /** Requests that the policy applies to; the types of their resources must be known. */
  matchConstraints: MatchResourcesV1alpha1;
  /** Expressions that must all hold. */
  validations?: ValidationV1alpha1[];
  /** What happens to a request when an expression cannot be evaluated: Fail rejects it, Ignore continues. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Annotations of the requests in the audit log. */
  auditAnnotations?: AuditAnnotationV1alpha1[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchConditionV1alpha1, 'name'>;
  /** Expressions that later expressions can refer to, in their order. */
  variables?: KeyedList<VariableV1alpha1, 'name'>;
}

/** Requirements of a policy, and the requests that they apply to. */
export interface ValidatingAdmissionPolicySpecV1beta1 {
  /** Kind of the objects with its parameters; absent when the policy has none. */
  paramKind?: ParamKindV1beta1;
  /** Requests that the policy applies to; the types of their resources must be known. */
  matchConstraints?: MatchResourcesV1beta1;
  /** Expressions that must all hold. */
  validations?: ValidationV1beta1[];
  /** What happens to a request when an expression cannot be evaluated: Fail rejects it, Ignore continues. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Annotations of the requests in the audit log. */
  auditAnnotations?: AuditAnnotationV1beta1[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchConditionV1beta1, 'name'>;
  /** Expressions that later expressions can refer to, in their order. */
  variables?: KeyedList<VariableV1beta1, 'name'>;
}

/** Observed state of a policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** Generation of the policy that was observed. */
  observedGeneration?: Int64;
  /** Result of the type check; present when it was done. */
  typeChecking?: TypeChecking;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Observed state of a policy. */
export interface ValidatingAdmissionPolicyStatusV1alpha1 {
  /** Generation of the policy that was observed. */
  observedGeneration?: Int64;
  /** Result of the type check; present when it was done. */
  typeChecking?: TypeCheckingV1alpha1;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Observed state of a policy. */
export interface ValidatingAdmissionPolicyStatusV1beta1 {
  /** Generation of the policy that was observed. */
  observedGeneration?: Int64;
  /** Result of the type check; present when it was done. */
  typeChecking?: TypeCheckingV1beta1;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Expressions that requests must satisfy. A policy does nothing until it is bound. */
export type ValidatingAdmissionPolicyV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ValidatingAdmissionPolicySpecV1alpha1;
  /** Most recently observed state of the object; written by the system. */
  status?: ValidatingAdmissionPolicyStatusV1alpha1;
};

/** Expressions that requests must satisfy. A policy does nothing until it is bound. */
export type ValidatingAdmissionPolicyV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ValidatingAdmissionPolicySpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: ValidatingAdmissionPolicyStatusV1beta1;
};

/** A webhook that may refuse requests, and changes nothing. */
export interface ValidatingWebhook {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfig;
  /** Requests for which the webhook is called: those that match one of these. It is never called for webhook configurations. */
  rules?: RuleWithOperations[];
  /** What happens to a request when the webhook fails or does not respond in time: Fail rejects it, Ignore continues. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Exact applies rules literally; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
  /** Namespaces for whose objects the webhook is called, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users can set any labels, so this is not a protection. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects: string | null;
  /** Seconds within which the webhook must respond, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent. */
  admissionReviewVersions: string[] | null;
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchCondition, 'name'>;
}

/** Webhooks that are called before objects are stored, and may refuse them. */
export type ValidatingWebhookConfiguration = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The webhooks, and the requests for which they are called. */
  webhooks?: KeyedList<ValidatingWebhook, 'name'>;
};

/** Webhooks that are called before objects are stored, and may refuse them. */
export type ValidatingWebhookConfigurationV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The webhooks, and the requests for which they are called. */
  webhooks?: KeyedList<ValidatingWebhookV1beta1, 'name'>;
};

/** A webhook that may refuse requests, and changes nothing. */
export interface ValidatingWebhookV1beta1 {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfigV1beta1;
  /** Requests for which the webhook is called: those that match one of these. It is never called for webhook configurations. */
  rules?: RuleWithOperationsV1beta1[];
  /** What happens to a request when the webhook fails or does not respond in time: Fail rejects it, Ignore continues. */
  failurePolicy?: 'Fail' | 'Ignore' | (string & {});
  /** Exact applies rules literally; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: 'Equivalent' | 'Exact' | (string & {});
  /** Namespaces for whose objects the webhook is called, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users can set any labels, so this is not a protection. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects?: string;
  /** Seconds within which the webhook must respond, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent. */
  admissionReviewVersions?: string[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: KeyedList<MatchConditionV1beta1, 'name'>;
}

/** An expression that requests must satisfy, and the error of requests that do not. */
export interface Validation {
  /** An expression over `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`; a request for which it is false is refused. */
  expression: string;
  /** The message for clients; required when the expression has several lines. */
  message?: string;
  /** Reason in the response: Forbidden, Invalid or RequestEntityTooLarge. Invalid when absent. */
  reason?: 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | (string & {});
  /** An expression whose value is returned to clients instead of the message. */
  messageExpression?: string;
}

/** An expression that requests must satisfy, and the error of requests that do not. */
export interface ValidationV1alpha1 {
  /** An expression over `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`; a request for which it is false is refused. */
  expression: string;
  /** The message for clients; required when the expression has several lines. */
  message?: string;
  /** Reason in the response: Forbidden, Invalid or RequestEntityTooLarge. Invalid when absent. */
  reason?: 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | (string & {});
  /** An expression whose value is returned to clients instead of the message. */
  messageExpression?: string;
}

/** An expression that requests must satisfy, and the error of requests that do not. */
export interface ValidationV1beta1 {
  /** An expression over `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`; a request for which it is false is refused. */
  expression: string;
  /** The message for clients; required when the expression has several lines. */
  message?: string;
  /** Reason in the response: Forbidden, Invalid or RequestEntityTooLarge. Invalid when absent. */
  reason?: 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | (string & {});
  /** An expression whose value is returned to clients instead of the message. */
  messageExpression?: string;
}

/** An expression that others can refer to by a name. It is evaluated when it is first used. */
export interface Variable {
  /** Name of the variable: expressions after it read it as `variables.name`. */
  name: string;
  /** An expression over the variables of the other expressions, and over the variables before this one. */
  expression: string;
}

/** An expression that others can refer to by a name. It is evaluated when it is first used. */
export interface VariableV1alpha1 {
  /** Name of the variable: expressions after it read it as `variables.name`. */
  name: string;
  /** An expression over the variables of the other expressions, and over the variables before this one. */
  expression: string;
}

/** An expression that others can refer to by a name. It is evaluated when it is first used. */
export interface VariableV1beta1 {
  /** Name of the variable: expressions after it read it as `variables.name`. */
  name: string;
  /** An expression over the variables of the other expressions, and over the variables before this one. */
  expression: string;
}

/** How to reach a webhook: either by URL or by service. */
export interface WebhookClientConfig {
  /** Where the webhook listens, `https://host/path`. For one in the cluster use service. */
  url?: string;
  /** Service of the cluster behind which the webhook is. */
  service?: ServiceReference;
  /** Certificates in PEM that verify the certificate of the webhook; those of the system when absent. */
  caBundle?: string;
}

/** How to reach a webhook: either by URL or by service. */
export interface WebhookClientConfigV1beta1 {
  /** Where the webhook listens, `https://host/path`. For one in the cluster use service. */
  url?: string;
  /** Service of the cluster behind which the webhook is. */
  service?: ServiceReferenceV1beta1;
  /** Certificates in PEM that verify the certificate of the webhook; those of the system when absent. */
  caBundle?: string;
}
