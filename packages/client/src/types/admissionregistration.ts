// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

/** A change that states the fields that the object gets. */
export interface ApplyConfiguration {
  /** An expression whose value is an `Object`, which is merged into the object as in server-side apply. */
  expression?: string;
}

/** A change that states the fields that the object gets. */
export interface ApplyConfigurationV1alpha1 {
  /** An expression whose value is an `Object`, which is merged into the object as in server-side apply. */
  expression?: string;
}

/** A change that states the fields that the object gets. */
export interface ApplyConfigurationV1beta1 {
  /** An expression whose value is an `Object`, which is merged into the object as in server-side apply. */
  expression?: string;
}

/** An annotation that requests get in the audit log. */
export interface AuditAnnotation {
  /** Second part of the key; the first is the name of the policy. */
  key: string;
  /** An expression whose value is a string, or null for no annotation. */
  valueExpression: string;
}

/** An annotation that requests get in the audit log. */
export interface AuditAnnotationV1alpha1 {
  /** Second part of the key; the first is the name of the policy. */
  key: string;
  /** An expression whose value is a string, or null for no annotation. */
  valueExpression: string;
}

/** An annotation that requests get in the audit log. */
export interface AuditAnnotationV1beta1 {
  /** Second part of the key; the first is the name of the policy. */
  key: string;
  /** An expression whose value is a string, or null for no annotation. */
  valueExpression: string;
}

/** What is odd about one expression. */
export interface ExpressionWarning {
  /** Path of the expression. */
  fieldRef: string;
  /** What is odd, for people. */
  warning: string;
}

/** What is odd about one expression. */
export interface ExpressionWarningV1alpha1 {
  /** Path of the expression. */
  fieldRef: string;
  /** What is odd, for people. */
  warning: string;
}

/** What is odd about one expression. */
export interface ExpressionWarningV1beta1 {
  /** Path of the expression. */
  fieldRef: string;
  /** What is odd, for people. */
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
  /** What the condition is called in errors and logs. */
  name: string;
  /** An expression over `object`, `oldObject`, `request` and `authorizer` that is true or false. */
  expression: string;
}

/** An expression that a request must satisfy. */
export interface MatchConditionV1alpha1 {
  /** What the condition is called in errors and logs. */
  name: string;
  /** An expression over `object`, `oldObject`, `request` and `authorizer` that is true or false. */
  expression: string;
}

/** An expression that a request must satisfy. */
export interface MatchConditionV1beta1 {
  /** What the condition is called in errors and logs. */
  name: string;
  /** An expression over `object`, `oldObject`, `request` and `authorizer` that is true or false. */
  expression: string;
}

/** Which requests a policy, or its binding, is about. */
export interface MatchResources {
  /** Labels of the namespaces whose objects are meant. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users set labels as they like, so this protects nothing. */
  objectSelector?: meta.LabelSelector;
  /** Requests that match one of these are meant. */
  resourceRules?: NamedRuleWithOperations[];
  /** Requests that match one of these are not meant, whatever the other rules say. */
  excludeResourceRules?: NamedRuleWithOperations[];
  /** Exact takes rules by the letter; Equivalent also means the same resource under another group or version. */
  matchPolicy?: string;
}

/** Which requests a policy, or its binding, is about. */
export interface MatchResourcesV1alpha1 {
  /** Labels of the namespaces whose objects are meant. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users set labels as they like, so this protects nothing. */
  objectSelector?: meta.LabelSelector;
  /** Requests that match one of these are meant. */
  resourceRules?: NamedRuleWithOperationsV1alpha1[];
  /** Requests that match one of these are not meant, whatever the other rules say. */
  excludeResourceRules?: NamedRuleWithOperationsV1alpha1[];
  /** Exact takes rules by the letter; Equivalent also means the same resource under another group or version. */
  matchPolicy?: string;
}

