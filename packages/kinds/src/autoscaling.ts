// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as meta from './meta.ts';

export type ContainerResourceMetricSourceV2 = {
  readonly name?: string;
  readonly target?: MetricTargetV2;
  readonly container?: string;
};

export type ContainerResourceMetricSourceV2beta1 = {
  readonly name?: string;
  readonly targetAverageUtilization?: number;
  readonly targetAverageValue?: string;
  readonly container?: string;
};

export type ContainerResourceMetricStatusV2 = {
  readonly name?: string;
  readonly current?: MetricValueStatusV2;
  readonly container?: string;
};

export type ContainerResourceMetricStatusV2beta1 = {
  readonly name?: string;
  readonly currentAverageUtilization?: number;
  readonly currentAverageValue?: string;
  readonly container?: string;
};

export type CrossVersionObjectReference = {
  readonly kind?: string;
  readonly name?: string;
  readonly apiVersion?: string;
};

export type CrossVersionObjectReferenceV2 = {
  readonly kind?: string;
  readonly name?: string;
  readonly apiVersion?: string;
};

export type ExternalMetricSourceV2 = {
  readonly metric?: MetricIdentifierV2;
  readonly target?: MetricTargetV2;
};

export type ExternalMetricSourceV2beta1 = {
  readonly metricName?: string;
  readonly metricSelector?: meta.LabelSelector;
  readonly targetValue?: string;
  readonly targetAverageValue?: string;
};

export type ExternalMetricStatusV2 = {
  readonly metric?: MetricIdentifierV2;
  readonly current?: MetricValueStatusV2;
};

export type ExternalMetricStatusV2beta1 = {
  readonly metricName?: string;
  readonly metricSelector?: meta.LabelSelector;
  readonly currentValue?: string;
  readonly currentAverageValue?: string;
};

export type HPAScalingPolicyV2 = {
  readonly type?: string;
  readonly value?: number;
  readonly periodSeconds?: number;
};

export type HPAScalingRulesV2 = {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly HPAScalingPolicyV2[];
  readonly tolerance?: string;
};

export type HPAScalingRulesV2beta2 = {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly HPAScalingPolicyV2[];
  readonly tolerance?: string;
};

export type HorizontalPodAutoscaler = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
};

export type HorizontalPodAutoscalerBehaviorV2 = {
  readonly scaleUp?: HPAScalingRulesV2;
  readonly scaleDown?: HPAScalingRulesV2;
};

export type HorizontalPodAutoscalerBehaviorV2beta2 = {
  readonly scaleUp?: HPAScalingRulesV2beta2;
  readonly scaleDown?: HPAScalingRulesV2beta2;
};

export type HorizontalPodAutoscalerConditionV2 = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number | ExactNumber;
};

export type HorizontalPodAutoscalerSpec = {
  readonly scaleTargetRef?: CrossVersionObjectReference;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly targetCPUUtilizationPercentage?: number;
};

export type HorizontalPodAutoscalerSpecV2 = {
  readonly scaleTargetRef?: CrossVersionObjectReferenceV2;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly metrics?: readonly MetricSpecV2[];
  readonly behavior?: HorizontalPodAutoscalerBehaviorV2;
};

export type HorizontalPodAutoscalerSpecV2beta1 = {
  readonly scaleTargetRef?: CrossVersionObjectReferenceV2;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly metrics?: readonly MetricSpecV2beta1[];
};

export type HorizontalPodAutoscalerSpecV2beta2 = {
  readonly scaleTargetRef?: CrossVersionObjectReferenceV2;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly metrics?: readonly MetricSpecV2[];
  readonly behavior?: HorizontalPodAutoscalerBehaviorV2beta2;
};

export type HorizontalPodAutoscalerStatus = {
  readonly observedGeneration?: number | ExactNumber;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentCPUUtilizationPercentage?: number;
};

export type HorizontalPodAutoscalerStatusV2 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentMetrics?: readonly MetricStatusV2[] | null;
  readonly conditions?: readonly HorizontalPodAutoscalerConditionV2[];
};

export type HorizontalPodAutoscalerStatusV2beta1 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentMetrics?: readonly MetricStatusV2beta1[] | null;
  readonly conditions?: readonly HorizontalPodAutoscalerConditionV2[] | null;
};

export type HorizontalPodAutoscalerStatusV2beta2 = {
  readonly observedGeneration?: number | ExactNumber;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentMetrics?: readonly MetricStatusV2[] | null;
  readonly conditions?: readonly HorizontalPodAutoscalerConditionV2[] | null;
};

