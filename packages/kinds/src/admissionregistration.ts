// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as meta from './meta.ts';

export type ApplyConfiguration = {
  readonly expression?: string;
};

export type ApplyConfigurationV1alpha1 = {
  readonly expression?: string;
};

export type ApplyConfigurationV1beta1 = {
  readonly expression?: string;
};

export type AuditAnnotation = {
  readonly key?: string;
  readonly valueExpression?: string;
};

export type AuditAnnotationV1alpha1 = {
  readonly key?: string;
  readonly valueExpression?: string;
};

export type AuditAnnotationV1beta1 = {
  readonly key?: string;
  readonly valueExpression?: string;
};

export type ExpressionWarning = {
  readonly fieldRef?: string;
  readonly warning?: string;
};

export type ExpressionWarningV1alpha1 = {
  readonly fieldRef?: string;
  readonly warning?: string;
};

export type ExpressionWarningV1beta1 = {
  readonly fieldRef?: string;
  readonly warning?: string;
};

export type JSONPatch = {
  readonly expression?: string;
};

export type JSONPatchV1alpha1 = {
  readonly expression?: string;
};

export type JSONPatchV1beta1 = {
  readonly expression?: string;
};

export type MatchCondition = {
  readonly name?: string;
  readonly expression?: string;
};

export type MatchConditionV1alpha1 = {
  readonly name?: string;
  readonly expression?: string;
};

export type MatchConditionV1beta1 = {
  readonly name?: string;
  readonly expression?: string;
};

export type MatchResources = {
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperations[];
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  readonly matchPolicy?: string;
};

export type MatchResourcesV1alpha1 = {
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperationsV1alpha1[];
  readonly excludeResourceRules?: readonly NamedRuleWithOperationsV1alpha1[];
  readonly matchPolicy?: string;
};

export type MatchResourcesV1beta1 = {
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperationsV1beta1[];
  readonly excludeResourceRules?: readonly NamedRuleWithOperationsV1beta1[];
  readonly matchPolicy?: string;
};

export type MutatingAdmissionPolicy = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicySpec;
};

export type MutatingAdmissionPolicyBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicyBindingSpec;
};

export type MutatingAdmissionPolicyBindingSpec = {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
};

export type MutatingAdmissionPolicyBindingSpecV1alpha1 = {
  readonly policyName?: string;
  readonly paramRef?: ParamRefV1alpha1;
  readonly matchResources?: MatchResourcesV1alpha1;
};

export type MutatingAdmissionPolicyBindingSpecV1beta1 = {
  readonly policyName?: string;
  readonly paramRef?: ParamRefV1beta1;
  readonly matchResources?: MatchResourcesV1beta1;
};

export type MutatingAdmissionPolicyBindingV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicyBindingSpecV1alpha1;
};

export type MutatingAdmissionPolicyBindingV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicyBindingSpecV1beta1;
};

export type MutatingAdmissionPolicySpec = {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly variables?: readonly Variable[];
  readonly mutations?: readonly Mutation[];
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly reinvocationPolicy?: string;
};

export type MutatingAdmissionPolicySpecV1alpha1 = {
  readonly paramKind?: ParamKindV1alpha1;
  readonly matchConstraints?: MatchResourcesV1alpha1;
  readonly variables?: readonly VariableV1alpha1[];
  readonly mutations?: readonly MutationV1alpha1[];
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchConditionV1alpha1[];
  readonly reinvocationPolicy?: string;
};

export type MutatingAdmissionPolicySpecV1beta1 = {
  readonly paramKind?: ParamKindV1beta1;
  readonly matchConstraints?: MatchResourcesV1beta1;
  readonly variables?: readonly VariableV1beta1[];
  readonly mutations?: readonly MutationV1beta1[];
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchConditionV1beta1[];
  readonly reinvocationPolicy?: string;
};

export type MutatingAdmissionPolicyV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicySpecV1alpha1;
};

export type MutatingAdmissionPolicyV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicySpecV1beta1;
};

export type MutatingWebhook = {
  readonly name?: string;
  readonly clientConfig?: WebhookClientConfig;
  readonly rules?: readonly RuleWithOperations[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly sideEffects?: string | null;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[] | null;
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
};

export type MutatingWebhookConfiguration = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly MutatingWebhook[];
};

export type MutatingWebhookConfigurationV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly MutatingWebhookV1beta1[];
};

export type MutatingWebhookV1beta1 = {
  readonly name?: string;
  readonly clientConfig?: WebhookClientConfigV1beta1;
  readonly rules?: readonly RuleWithOperationsV1beta1[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchConditionV1beta1[];
};

export type Mutation = {
  readonly patchType?: string;
  readonly applyConfiguration?: ApplyConfiguration;
  readonly jsonPatch?: JSONPatch;
};

export type MutationV1alpha1 = {
  readonly patchType?: string;
  readonly applyConfiguration?: ApplyConfigurationV1alpha1;
  readonly jsonPatch?: JSONPatchV1alpha1;
};

export type MutationV1beta1 = {
  readonly patchType?: string;
  readonly applyConfiguration?: ApplyConfigurationV1beta1;
  readonly jsonPatch?: JSONPatchV1beta1;
};

export type NamedRuleWithOperations = {
  readonly resourceNames?: readonly string[];
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
};

export type NamedRuleWithOperationsV1alpha1 = {
  readonly resourceNames?: readonly string[];
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
};

export type NamedRuleWithOperationsV1beta1 = {
  readonly resourceNames?: readonly string[];
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
};

export type ParamKind = {
  readonly apiVersion?: string;
  readonly kind?: string;
};

export type ParamKindV1alpha1 = {
  readonly apiVersion?: string;
  readonly kind?: string;
};

export type ParamKindV1beta1 = {
  readonly apiVersion?: string;
  readonly kind?: string;
};

export type ParamRef = {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: meta.LabelSelector;
  readonly parameterNotFoundAction?: string;
};

export type ParamRefV1alpha1 = {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: meta.LabelSelector;
  readonly parameterNotFoundAction?: string;
};

export type ParamRefV1beta1 = {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: meta.LabelSelector;
  readonly parameterNotFoundAction?: string;
};

export type RuleWithOperations = {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
};

export type RuleWithOperationsV1beta1 = {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
};

export type ServiceReference = {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
};

export type ServiceReferenceV1beta1 = {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
};

export type TypeChecking = {
  readonly expressionWarnings?: readonly ExpressionWarning[];
};

export type TypeCheckingV1alpha1 = {
  readonly expressionWarnings?: readonly ExpressionWarningV1alpha1[];
};

export type TypeCheckingV1beta1 = {
  readonly expressionWarnings?: readonly ExpressionWarningV1beta1[];
};

export type ValidatingAdmissionPolicy = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus;
};

export type ValidatingAdmissionPolicyBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicyBindingSpec;
};

export type ValidatingAdmissionPolicyBindingSpec = {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
};

export type ValidatingAdmissionPolicyBindingSpecV1alpha1 = {
  readonly policyName?: string;
  readonly paramRef?: ParamRefV1alpha1;
  readonly matchResources?: MatchResourcesV1alpha1;
  readonly validationActions?: readonly string[];
};

export type ValidatingAdmissionPolicyBindingSpecV1beta1 = {
  readonly policyName?: string;
  readonly paramRef?: ParamRefV1beta1;
  readonly matchResources?: MatchResourcesV1beta1;
  readonly validationActions?: readonly string[];
};

export type ValidatingAdmissionPolicyBindingV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicyBindingSpecV1alpha1;
};

export type ValidatingAdmissionPolicyBindingV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicyBindingSpecV1beta1;
};

export type ValidatingAdmissionPolicySpec = {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly validations?: readonly Validation[];
  readonly failurePolicy?: string;
  readonly auditAnnotations?: readonly AuditAnnotation[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
};

export type ValidatingAdmissionPolicySpecV1alpha1 = {
  readonly paramKind?: ParamKindV1alpha1;
  readonly matchConstraints?: MatchResourcesV1alpha1;
  readonly validations?: readonly ValidationV1alpha1[];
  readonly failurePolicy?: string;
  readonly auditAnnotations?: readonly AuditAnnotationV1alpha1[];
  readonly matchConditions?: readonly MatchConditionV1alpha1[];
  readonly variables?: readonly VariableV1alpha1[];
};

export type ValidatingAdmissionPolicySpecV1beta1 = {
  readonly paramKind?: ParamKindV1beta1;
  readonly matchConstraints?: MatchResourcesV1beta1;
  readonly validations?: readonly ValidationV1beta1[];
  readonly failurePolicy?: string;
  readonly auditAnnotations?: readonly AuditAnnotationV1beta1[];
  readonly matchConditions?: readonly MatchConditionV1beta1[];
  readonly variables?: readonly VariableV1beta1[];
};

export type ValidatingAdmissionPolicyStatus = {
  readonly observedGeneration?: number | ExactNumber;
  readonly typeChecking?: TypeChecking;
  readonly conditions?: readonly meta.Condition[];
};

export type ValidatingAdmissionPolicyStatusV1alpha1 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly typeChecking?: TypeCheckingV1alpha1;
  readonly conditions?: readonly meta.Condition[];
};

export type ValidatingAdmissionPolicyStatusV1beta1 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly typeChecking?: TypeCheckingV1beta1;
  readonly conditions?: readonly meta.Condition[];
};

export type ValidatingAdmissionPolicyV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicySpecV1alpha1;
  readonly status?: ValidatingAdmissionPolicyStatusV1alpha1;
};

export type ValidatingAdmissionPolicyV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicySpecV1beta1;
  readonly status?: ValidatingAdmissionPolicyStatusV1beta1;
};

export type ValidatingWebhook = {
  readonly name?: string;
  readonly clientConfig?: WebhookClientConfig;
  readonly rules?: readonly RuleWithOperations[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly sideEffects?: string | null;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[] | null;
  readonly matchConditions?: readonly MatchCondition[];
};

export type ValidatingWebhookConfiguration = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly ValidatingWebhook[];
};

export type ValidatingWebhookConfigurationV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly ValidatingWebhookV1beta1[];
};

export type ValidatingWebhookV1beta1 = {
  readonly name?: string;
  readonly clientConfig?: WebhookClientConfigV1beta1;
  readonly rules?: readonly RuleWithOperationsV1beta1[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly matchConditions?: readonly MatchConditionV1beta1[];
};

export type Validation = {
  readonly expression?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
};

export type ValidationV1alpha1 = {
  readonly expression?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
};

export type ValidationV1beta1 = {
  readonly expression?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
};

export type Variable = {
  readonly name?: string;
  readonly expression?: string;
};

export type VariableV1alpha1 = {
  readonly name?: string;
  readonly expression?: string;
};

export type VariableV1beta1 = {
  readonly name?: string;
  readonly expression?: string;
};

export type WebhookClientConfig = {
  readonly url?: string;
  readonly service?: ServiceReference;
  readonly caBundle?: string;
};

export type WebhookClientConfigV1beta1 = {
  readonly url?: string;
  readonly service?: ServiceReferenceV1beta1;
  readonly caBundle?: string;
};