/** Which requests a policy, or its binding, is about. */
export interface MatchResourcesV1beta1 {
  /** Labels of the namespaces whose objects are meant. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users set labels as they like, so this protects nothing. */
  objectSelector?: meta.LabelSelector;
  /** Requests that match one of these are meant. */
  resourceRules?: NamedRuleWithOperationsV1beta1[];
  /** Requests that match one of these are not meant, whatever the other rules say. */
  excludeResourceRules?: NamedRuleWithOperationsV1beta1[];
  /** Exact takes rules by the letter; Equivalent also means the same resource under another group or version. */
  matchPolicy?: string;
}

/** Changes of objects before they are stored. A policy does nothing until it is bound. */
export type MutatingAdmissionPolicy = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: MutatingAdmissionPolicySpec;
};

/** Puts a mutating policy to use, with parameters, for some of the requests that it is about. */
export type MutatingAdmissionPolicyBinding = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: MutatingAdmissionPolicyBindingSpec;
};

/** Which policy is put to use, with which parameters, and for what. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** Name of the policy. While there is none of that name the binding does nothing. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRef;
  /** Requests that the binding is about; they must be about the policy too. All of the policy when absent. */
  matchResources?: MatchResources;
}

/** Which policy is put to use, with which parameters, and for what. */
export interface MutatingAdmissionPolicyBindingSpecV1alpha1 {
  /** Name of the policy. While there is none of that name the binding does nothing. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1alpha1;
  /** Requests that the binding is about; they must be about the policy too. All of the policy when absent. */
  matchResources?: MatchResourcesV1alpha1;
}

/** Which policy is put to use, with which parameters, and for what. */
export interface MutatingAdmissionPolicyBindingSpecV1beta1 {
  /** Name of the policy. While there is none of that name the binding does nothing. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1beta1;
  /** Requests that the binding is about; they must be about the policy too. All of the policy when absent. */
  matchResources?: MatchResourcesV1beta1;
}

/** Puts a mutating policy to use, with parameters, for some of the requests that it is about. */
export type MutatingAdmissionPolicyBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: MutatingAdmissionPolicyBindingSpecV1alpha1;
};

/** Puts a mutating policy to use, with parameters, for some of the requests that it is about. */
export type MutatingAdmissionPolicyBindingV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: MutatingAdmissionPolicyBindingSpecV1beta1;
};

/** What a policy changes in which requests. */
export interface MutatingAdmissionPolicySpec {
  /** Kind of the objects that hold its parameters; none when the policy takes none. */
  paramKind?: ParamKind;
  /** Requests that the policy is about. It changes no policies and bindings. */
  matchConstraints?: MatchResources;
  /** Expressions that others can refer to, in the order in which they can. */
  variables?: Variable[];
  /** Changes of the object, one after the other. */
  mutations?: Mutation[];
  /** What becomes of a request when the policy cannot be evaluated: Fail refuses it, Ignore lets it go on unchanged. */
  failurePolicy?: string;
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchCondition[];
  /** IfNeeded evaluates the policy again when something changed the object after it; Never evaluates it once. */
  reinvocationPolicy?: string;
}

/** What a policy changes in which requests. */
export interface MutatingAdmissionPolicySpecV1alpha1 {
  /** Kind of the objects that hold its parameters; none when the policy takes none. */
  paramKind?: ParamKindV1alpha1;
  /** Requests that the policy is about. It changes no policies and bindings. */
  matchConstraints?: MatchResourcesV1alpha1;
  /** Expressions that others can refer to, in the order in which they can. */
  variables?: VariableV1alpha1[];
  /** Changes of the object, one after the other. */
  mutations?: MutationV1alpha1[];
  /** What becomes of a request when the policy cannot be evaluated: Fail refuses it, Ignore lets it go on unchanged. */
  failurePolicy?: string;
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchConditionV1alpha1[];
  /** IfNeeded evaluates the policy again when something changed the object after it; Never evaluates it once. */
  reinvocationPolicy?: string;
}

