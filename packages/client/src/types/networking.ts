// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** Ranges from which nodes are assigned ranges of pod addresses. It is immutable. */
export interface ClusterCIDRSpecV1alpha1 {
  /** Nodes that the ranges are for; all when absent. */
  nodeSelector?: core.NodeSelector;
  /** Size of the range of a node, in bits of an address; at least 4. */
  perNodeHostBits: number;
  /** Range of IPv4 addresses. */
  ipv4?: string;
  /** Range of IPv6 addresses. */
  ipv6?: string;
}

/** Addresses for the pods of some nodes. */
export type ClusterCIDRV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ClusterCIDRSpecV1alpha1;
};

/** Backend of the requests for certain paths. */
export interface HTTPIngressPath {
  /** Path, or prefix of paths, depending on the type. */
  path?: string;
  /** How paths are compared: Exact; Prefix, by whole elements; or ImplementationSpecific, depending on the ingress controller. */
  pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix' | (string & {});
  /** Backend of the requests. */
  backend: IngressBackend;
}

/** Backend of the requests for certain paths. */
export interface HTTPIngressPathV1beta1 {
  /** Path, or prefix of paths, depending on the type. */
  path?: string;
  /** How paths are compared: Exact; Prefix, by whole elements; or ImplementationSpecific, depending on the ingress controller. */
  pathType?: 'Exact' | 'ImplementationSpecific' | 'Prefix' | (string & {});
  /** Backend of the requests. */
  backend: IngressBackendV1beta1;
}

/** Backends by path. */
export interface HTTPIngressRuleValue {
  /** The paths. The longest one that matches is used. */
  paths: HTTPIngressPath[];
}

/** Backends by path. */
export interface HTTPIngressRuleValueV1beta1 {
  /** The paths. The longest one that matches is used. */
  paths: HTTPIngressPathV1beta1[];
}

/** An allocated address. Its name is the address in its shortest form. */
export type IPAddress = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: IPAddressSpec;
};

/** Owner of the address. */
export interface IPAddressSpec {
  /** Object that the address belongs to; cannot change. */
  parentRef: ParentReference;
}

/** A range of addresses, usually outside the cluster. */
export interface IPBlock {
  /** The range, such as `192.168.1.0/24`. */
  cidr: string;
  /** Smaller ranges within it that are left out. */
  except?: string[];
}

/** Rules by which HTTP requests from outside reach services. */
export type Ingress = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: IngressSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: IngressStatus;
};

/** Backend of requests: a service, or another object that can serve them. */
export interface IngressBackend {
  /** A service. Not together with resource. */
  service?: IngressServiceBackend;
  /** An object of the same namespace, such as a bucket. Not together with service. */
  resource?: core.TypedLocalObjectReference;
}

/** Backend of requests: a service, or another object that can serve them. */
export interface IngressBackendV1beta1 {
  /** Name of the service, of the same namespace. */
  serviceName?: string;
  /** Number or name of the port of the service. */
  servicePort?: number | string;
  /** An object of the same namespace, such as a bucket. Not together with a service. */
  resource?: core.TypedLocalObjectReference;
}

/** A class of ingresses: those of one controller. An annotation makes one class the default. */
export type IngressClass = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: IngressClassSpec;
};

/** Names the object with the settings of a class. */
export interface IngressClassParametersReference {
  /** Group of the object; the core group when absent. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Cluster, or Namespace for an object of a namespace. */
  scope?: 'Cluster' | 'Namespace' | (string & {}) | null;
  /** Namespace of the object, when it has one. */
  namespace?: string;
}

/** Controller and settings of a class. */
export interface IngressClassSpec {
  /** Controller of the class, such as `example.com/ingress`; cannot change. */
  controller?: string;
  /** Object with the settings of the class. */
  parameters?: IngressClassParametersReference;
}

/** Where the load balancer of an ingress accepts traffic. */
export interface IngressLoadBalancerIngress {
  /** Its address. */
  ip?: string;
  /** Its name. */
  hostname?: string;
  /** State of its ports. */
  ports?: IngressPortStatus[];
}

/** State of the load balancer of an ingress. */
export interface IngressLoadBalancerStatus {
  /** Where it accepts traffic. */
  ingress?: IngressLoadBalancerIngress[];
}

/** State of one port of a load balancer. */
export interface IngressPortStatus {
  /** Port number. */
  port: number;
  /** TCP, UDP or SCTP. */
  protocol: string;
  /** Why the port does not work. */
  error?: string;
}

/** Backends of the requests for a host. */
export interface IngressRule {
  /** Name of the host; `*.` at its beginning stands for one label. All hosts when empty. */
  host?: string;
  /** Backends by path; the default backend when absent. */
  http?: HTTPIngressRuleValue;
}

/** Backends of the requests for a host. */
export interface IngressRuleV1beta1 {
  /** Name of the host; `*.` at its beginning stands for one label. All hosts when empty. */
  host?: string;
  /** Backends by path; the default backend when absent. */
  http?: HTTPIngressRuleValueV1beta1;
}

