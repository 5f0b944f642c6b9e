// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as meta from './meta.ts';

/** Use of a compute resource by one container of each pod. */
export interface ContainerResourceMetricSourceV2 {
  /** Resource, such as cpu. */
  name: string;
  /** Target utilization. */
  target: MetricTargetV2;
  /** Name of the container. */
  container: string;
}

/** Use of a compute resource by one container of each pod. */
export interface ContainerResourceMetricSourceV2beta1 {
  /** Resource, such as cpu. */
  name: string;
  /** Target utilization per pod, in percent of what the pods request. */
  targetAverageUtilization?: number;
  /** Target use per pod, as an absolute value. */
  targetAverageValue?: string;
  /** Name of the container. */
  container: string;
}

/** Average use of a compute resource by one container over the pods. */
export interface ContainerResourceMetricStatusV2 {
  /** Resource, such as cpu. */
  name: string;
  /** How much is used. */
  current: MetricValueStatusV2;
  /** Name of the container. */
  container: string;
}

/** Average use of a compute resource by one container over the pods. */
export interface ContainerResourceMetricStatusV2beta1 {
  /** Resource, such as cpu. */
  name: string;
  /** Use per pod, in percent of what the pods request. */
  currentAverageUtilization?: number;
  /** Use per pod, as an absolute value. */
  currentAverageValue: string;
  /** Name of the container. */
  container: string;
}

/** References an object of the same namespace by kind, in any version. */
export interface CrossVersionObjectReference {
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Group and version of the kind. */
  apiVersion?: string;
}

/** References an object of the same namespace by kind, in any version. */
export interface CrossVersionObjectReferenceV2 {
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Group and version of the kind. */
  apiVersion?: string;
}

/** A metric from outside the cluster, such as the length of a queue. */
export interface ExternalMetricSourceV2 {
  /** The metric. */
  metric: MetricIdentifierV2;
  /** Target value of the metric. */
  target: MetricTargetV2;
}

/** A metric from outside the cluster, such as the length of a queue. */
export interface ExternalMetricSourceV2beta1 {
  /** Name of the metric. */
  metricName: string;
  /** Restricts the metric by its labels. */
  metricSelector?: meta.LabelSelector;
  /** Target value as a whole. */
  targetValue?: string;
  /** Target value per pod. */
  targetAverageValue?: string;
}

/** Value of a metric from outside the cluster. */
export interface ExternalMetricStatusV2 {
  /** The metric. */
  metric: MetricIdentifierV2;
  /** Current value. */
  current: MetricValueStatusV2;
}

/** Value of a metric from outside the cluster. */
export interface ExternalMetricStatusV2beta1 {
  /** Name of the metric. */
  metricName: string;
  /** Restricts the metric by its labels. */
  metricSelector?: meta.LabelSelector;
  /** Value as a whole. */
  currentValue: string;
  /** Value per pod. */
  currentAverageValue?: string;
}

/** A bound on how much may change within a span of time. */
export interface HPAScalingPolicyV2 {
  /** Unit of the value: Pods or Percent. */
  type: string;
  /** Maximum change of the number of pods; at least 1. */
  value: number;
  /** Span of time, up to half an hour. */
  periodSeconds: number;
}

/** How fast the number of replicas may change in one direction. */
export interface HPAScalingRulesV2 {
  /** Period over which recommendations are considered, to prevent fluctuation; up to an hour. By default none upwards and five minutes downwards. */
  stabilizationWindowSeconds?: number;
  /** The policy to use: Max for the one that allows most, Min for least, Disabled for no scaling in this direction. */
  selectPolicy?: string;
  /** The bounds. */
  policies?: HPAScalingPolicyV2[];
  /** How far the metric may be from its target before the number of replicas changes, as a fraction. */
  tolerance?: string;
}

/** How fast the number of replicas may change in one direction. */
export interface HPAScalingRulesV2beta2 {
  /** Period over which recommendations are considered, to prevent fluctuation; up to an hour. By default none upwards and five minutes downwards. */
  stabilizationWindowSeconds?: number;
  /** The policy to use: Max for the one that allows most, Min for least, Disabled for no scaling in this direction. */
  selectPolicy?: string;
  /** The bounds. */
  policies?: HPAScalingPolicyV2[];
  /** How far the metric may be from its target before the number of replicas changes, as a fraction. */
  tolerance?: string;
}

/** Adjusts the number of replicas of an object according to their CPU utilization. */
export type HorizontalPodAutoscaler = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: HorizontalPodAutoscalerSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: HorizontalPodAutoscalerStatus;
};