/** What a policy changes in which requests. */
export interface MutatingAdmissionPolicySpecV1beta1 {
  /** Kind of the objects that hold its parameters; none when the policy takes none. */
  paramKind?: ParamKindV1beta1;
  /** Requests that the policy is about. It changes no policies and bindings. */
  matchConstraints?: MatchResourcesV1beta1;
  /** Expressions that others can refer to, in the order in which they can. */
  variables?: VariableV1beta1[];
  /** Changes of the object, one after the other. */
  mutations?: MutationV1beta1[];
  /** What becomes of a request when the policy cannot be evaluated: Fail refuses it, Ignore lets it go on unchanged. */
  failurePolicy?: string;
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchConditionV1beta1[];
  /** IfNeeded evaluates the policy again when something changed the object after it; Never evaluates it once. */
  reinvocationPolicy?: string;
}

/** Changes of objects before they are stored. A policy does nothing until it is bound. */
export type MutatingAdmissionPolicyV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: MutatingAdmissionPolicySpecV1alpha1;
};

/** Changes of objects before they are stored. A policy does nothing until it is bound. */
export type MutatingAdmissionPolicyV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: MutatingAdmissionPolicySpecV1beta1;
};

/** A webhook that may change objects before they are stored. */
export interface MutatingWebhook {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfig;
  /** Requests that the webhook is asked about: those that match one of these. It is never asked about webhook configurations themselves. */
  rules?: RuleWithOperations[];
  /** What becomes of a request when the webhook fails or does not answer in time: Fail rejects it, Ignore lets it go on. */
  failurePolicy?: string;
  /** Exact takes rules by the letter; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: string;
  /** Namespaces whose objects the webhook is asked about, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users set labels as they like, so this protects nothing. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects: string | null;
  /** Seconds within which the webhook has to answer, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook understands, the best first. The first one that the server knows is sent. */
  admissionReviewVersions: string[] | null;
  /** IfNeeded asks again when something changed the object after this webhook; Never asks once. */
  reinvocationPolicy?: string;
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchCondition[];
}

/** Webhooks that are asked before objects are stored, and may change them. */
export type MutatingWebhookConfiguration = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The webhooks, and what they are asked about. */
  webhooks?: MutatingWebhook[];
};

/** Webhooks that are asked before objects are stored, and may change them. */
export type MutatingWebhookConfigurationV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The webhooks, and what they are asked about. */
  webhooks?: MutatingWebhookV1beta1[];
};

/** A webhook that may change objects before they are stored. */
export interface MutatingWebhookV1beta1 {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfigV1beta1;
  /** Requests that the webhook is asked about: those that match one of these. It is never asked about webhook configurations themselves. */
  rules?: RuleWithOperationsV1beta1[];
  /** What becomes of a request when the webhook fails or does not answer in time: Fail rejects it, Ignore lets it go on. */
  failurePolicy?: string;
  /** Exact takes rules by the letter; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: string;
  /** Namespaces whose objects the webhook is asked about, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users set labels as they like, so this protects nothing. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects?: string;
  /** Seconds within which the webhook has to answer, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook understands, the best first. The first one that the server knows is sent. */
  admissionReviewVersions?: string[];
  /** IfNeeded asks again when something changed the object after this webhook; Never asks once. */
  reinvocationPolicy?: string;
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchConditionV1beta1[];
}

/** One change of an object. */
export interface Mutation {
  /** ApplyConfiguration or JSONPatch. */
  patchType: string;
  /** The change, when its type is ApplyConfiguration. */
  applyConfiguration?: ApplyConfiguration;
  /** The change, when its type is JSONPatch. */
  jsonPatch?: JSONPatch;
}

/** One change of an object. */
export interface MutationV1alpha1 {
  /** ApplyConfiguration or JSONPatch. */
  patchType: string;
  /** The change, when its type is ApplyConfiguration. */
  applyConfiguration?: ApplyConfigurationV1alpha1;
  /** The change, when its type is JSONPatch. */
  jsonPatch?: JSONPatchV1alpha1;
}

/** One change of an object. */
export interface MutationV1beta1 {
  /** ApplyConfiguration or JSONPatch. */
  patchType: string;
  /** The change, when its type is ApplyConfiguration. */
  applyConfiguration?: ApplyConfigurationV1beta1;
  /** The change, when its type is JSONPatch. */
  jsonPatch?: JSONPatchV1beta1;
}

