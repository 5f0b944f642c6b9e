// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

export type ExemptPriorityLevelConfigurationV1beta3 = {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
};

export type FlowDistinguisherMethodV1beta3 = {
  readonly type?: string;
};

export type FlowSchemaConditionV1beta3 = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type FlowSchemaSpecV1beta3 = {
  readonly priorityLevelConfiguration?: PriorityLevelConfigurationReferenceV1beta3;
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: FlowDistinguisherMethodV1beta3;
  readonly rules?: readonly PolicyRulesWithSubjectsV1beta3[];
};

export type FlowSchemaStatusV1beta2 = {
  readonly conditions?: readonly FlowSchemaConditionV1beta3[];
};

export type FlowSchemaStatusV1beta3 = {
  readonly conditions?: readonly FlowSchemaConditionV1beta3[];
};

export type FlowSchemaV1beta2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: FlowSchemaSpecV1beta3;
  readonly status?: FlowSchemaStatusV1beta2;
};

export type FlowSchemaV1beta3 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: FlowSchemaSpecV1beta3;
  readonly status?: FlowSchemaStatusV1beta3;
};

export type GroupSubjectV1beta3 = {
  readonly name?: string;
};

export type LimitResponseV1beta3 = {
  readonly type?: string;
  readonly queuing?: QueuingConfigurationV1beta3;
};

export type LimitedPriorityLevelConfiguration = {
  readonly nominalConcurrencyShares?: number | null;
  readonly limitResponse?: LimitResponseV1beta3;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
};

export type LimitedPriorityLevelConfigurationV1beta2 = {
  readonly assuredConcurrencyShares?: number;
  readonly limitResponse?: LimitResponseV1beta3;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
};

export type LimitedPriorityLevelConfigurationV1beta3 = {
  readonly nominalConcurrencyShares?: number;
  readonly limitResponse?: LimitResponseV1beta3;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
};

export type NonResourcePolicyRuleV1beta3 = {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
};

export type PolicyRulesWithSubjectsV1beta3 = {
  readonly subjects?: readonly SubjectV1beta3[] | null;
  readonly resourceRules?: readonly ResourcePolicyRuleV1beta3[];
  readonly nonResourceRules?: readonly NonResourcePolicyRuleV1beta3[];
};

export type PriorityLevelConfiguration = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PriorityLevelConfigurationSpec;
  readonly status?: PriorityLevelConfigurationStatusV1beta3;
};

export type PriorityLevelConfigurationConditionV1beta3 = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type PriorityLevelConfigurationReferenceV1beta3 = {
  readonly name?: string;
};

export type PriorityLevelConfigurationSpec = {
  readonly type?: string;
  readonly limited?: LimitedPriorityLevelConfiguration;
  readonly exempt?: ExemptPriorityLevelConfigurationV1beta3;
};

export type PriorityLevelConfigurationSpecV1beta2 = {
  readonly type?: string;
  readonly limited?: LimitedPriorityLevelConfigurationV1beta2;
  readonly exempt?: ExemptPriorityLevelConfigurationV1beta3;
};

export type PriorityLevelConfigurationSpecV1beta3 = {
  readonly type?: string;
  readonly limited?: LimitedPriorityLevelConfigurationV1beta3;
  readonly exempt?: ExemptPriorityLevelConfigurationV1beta3;
};

export type PriorityLevelConfigurationStatusV1beta2 = {
  readonly conditions?: readonly PriorityLevelConfigurationConditionV1beta3[];
};

export type PriorityLevelConfigurationStatusV1beta3 = {
  readonly conditions?: readonly PriorityLevelConfigurationConditionV1beta3[];
};

export type PriorityLevelConfigurationV1beta2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PriorityLevelConfigurationSpecV1beta2;
  readonly status?: PriorityLevelConfigurationStatusV1beta2;
};

export type PriorityLevelConfigurationV1beta3 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PriorityLevelConfigurationSpecV1beta3;
  readonly status?: PriorityLevelConfigurationStatusV1beta3;
};

export type QueuingConfigurationV1beta3 = {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
};

export type ResourcePolicyRuleV1beta3 = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
};

export type ServiceAccountSubjectV1beta3 = {
  readonly namespace?: string;
  readonly name?: string;
};

export type SubjectV1beta3 = {
  readonly kind?: string;
  readonly user?: UserSubjectV1beta3;
  readonly group?: GroupSubjectV1beta3;
  readonly serviceAccount?: ServiceAccountSubjectV1beta3;
};

export type UserSubjectV1beta3 = {
  readonly name?: string;
};
