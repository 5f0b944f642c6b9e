// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

export type ClusterCIDRSpecV1alpha1 = {
  readonly nodeSelector?: core.NodeSelector;
  readonly perNodeHostBits?: number;
  readonly ipv4?: string;
  readonly ipv6?: string;
};

export type ClusterCIDRV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ClusterCIDRSpecV1alpha1;
};

export type HTTPIngressPath = {
  readonly path?: string;
  readonly pathType?: string | null;
  readonly backend?: IngressBackend;
};

export type HTTPIngressPathV1beta1 = {
  readonly path?: string;
  readonly pathType?: string;
  readonly backend?: IngressBackendV1beta1;
};

export type HTTPIngressRuleValue = {
  readonly paths?: readonly HTTPIngressPath[] | null;
};

export type HTTPIngressRuleValueV1beta1 = {
  readonly paths?: readonly HTTPIngressPathV1beta1[] | null;
};

export type IPAddress = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: IPAddressSpec;
};

export type IPAddressSpec = {
  readonly parentRef?: ParentReference;
};

export type IPBlock = {
  readonly cidr?: string;
  readonly except?: readonly string[];
};

export type Ingress = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: IngressSpec;
  readonly status?: IngressStatus;
};

export type IngressBackend = {
  readonly service?: IngressServiceBackend;
  readonly resource?: core.TypedLocalObjectReference;
};

export type IngressBackendV1beta1 = {
  readonly serviceName?: string;
  readonly servicePort?: number | string;
  readonly resource?: core.TypedLocalObjectReference;
};

export type IngressClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: IngressClassSpec;
};

export type IngressClassParametersReference = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly scope?: string | null;
  readonly namespace?: string;
};

export type IngressClassSpec = {
  readonly controller?: string;
  readonly parameters?: IngressClassParametersReference;
};

export type IngressLoadBalancerIngress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ports?: readonly IngressPortStatus[];
};

export type IngressLoadBalancerStatus = {
  readonly ingress?: readonly IngressLoadBalancerIngress[];
};

export type IngressPortStatus = {
  readonly port?: number;
  readonly protocol?: string;
  readonly error?: string;
};

export type IngressRule = {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValue;
};

export type IngressRuleV1beta1 = {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValueV1beta1;
};

export type IngressServiceBackend = {
  readonly name?: string;
  readonly port?: ServiceBackendPort;
};

export type IngressSpec = {
  readonly ingressClassName?: string;
  readonly defaultBackend?: IngressBackend;
  readonly tls?: readonly IngressTLS[];
  readonly rules?: readonly IngressRule[];
};

export type IngressSpecV1beta1 = {
  readonly ingressClassName?: string;
  readonly backend?: IngressBackendV1beta1;
  readonly tls?: readonly IngressTLSV1beta1[];
  readonly rules?: readonly IngressRuleV1beta1[];
};

export type IngressStatus = {
  readonly loadBalancer?: IngressLoadBalancerStatus;
};

export type IngressTLS = {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
};

export type IngressTLSV1beta1 = {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
};

export type IngressV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: IngressSpecV1beta1;
  readonly status?: IngressStatus;
};

export type NetworkPolicy = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: NetworkPolicySpec;
  readonly status?: NetworkPolicyStatus;
};

export type NetworkPolicyEgressRule = {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly to?: readonly NetworkPolicyPeer[];
};

export type NetworkPolicyIngressRule = {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly from?: readonly NetworkPolicyPeer[];
};

export type NetworkPolicyPeer = {
  readonly podSelector?: meta.LabelSelector;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly ipBlock?: IPBlock;
};

export type NetworkPolicyPort = {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
};

export type NetworkPolicySpec = {
  readonly podSelector?: meta.LabelSelector;
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  readonly egress?: readonly NetworkPolicyEgressRule[];
  readonly policyTypes?: readonly string[];
};

export type NetworkPolicyStatus = {
  readonly conditions?: readonly meta.Condition[];
};

export type ParentReference = {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
};

export type ServiceBackendPort = {
  readonly name?: string;
  readonly number?: number;
};

export type ServiceCIDR = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ServiceCIDRSpec;
  readonly status?: ServiceCIDRStatus;
};

export type ServiceCIDRSpec = {
  readonly cidrs?: readonly string[];
};

export type ServiceCIDRStatus = {
  readonly conditions?: readonly meta.Condition[];
};