/** Which operations on which resources, by name if need be, a policy is about. */
export interface NamedRuleWithOperations {
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: string[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: string;
}

/** Which operations on which resources, by name if need be, a policy is about. */
export interface NamedRuleWithOperationsV1alpha1 {
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: string[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: string;
}

/** Which operations on which resources, by name if need be, a policy is about. */
export interface NamedRuleWithOperationsV1beta1 {
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: string[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: string;
}

/** Kind of the objects that hold parameters of a policy. */
export interface ParamKind {
  /** Group and version of the kind. */
  apiVersion?: string;
  /** Name of the kind. */
  kind?: string;
}

/** Kind of the objects that hold parameters of a policy. */
export interface ParamKindV1alpha1 {
  /** Group and version of the kind. */
  apiVersion?: string;
  /** Name of the kind. */
  kind?: string;
}

/** Kind of the objects that hold parameters of a policy. */
export interface ParamKindV1beta1 {
  /** Group and version of the kind. */
  apiVersion?: string;
  /** Name of the kind. */
  kind?: string;
}

/** Selects the objects that hold the parameters. */
export interface ParamRef {
  /** Name of the object. */
  name?: string;
  /** Namespace of the objects. When it is empty, that of the object of the request; for cluster-scoped kinds it must be. */
  namespace?: string;
  /** Labels of the objects, in the place of a name. The request must satisfy the policy with each of them. */
  selector?: meta.LabelSelector;
  /** What becomes of a request when there is no such object: Allow skips the binding, Deny counts as a failure of the policy. */
  parameterNotFoundAction?: string;
}

/** Selects the objects that hold the parameters. */
export interface ParamRefV1alpha1 {
  /** Name of the object. */
  name?: string;
  /** Namespace of the objects. When it is empty, that of the object of the request; for cluster-scoped kinds it must be. */
  namespace?: string;
  /** Labels of the objects, in the place of a name. The request must satisfy the policy with each of them. */
  selector?: meta.LabelSelector;
  /** What becomes of a request when there is no such object: Allow skips the binding, Deny counts as a failure of the policy. */
  parameterNotFoundAction?: string;
}

/** Selects the objects that hold the parameters. */
export interface ParamRefV1beta1 {
  /** Name of the object. */
  name?: string;
  /** Namespace of the objects. When it is empty, that of the object of the request; for cluster-scoped kinds it must be. */
  namespace?: string;
  /** Labels of the objects, in the place of a name. The request must satisfy the policy with each of them. */
  selector?: meta.LabelSelector;
  /** What becomes of a request when there is no such object: Allow skips the binding, Deny counts as a failure of the policy. */
  parameterNotFoundAction?: string;
}

/** Which operations on which resources a request must be about. */
export interface RuleWithOperations {
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: string[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: string;
}

/** Which operations on which resources a request must be about. */
export interface RuleWithOperationsV1beta1 {
  /** CREATE, UPDATE, DELETE, CONNECT, or a lone `*` for all of them. */
  operations?: string[];
  /** Groups of the resources: the empty string is the core group, a lone `*` every group. */
  apiGroups?: string[];
  /** Versions in which the resources are requested; a lone `*` means every version. */
  apiVersions?: string[];
  /** Resources, subresources as `resource/subresource`. `*` is every resource, `*\/*` with subresources too, `pods/*` every subresource of pods, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Cluster, Namespaced, or `*` for both. Subresources have the scope of their resource. */
  scope?: string;
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

/** What checking the types in the expressions of a policy has shown. */
export interface TypeChecking {
  /** Expressions that do not fit the types of the resources. */
  expressionWarnings?: ExpressionWarning[];
}

/** What checking the types in the expressions of a policy has shown. */
export interface TypeCheckingV1alpha1 {
  /** Expressions that do not fit the types of the resources. */
  expressionWarnings?: ExpressionWarningV1alpha1[];
}

/** What checking the types in the expressions of a policy has shown. */
export interface TypeCheckingV1beta1 {
  /** Expressions that do not fit the types of the resources. */
  expressionWarnings?: ExpressionWarningV1beta1[];
}

/** Expressions that requests must satisfy. A policy does nothing until it is bound. */
export type ValidatingAdmissionPolicy = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ValidatingAdmissionPolicySpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: ValidatingAdmissionPolicyStatus;
};

/** Puts a policy to use, with parameters, for some of the requests that it is about. */
export type ValidatingAdmissionPolicyBinding = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ValidatingAdmissionPolicyBindingSpec;
};

/** Which policy is put to use, with which parameters, and for what. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** Name of the policy. While there is none of that name the binding does nothing. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRef;
  /** Requests that the binding is about; they must be about the policy too. All of the policy when absent. */
  matchResources?: MatchResources;
  /** What is done about requests that do not satisfy the policy: Deny, Warn or Audit. Deny when empty. */
  validationActions?: string[];
}

/** Which policy is put to use, with which parameters, and for what. */
export interface ValidatingAdmissionPolicyBindingSpecV1alpha1 {
  /** Name of the policy. While there is none of that name the binding does nothing. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1alpha1;
  /** Requests that the binding is about; they must be about the policy too. All of the policy when absent. */
  matchResources?: MatchResourcesV1alpha1;
  /** What is done about requests that do not satisfy the policy: Deny, Warn or Audit. Deny when empty. */
  validationActions?: string[];
}

/** Which policy is put to use, with which parameters, and for what. */
export interface ValidatingAdmissionPolicyBindingSpecV1beta1 {
  /** Name of the policy. While there is none of that name the binding does nothing. */
  policyName?: string;
  /** The parameters of the policy. */
  paramRef?: ParamRefV1beta1;
  /** Requests that the binding is about; they must be about the policy too. All of the policy when absent. */
  matchResources?: MatchResourcesV1beta1;
  /** What is done about requests that do not satisfy the policy: Deny, Warn or Audit. Deny when empty. */
  validationActions?: string[];
}

/** Puts a policy to use, with parameters, for some of the requests that it is about. */
export type ValidatingAdmissionPolicyBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ValidatingAdmissionPolicyBindingSpecV1alpha1;
};

/** Puts a policy to use, with parameters, for some of the requests that it is about. */
export type ValidatingAdmissionPolicyBindingV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ValidatingAdmissionPolicyBindingSpecV1beta1;
};