/** Rules for scaling up and rules for scaling down. */
export interface HorizontalPodAutoscalerBehaviorV2 {
  /** Upwards; by default 4 pods or all of them again every 15 seconds, whichever is more. */
  scaleUp?: HPAScalingRulesV2;
  /** Downwards; by default down to the minimum at once, after five minutes of low recommendations. */
  scaleDown?: HPAScalingRulesV2;
}

/** Rules for scaling up and rules for scaling down. */
export interface HorizontalPodAutoscalerBehaviorV2beta2 {
  /** Upwards; by default 4 pods or all of them again every 15 seconds, whichever is more. */
  scaleUp?: HPAScalingRulesV2beta2;
  /** Downwards; by default down to the minimum at once, after five minutes of low recommendations. */
  scaleDown?: HPAScalingRulesV2beta2;
}

/** One aspect of the state of an autoscaler. */
export interface HorizontalPodAutoscalerConditionV2 {
  /** ScalingActive, AbleToScale or ScalingLimited. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
  /** Generation of the spec on which it is based. */
  observedGeneration?: Int64;
}

/** The object to scale, and the bounds. Metrics other than CPU are in an annotation. */
export interface HorizontalPodAutoscalerSpec {
  /** The object to scale; it has a scale subresource. */
  scaleTargetRef: CrossVersionObjectReference;
  /** Minimum number of replicas. */
  minReplicas?: number;
  /** Maximum number of replicas; not fewer than minReplicas. */
  maxReplicas: number;
  /** Target CPU utilization, in percent of the CPU that the pods request; 80 when absent. */
  targetCPUUtilizationPercentage?: number;
}

/** The object to scale, the metrics, and the bounds. */
export interface HorizontalPodAutoscalerSpecV2 {
  /** The object to scale; it has a scale subresource. */
  scaleTargetRef: CrossVersionObjectReferenceV2;
  /** Minimum number of replicas. */
  minReplicas?: number;
  /** Maximum number of replicas; not fewer than minReplicas. */
  maxReplicas: number;
  /** Metrics to scale by; the one that results in the most replicas is used. By default 80 percent of the requested CPU. */
  metrics?: MetricSpecV2[];
  /** How fast the number of replicas may change. */
  behavior?: HorizontalPodAutoscalerBehaviorV2;
}

/** The object to scale, the metrics, and the bounds. */
export interface HorizontalPodAutoscalerSpecV2beta1 {
  /** The object to scale; it has a scale subresource. */
  scaleTargetRef: CrossVersionObjectReferenceV2;
  /** Minimum number of replicas. */
  minReplicas?: number;
  /** Maximum number of replicas; not fewer than minReplicas. */
  maxReplicas: number;
  /** Metrics to scale by; the one that results in the most replicas is used. By default 80 percent of the requested CPU. */
  metrics?: MetricSpecV2beta1[];
}

/** The object to scale, the metrics, and the bounds. */
export interface HorizontalPodAutoscalerSpecV2beta2 {
  /** The object to scale; it has a scale subresource. */
  scaleTargetRef: CrossVersionObjectReferenceV2;
  /** Minimum number of replicas. */
  minReplicas?: number;
  /** Maximum number of replicas; not fewer than minReplicas. */
  maxReplicas: number;
  /** Metrics to scale by; the one that results in the most replicas is used. By default 80 percent of the requested CPU. */
  metrics?: MetricSpecV2[];
  /** How fast the number of replicas may change. */
  behavior?: HorizontalPodAutoscalerBehaviorV2beta2;
}

/** Last observation and decision of the controller. Further parts are in annotations. */
export interface HorizontalPodAutoscalerStatus {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** When the number of replicas last changed. */
  lastScaleTime?: string;
  /** Current number of replicas. */
  currentReplicas: number;
  /** Desired number of replicas. */
  desiredReplicas: number;
  /** Current CPU utilization, in percent of the CPU that the pods request. */
  currentCPUUtilizationPercentage?: number;
}

/** Last observation and decision of the controller. */
export interface HorizontalPodAutoscalerStatusV2 {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** When the number of replicas last changed. */
  lastScaleTime?: string;
  /** Current number of replicas. */
  currentReplicas?: number;
  /** Desired number of replicas. */
  desiredReplicas: number;
  /** State of the metrics, in their order. */
  currentMetrics?: MetricStatusV2[] | null;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<HorizontalPodAutoscalerConditionV2, 'type'>;
}