export type HorizontalPodAutoscalerV2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: HorizontalPodAutoscalerSpecV2;
  readonly status?: HorizontalPodAutoscalerStatusV2;
};

export type HorizontalPodAutoscalerV2beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: HorizontalPodAutoscalerSpecV2beta1;
  readonly status?: HorizontalPodAutoscalerStatusV2beta1;
};

export type HorizontalPodAutoscalerV2beta2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: HorizontalPodAutoscalerSpecV2beta2;
  readonly status?: HorizontalPodAutoscalerStatusV2beta2;
};

export type MetricIdentifierV2 = {
  readonly name?: string;
  readonly selector?: meta.LabelSelector;
};

export type MetricSpecV2 = {
  readonly type?: string;
  readonly object?: ObjectMetricSourceV2;
  readonly pods?: PodsMetricSourceV2;
  readonly resource?: ResourceMetricSourceV2;
  readonly containerResource?: ContainerResourceMetricSourceV2;
  readonly external?: ExternalMetricSourceV2;
};

export type MetricSpecV2beta1 = {
  readonly type?: string;
  readonly object?: ObjectMetricSourceV2beta1;
  readonly pods?: PodsMetricSourceV2beta1;
  readonly resource?: ResourceMetricSourceV2beta1;
  readonly containerResource?: ContainerResourceMetricSourceV2beta1;
  readonly external?: ExternalMetricSourceV2beta1;
};

export type MetricStatusV2 = {
  readonly type?: string;
  readonly object?: ObjectMetricStatusV2;
  readonly pods?: PodsMetricStatusV2;
  readonly resource?: ResourceMetricStatusV2;
  readonly containerResource?: ContainerResourceMetricStatusV2;
  readonly external?: ExternalMetricStatusV2;
};

export type MetricStatusV2beta1 = {
  readonly type?: string;
  readonly object?: ObjectMetricStatusV2beta1;
  readonly pods?: PodsMetricStatusV2beta1;
  readonly resource?: ResourceMetricStatusV2beta1;
  readonly containerResource?: ContainerResourceMetricStatusV2beta1;
  readonly external?: ExternalMetricStatusV2beta1;
};

export type MetricTargetV2 = {
  readonly type?: string;
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
};

export type MetricValueStatusV2 = {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
};

export type ObjectMetricSourceV2 = {
  readonly describedObject?: CrossVersionObjectReferenceV2;
  readonly target?: MetricTargetV2;
  readonly metric?: MetricIdentifierV2;
};

export type ObjectMetricSourceV2beta1 = {
  readonly target?: CrossVersionObjectReferenceV2;
  readonly metricName?: string;
  readonly targetValue?: string;
  readonly selector?: meta.LabelSelector;
  readonly averageValue?: string;
};

export type ObjectMetricStatusV2 = {
  readonly metric?: MetricIdentifierV2;
  readonly current?: MetricValueStatusV2;
  readonly describedObject?: CrossVersionObjectReferenceV2;
};

export type ObjectMetricStatusV2beta1 = {
  readonly target?: CrossVersionObjectReferenceV2;
  readonly metricName?: string;
  readonly currentValue?: string;
  readonly selector?: meta.LabelSelector;
  readonly averageValue?: string;
};

export type PodsMetricSourceV2 = {
  readonly metric?: MetricIdentifierV2;
  readonly target?: MetricTargetV2;
};

export type PodsMetricSourceV2beta1 = {
  readonly metricName?: string;
  readonly targetAverageValue?: string;
  readonly selector?: meta.LabelSelector;
};

export type PodsMetricStatusV2 = {
  readonly metric?: MetricIdentifierV2;
  readonly current?: MetricValueStatusV2;
};

export type PodsMetricStatusV2beta1 = {
  readonly metricName?: string;
  readonly currentAverageValue?: string;
  readonly selector?: meta.LabelSelector;
};

export type ResourceMetricSourceV2 = {
  readonly name?: string;
  readonly target?: MetricTargetV2;
};

export type ResourceMetricSourceV2beta1 = {
  readonly name?: string;
  readonly targetAverageUtilization?: number;
  readonly targetAverageValue?: string;
};

export type ResourceMetricStatusV2 = {
  readonly name?: string;
  readonly current?: MetricValueStatusV2;
};

export type ResourceMetricStatusV2beta1 = {
  readonly name?: string;
  readonly currentAverageUtilization?: number;
  readonly currentAverageValue?: string;
};

export type Scale = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ScaleSpec;
  readonly status?: ScaleStatus;
};

export type ScaleSpec = {
  readonly replicas?: number;
};

export type ScaleStatus = {
  readonly replicas?: number;
  readonly selector?: string;
};