/** What a policy asks of which requests. */
export interface ValidatingAdmissionPolicySpec {
  /** Kind of the objects that hold its parameters; none when the policy takes none. */
  paramKind?: ParamKind;
  /** Requests that the policy is about; it speaks of resources that it can know the types of. */
  matchConstraints?: MatchResources;
  /** Expressions that must all hold. */
  validations?: Validation[];
  /** What becomes of a request when an expression cannot be evaluated: Fail refuses it, Ignore lets it go on. */
  failurePolicy?: string;
  /** Annotations of the requests in the audit log. */
  auditAnnotations?: AuditAnnotation[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchCondition[];
  /** Expressions that others can refer to, in the order in which they can. */
  variables?: Variable[];
}

/** What a policy asks of which requests. */
export interface ValidatingAdmissionPolicySpecV1alpha1 {
  /** Kind of the objects that hold its parameters; none when the policy takes none. */
  paramKind?: ParamKindV1alpha1;
  /** Requests that the policy is about; it speaks of resources that it can know the types of. */
  matchConstraints: MatchResourcesV1alpha1;
  /** Expressions that must all hold. */
  validations?: ValidationV1alpha1[];
  /** What becomes of a request when an expression cannot be evaluated: Fail refuses it, Ignore lets it go on. */
  failurePolicy?: string;
  /** Annotations of the requests in the audit log. */
  auditAnnotations?: AuditAnnotationV1alpha1[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchConditionV1alpha1[];
  /** Expressions that others can refer to, in the order in which they can. */
  variables?: VariableV1alpha1[];
}

/** What a policy asks of which requests. */
export interface ValidatingAdmissionPolicySpecV1beta1 {
  /** Kind of the objects that hold its parameters; none when the policy takes none. */
  paramKind?: ParamKindV1beta1;
  /** Requests that the policy is about; it speaks of resources that it can know the types of. */
  matchConstraints?: MatchResourcesV1beta1;
  /** Expressions that must all hold. */
  validations?: ValidationV1beta1[];
  /** What becomes of a request when an expression cannot be evaluated: Fail refuses it, Ignore lets it go on. */
  failurePolicy?: string;
  /** Annotations of the requests in the audit log. */
  auditAnnotations?: AuditAnnotationV1beta1[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchConditionV1beta1[];
  /** Expressions that others can refer to, in the order in which they can. */
  variables?: VariableV1beta1[];
}

/** What is known of a policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** Generation of the policy that was looked at. */
  observedGeneration?: number;
  /** What checking the types has shown; there when it was done. */
  typeChecking?: TypeChecking;
  /** Observations about the object, one entry per type. */
  conditions?: meta.Condition[];
}

/** What is known of a policy. */
export interface ValidatingAdmissionPolicyStatusV1alpha1 {
  /** Generation of the policy that was looked at. */
  observedGeneration?: number;
  /** What checking the types has shown; there when it was done. */
  typeChecking?: TypeCheckingV1alpha1;
  /** Observations about the object, one entry per type. */
  conditions?: meta.Condition[];
}

/** What is known of a policy. */
export interface ValidatingAdmissionPolicyStatusV1beta1 {
  /** Generation of the policy that was looked at. */
  observedGeneration?: number;
  /** What checking the types has shown; there when it was done. */
  typeChecking?: TypeCheckingV1beta1;
  /** Observations about the object, one entry per type. */
  conditions?: meta.Condition[];
}

/** Expressions that requests must satisfy. A policy does nothing until it is bound. */
export type ValidatingAdmissionPolicyV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ValidatingAdmissionPolicySpecV1alpha1;
  /** What was observed last; written by the system, never by the owner. */
  status?: ValidatingAdmissionPolicyStatusV1alpha1;
};

/** Expressions that requests must satisfy. A policy does nothing until it is bound. */
export type ValidatingAdmissionPolicyV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: ValidatingAdmissionPolicySpecV1beta1;
  /** What was observed last; written by the system, never by the owner. */
  status?: ValidatingAdmissionPolicyStatusV1beta1;
};