/** Last observation and decision of the controller. */
export interface HorizontalPodAutoscalerStatusV2beta1 {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** When the number of replicas last changed. */
  lastScaleTime?: string;
  /** Current number of replicas. */
  currentReplicas: number;
  /** Desired number of replicas. */
  desiredReplicas: number;
  /** State of the metrics, in their order. */
  currentMetrics?: MetricStatusV2beta1[] | null;
  /** Observations about the object, one entry per type. */
  conditions?: HorizontalPodAutoscalerConditionV2[] | null;
}

/** Last observation and decision of the controller. */
export interface HorizontalPodAutoscalerStatusV2beta2 {
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** When the number of replicas last changed. */
  lastScaleTime?: string;
  /** Current number of replicas. */
  currentReplicas: number;
  /** Desired number of replicas. */
  desiredReplicas: number;
  /** State of the metrics, in their order. */
  currentMetrics?: MetricStatusV2[] | null;
  /** Observations about the object, one entry per type. */
  conditions?: HorizontalPodAutoscalerConditionV2[] | null;
}

/** Adjusts the number of replicas of an object according to metrics. */
export type HorizontalPodAutoscalerV2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: HorizontalPodAutoscalerSpecV2;
  /** Most recently observed state of the object; written by the system. */
  status?: HorizontalPodAutoscalerStatusV2;
};

/** Adjusts the number of replicas of an object according to metrics. */
export type HorizontalPodAutoscalerV2beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: HorizontalPodAutoscalerSpecV2beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: HorizontalPodAutoscalerStatusV2beta1;
};

/** Adjusts the number of replicas of an object according to metrics. */
export type HorizontalPodAutoscalerV2beta2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: HorizontalPodAutoscalerSpecV2beta2;
  /** Most recently observed state of the object; written by the system. */
  status?: HorizontalPodAutoscalerStatusV2beta2;
};

/** Name and labels of a metric. */
export interface MetricIdentifierV2 {
  /** Name of the metric. */
  name: string;
  /** Restricts the metric by its labels; passed to the metrics server unchanged. */
  selector?: meta.LabelSelector;
}

/** One metric to scale by. The field that its type names is set, and no other. */
export interface MetricSpecV2 {
  /** Object, Pods, Resource, ContainerResource or External. */
  type: string;
  /** A metric of one object. */
  object?: ObjectMetricSourceV2;
  /** A metric of the pods. */
  pods?: PodsMetricSourceV2;
  /** Use of a compute resource by the pods. */
  resource?: ResourceMetricSourceV2;
  /** Use of a compute resource by one container of the pods. */
  containerResource?: ContainerResourceMetricSourceV2;
  /** A metric from outside the cluster. */
  external?: ExternalMetricSourceV2;
}

/** One metric to scale by. The field that its type names is set, and no other. */
export interface MetricSpecV2beta1 {
  /** Object, Pods, Resource, ContainerResource or External. */
  type: string;
  /** A metric of one object. */
  object?: ObjectMetricSourceV2beta1;
  /** A metric of the pods. */
  pods?: PodsMetricSourceV2beta1;
  /** Use of a compute resource by the pods. */
  resource?: ResourceMetricSourceV2beta1;
  /** Use of a compute resource by one container of the pods. */
  containerResource?: ContainerResourceMetricSourceV2beta1;
  /** A metric from outside the cluster. */
  external?: ExternalMetricSourceV2beta1;
}

/** State of one metric, at its latest reading. */
export interface MetricStatusV2 {
  /** Object, Pods, Resource, ContainerResource or External. */
  type: string;
  /** State of a metric of one object. */
  object?: ObjectMetricStatusV2;
  /** State of a metric of the pods. */
  pods?: PodsMetricStatusV2;
  /** How much of a compute resource the pods use. */
  resource?: ResourceMetricStatusV2;
  /** How much of a compute resource one container of the pods uses. */
  containerResource?: ContainerResourceMetricStatusV2;
  /** State of a metric from outside the cluster. */
  external?: ExternalMetricStatusV2;
}

/** State of one metric, at its latest reading. */
export interface MetricStatusV2beta1 {
  /** Object, Pods, Resource, ContainerResource or External. */
  type: string;
  /** State of a metric of one object. */
  object?: ObjectMetricStatusV2beta1;
  /** State of a metric of the pods. */
  pods?: PodsMetricStatusV2beta1;
  /** How much of a compute resource the pods use. */
  resource?: ResourceMetricStatusV2beta1;
  /** How much of a compute resource one container of the pods uses. */
  containerResource?: ContainerResourceMetricStatusV2beta1;
  /** State of a metric from outside the cluster. */
  external?: ExternalMetricStatusV2beta1;
}

