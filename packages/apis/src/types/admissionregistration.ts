// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ExactNumber, ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

export type AuditAnnotationV1alpha1 = {
  readonly key?: string;
  readonly valueExpression?: string;
};

export type ExpressionWarningV1alpha1 = {
  readonly fieldRef?: string;
  readonly warning?: string;
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

export type MatchResourcesV1alpha1 = {
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperationsV1alpha1[];
  readonly excludeResourceRules?: readonly NamedRuleWithOperationsV1alpha1[];
  readonly matchPolicy?: string;
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

export type NamedRuleWithOperationsV1alpha1 = {
  readonly resourceNames?: readonly string[];
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
};

export type ParamKindV1alpha1 = {
  readonly apiVersion?: string;
  readonly kind?: string;
};

export type ParamRefV1alpha1 = {
  readonly name?: string;
  readonly namespace?: string;
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

export type TypeCheckingV1alpha1 = {
  readonly expressionWarnings?: readonly ExpressionWarningV1alpha1[];
};

export type ValidatingAdmissionPolicyBindingSpecV1alpha1 = {
  readonly policyName?: string;
  readonly paramRef?: ParamRefV1alpha1;
  readonly matchResources?: MatchResourcesV1alpha1;
  readonly validationActions?: readonly string[];
};

export type ValidatingAdmissionPolicyBindingV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicyBindingSpecV1alpha1;
};

export type ValidatingAdmissionPolicySpecV1alpha1 = {
  readonly paramKind?: ParamKindV1alpha1;
  readonly matchConstraints?: MatchResourcesV1alpha1;
  readonly validations?: readonly ValidationV1alpha1[];
  readonly failurePolicy?: string;
  readonly auditAnnotations?: readonly AuditAnnotationV1alpha1[];
  readonly matchConditions?: readonly MatchConditionV1alpha1[];
};

export type ValidatingAdmissionPolicyStatusV1alpha1 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly typeChecking?: TypeCheckingV1alpha1;
  readonly conditions?: readonly meta.Condition[];
};

export type ValidatingAdmissionPolicyV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicySpecV1alpha1;
  readonly status?: ValidatingAdmissionPolicyStatusV1alpha1;
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

export type ValidationV1alpha1 = {
  readonly expression?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
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