/** A webhook that may refuse requests, and changes nothing. */
export interface ValidatingWebhook {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfig;
  /** Requests that the webhook is asked about: those that match one of these. It is never asked about webhook configurations themselves. */
  rules?: RuleWithOperations[];
  /** What becomes of a request when the webhook fails or does not answer in time: Fail rejects it, Ignore lets it go on. */
  failurePolicy?: string;
  /** Exact takes rules by the letter; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: string;
  /** Namespaces whose objects the webhook is asked about, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users set labels as they like, so this protects nothing. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects: string | null;
  /** Seconds within which the webhook has to answer, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook understands, the best first. The first one that the server knows is sent. */
  admissionReviewVersions: string[] | null;
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchCondition[];
}

/** Webhooks that are asked before objects are stored, and may refuse them. */
export type ValidatingWebhookConfiguration = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The webhooks, and what they are asked about. */
  webhooks?: ValidatingWebhook[];
};

/** Webhooks that are asked before objects are stored, and may refuse them. */
export type ValidatingWebhookConfigurationV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The webhooks, and what they are asked about. */
  webhooks?: ValidatingWebhookV1beta1[];
};

/** A webhook that may refuse requests, and changes nothing. */
export interface ValidatingWebhookV1beta1 {
  /** Full name of the webhook, with at least three parts: `image-policy.example.com`. */
  name: string;
  /** How to reach the webhook. */
  clientConfig: WebhookClientConfigV1beta1;
  /** Requests that the webhook is asked about: those that match one of these. It is never asked about webhook configurations themselves. */
  rules?: RuleWithOperationsV1beta1[];
  /** What becomes of a request when the webhook fails or does not answer in time: Fail rejects it, Ignore lets it go on. */
  failurePolicy?: string;
  /** Exact takes rules by the letter; Equivalent also intercepts the same resource under another group or version. */
  matchPolicy?: string;
  /** Namespaces whose objects the webhook is asked about, and the namespaces themselves. It does not restrict other cluster-scoped objects. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels that the old or the new object must have. Users set labels as they like, so this protects nothing. */
  objectSelector?: meta.LabelSelector;
  /** Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail. */
  sideEffects?: string;
  /** Seconds within which the webhook has to answer, 1 to 30. */
  timeoutSeconds?: number;
  /** Versions of the review that the webhook understands, the best first. The first one that the server knows is sent. */
  admissionReviewVersions?: string[];
  /** Expressions that must all hold for a request, beyond the rules. */
  matchConditions?: MatchConditionV1beta1[];
}