/** Target value of a metric. Replicas are added while the metric is above it. */
export interface MetricTargetV2 {
  /** Utilization, Value or AverageValue. */
  type: string;
  /** Target value as a whole. */
  value?: string;
  /** Target value per pod. */
  averageValue?: string;
  /** Target utilization of a resource per pod, in percent of what the pods request. */
  averageUtilization?: number;
}

/** Current value of a metric. */
export interface MetricValueStatusV2 {
  /** Value as a whole. */
  value?: string;
  /** Value per pod. */
  averageValue?: string;
  /** Use of a resource per pod, in percent of what the pods request. */
  averageUtilization?: number;
}

/** A metric of one object, such as the requests that arrive at an ingress. */
export interface ObjectMetricSourceV2 {
  /** Object that the metric describes. */
  describedObject: CrossVersionObjectReferenceV2;
  /** Target value of the metric. */
  target: MetricTargetV2;
  /** The metric. */
  metric: MetricIdentifierV2;
}

/** A metric of one object, such as the requests that arrive at an ingress. */
export interface ObjectMetricSourceV2beta1 {
  /** Object that the metric describes. */
  target: CrossVersionObjectReferenceV2;
  /** Name of the metric. */
  metricName: string;
  /** Target value as a whole. */
  targetValue: string;
  /** Restricts the metric by its labels. */
  selector?: meta.LabelSelector;
  /** Target value per pod. */
  averageValue?: string;
}

/** Value of a metric that describes one object. */
export interface ObjectMetricStatusV2 {
  /** The metric. */
  metric: MetricIdentifierV2;
  /** Current value. */
  current: MetricValueStatusV2;
  /** Object that the metric describes. */
  describedObject: CrossVersionObjectReferenceV2;
}

/** Value of a metric that describes one object. */
export interface ObjectMetricStatusV2beta1 {
  /** Object that the metric describes. */
  target: CrossVersionObjectReferenceV2;
  /** Name of the metric. */
  metricName: string;
  /** Value as a whole. */
  currentValue: string;
  /** Restricts the metric by its labels. */
  selector?: meta.LabelSelector;
  /** Value per pod. */
  averageValue?: string;
}

/** A metric of the pods themselves, as an average over all of them. */
export interface PodsMetricSourceV2 {
  /** The metric. */
  metric: MetricIdentifierV2;
  /** Target value of the metric; an average value. */
  target: MetricTargetV2;
}

/** A metric of the pods themselves, as an average over all of them. */
export interface PodsMetricSourceV2beta1 {
  /** Name of the metric. */
  metricName: string;
  /** Target value per pod. */
  targetAverageValue: string;
  /** Restricts the metric by its labels. */
  selector?: meta.LabelSelector;
}

/** Average of a metric over the pods. */
export interface PodsMetricStatusV2 {
  /** The metric. */
  metric: MetricIdentifierV2;
  /** Current value. */
  current: MetricValueStatusV2;
}

/** Average of a metric over the pods. */
export interface PodsMetricStatusV2beta1 {
  /** Name of the metric. */
  metricName: string;
  /** Value per pod. */
  currentAverageValue: string;
  /** Restricts the metric by its labels. */
  selector?: meta.LabelSelector;
}

/** Use of a compute resource by the pods, in relation to their requests or as an absolute value. */
export interface ResourceMetricSourceV2 {
  /** Resource, such as cpu. */
  name: string;
  /** Target utilization. */
  target: MetricTargetV2;
}

/** Use of a compute resource by the pods, in relation to their requests or as an absolute value. */
export interface ResourceMetricSourceV2beta1 {
  /** Resource, such as cpu. */
  name: string;
  /** Target utilization per pod, in percent of what the pods request. */
  targetAverageUtilization?: number;
  /** Target use per pod, as an absolute value. */
  targetAverageValue?: string;
}

/** Average use of a compute resource over the pods. */
export interface ResourceMetricStatusV2 {
  /** Resource, such as cpu. */
  name: string;
  /** How much is used. */
  current: MetricValueStatusV2;
}

/** Average use of a compute resource over the pods. */
export interface ResourceMetricStatusV2beta1 {
  /** Resource, such as cpu. */
  name: string;
  /** Use per pod, in percent of what the pods request. */
  currentAverageUtilization?: number;
  /** Use per pod, as an absolute value. */
  currentAverageValue: string;
}

/** The number of replicas of an object that has replicas. */
export type Scale = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ScaleSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ScaleStatus;
};

/** The desired number of replicas. */
export interface ScaleSpec {
  /** Desired number of replicas. */
  replicas?: number;
}

/** The current number of replicas. */
export interface ScaleStatus {
  /** Current number of replicas. */
  replicas: number;
  /** Selects the pods, in the format of a query parameter. */
  selector?: string;
}