/** A service that receives requests. */
export interface IngressServiceBackend {
  /** Name of the service, of the same namespace. */
  name: string;
  /** Port of the service. */
  port?: ServiceBackendPort;
}

/** Backends of requests. */
export interface IngressSpec {
  /** Class of the ingress: the controller that serves it. */
  ingressClassName?: string;
  /** Backend of requests that match no rule; required when there are no rules. */
  defaultBackend?: IngressBackend;
  /** Certificates by host. */
  tls?: IngressTLS[];
  /** Backends by host. */
  rules?: IngressRule[];
}

/** Backends of requests. */
export interface IngressSpecV1beta1 {
  /** Class of the ingress: the controller that serves it. */
  ingressClassName?: string;
  /** Backend of requests that match no rule; required when there are no rules. */
  backend?: IngressBackendV1beta1;
  /** Certificates by host. */
  tls?: IngressTLSV1beta1[];
  /** Backends by host. */
  rules?: IngressRuleV1beta1[];
}

/** Observed state of an ingress. */
export interface IngressStatus {
  /** Where its load balancer accepts traffic. */
  loadBalancer?: IngressLoadBalancerStatus;
}

/** A certificate, and the hosts it is for. */
export interface IngressTLS {
  /** Names in the certificate. */
  hosts?: string[];
  /** Secret with certificate and key. */
  secretName?: string;
}

/** A certificate, and the hosts it is for. */
export interface IngressTLSV1beta1 {
  /** Names in the certificate. */
  hosts?: string[];
  /** Secret with certificate and key. */
  secretName?: string;
}

/** Rules by which HTTP requests from outside reach services. */
export type IngressV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: IngressSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: IngressStatus;
};

/** The allowed traffic of a set of pods. Pods without a policy may have any traffic. */
export type NetworkPolicy = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: NetworkPolicySpec;
  /** Most recently observed state of the object; written by the system. */
  status?: NetworkPolicyStatus;
};

/** Traffic that may go out: to any of the peers, at any of the ports. */
export interface NetworkPolicyEgressRule {
  /** Ports of the peers; all when empty. */
  ports?: NetworkPolicyPort[];
  /** Where it may go to; anywhere when empty. */
  to?: NetworkPolicyPeer[];
}

/** Traffic that may come in: from any of the peers, to any of the ports. */
export interface NetworkPolicyIngressRule {
  /** Ports of the pods; all when empty. */
  ports?: NetworkPolicyPort[];
  /** Where it may come from; anywhere when empty. */
  from?: NetworkPolicyPeer[];
}

/** The other side of a connection: pods, or a range of addresses. */
export interface NetworkPolicyPeer {
  /** Labels of pods: in the selected namespaces, or else in that of the policy. */
  podSelector?: meta.LabelSelector;
  /** Labels of namespaces; all pods in them unless podSelector is set. */
  namespaceSelector?: meta.LabelSelector;
  /** A range of addresses. Not together with the selectors. */
  ipBlock?: IPBlock;
}

/** Ports that traffic is allowed to. */
export interface NetworkPolicyPort {
  /** TCP, UDP or SCTP. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | (string & {});
  /** Number or name of the port of the pods; all ports when absent. */
  port?: number | string;
  /** Last port of a range that begins with port, which is a number then. */
  endPort?: number;
}

/** Pods that a policy applies to, and the traffic that it allows. */
export interface NetworkPolicySpec {
  /** Labels of the pods; all pods of the namespace when empty. */
  podSelector: meta.LabelSelector;
  /** Traffic that may come in; none when empty. */
  ingress?: NetworkPolicyIngressRule[];
  /** Traffic that may go out; none when empty. */
  egress?: NetworkPolicyEgressRule[];
  /** Directions that the policy restricts: Ingress, Egress or both. */
  policyTypes?: ('Egress' | 'Ingress' | (string & {}))[];
}

/** Observed state of a policy. */
export interface NetworkPolicyStatus {
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Names the object that an address belongs to. */
export interface ParentReference {
  /** Group of the resource; empty for the core group. */
  group?: string;
  /** Resource, such as services. */
  resource: string;
  /** Namespace of the object, when it has one. */
  namespace?: string;
  /** Name of the object. */
  name: string;
  /** Identity of the object. */
  uid?: string;
}

/** A port of a service, by its name or by its number. */
export interface ServiceBackendPort {
  /** Name of the port. Not together with number. */
  name?: string;
  /** Number of the port. Not together with name. */
  number?: number;
}

/** Ranges from which services get addresses. */
export type ServiceCIDR = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ServiceCIDRSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ServiceCIDRStatus;
};

/** Ranges of the addresses of services. */
export interface ServiceCIDRSpec {
  /** Ranges, at most one of each address family. One of the other family can be added later. */
  cidrs?: string[];
}

/** Observed state of the ranges. */
export interface ServiceCIDRStatus {
  /** Aspects of their state, by type, such as Ready. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}