/** An expression that requests must satisfy, and what clients hear when one does not. */
export interface Validation {
  /** An expression over `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`; a request for which it is false is refused. */
  expression: string;
  /** The message for clients; required when the expression has several lines. */
  message?: string;
  /** Reason in the answer to the client: Unauthorized, Forbidden, Invalid or RequestEntityTooLarge. Invalid when absent. */
  reason?: string;
  /** An expression whose value is returned to clients instead of the message. */
  messageExpression?: string;
}

/** An expression that requests must satisfy, and what clients hear when one does not. */
export interface ValidationV1alpha1 {
  /** An expression over `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`; a request for which it is false is refused. */
  expression: string;
  /** The message for clients; required when the expression has several lines. */
  message?: string;
  /** Reason in the answer to the client: Unauthorized, Forbidden, Invalid or RequestEntityTooLarge. Invalid when absent. */
  reason?: string;
  /** An expression whose value is returned to clients instead of the message. */
  messageExpression?: string;
}

/** An expression that requests must satisfy, and what clients hear when one does not. */
export interface ValidationV1beta1 {
  /** An expression over `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`; a request for which it is false is refused. */
  expression: string;
  /** The message for clients; required when the expression has several lines. */
  message?: string;
  /** Reason in the answer to the client: Unauthorized, Forbidden, Invalid or RequestEntityTooLarge. Invalid when absent. */
  reason?: string;
  /** An expression whose value is returned to clients instead of the message. */
  messageExpression?: string;
}

/** An expression that others can refer to by a name. It is evaluated when it is first used. */
export interface Variable {
  /** Name of the variable: expressions after it read it as `variables.name`. */
  name: string;
  /** An expression over what the other expressions can use, and over the variables before this one. */
  expression: string;
}

/** An expression that others can refer to by a name. It is evaluated when it is first used. */
export interface VariableV1alpha1 {
  /** Name of the variable: expressions after it read it as `variables.name`. */
  name: string;
  /** An expression over what the other expressions can use, and over the variables before this one. */
  expression: string;
}

/** An expression that others can refer to by a name. It is evaluated when it is first used. */
export interface VariableV1beta1 {
  /** Name of the variable: expressions after it read it as `variables.name`. */
  name: string;
  /** An expression over what the other expressions can use, and over the variables before this one. */
  expression: string;
}

/** How to reach a webhook: either by URL or by service. */
export interface WebhookClientConfig {
  /** Where the webhook listens, `https://host/path`. For one in the cluster use service. */
  url?: string;
  /** Service of the cluster behind which the webhook is. */
  service?: ServiceReference;
  /** Certificates in PEM that the certificate of the webhook is checked with; those of the system when absent. */
  caBundle?: string;
}

/** How to reach a webhook: either by URL or by service. */
export interface WebhookClientConfigV1beta1 {
  /** Where the webhook listens, `https://host/path`. For one in the cluster use service. */
  url?: string;
  /** Service of the cluster behind which the webhook is. */
  service?: ServiceReferenceV1beta1;
  /** Certificates in PEM that the certificate of the webhook is checked with; those of the system when absent. */
  caBundle?: string;
}
