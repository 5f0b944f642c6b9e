// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

/** An endpoint of a service, with its addresses. */
export interface Endpoint {
  /** Addresses of the one endpoint, of the type that the slice has. Consumers use the first. */
  addresses: string[];
  /** Whether it accepts traffic. */
  conditions?: EndpointConditions;
  /** Host name of the endpoint, for a separate name in DNS. */
  hostname?: string;
  /** Object that the endpoint belongs to, usually a pod. */
  targetRef?: core.ObjectReference;
  /** Topology labels of older versions other than node and zone. Cannot be written in this version. */
  deprecatedTopology?: Record<string, string>;
  /** Node that hosts the endpoint. */
  nodeName?: string;
  /** Zone of the endpoint. */
  zone?: string;
  /** Who should use the endpoint. */
  hints?: EndpointHints;
}

/** Whether an endpoint accepts traffic. Absent values are unknown. */
export interface EndpointConditions {
  /** It accepts new traffic: it serves, and is not terminating. */
  ready?: boolean;
  /** It accepts traffic, also while it is terminating. */
  serving?: boolean;
  /** It is terminating. */
  terminating?: boolean;
}

/** Who should use an endpoint. */
export interface EndpointHints {
  /** Zones that should use it, to keep traffic local. */
  forZones?: ForZone[];
  /** Nodes that should use it. */
  forNodes?: ForNode[];
}

/** A port of all endpoints of a slice. */
export interface EndpointPort {
  /** Name of the port, as in the service; no two of a slice have the same. */
  name?: string;
  /** TCP, UDP or SCTP. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | (string & {});
  /** Port number; all ports when absent. */
  port?: number;
  /** Application protocol, such as `http`. */
  appProtocol?: string;
}

/** Some of the endpoints of a service, which a label names. A service may have several slices. */
export type EndpointSlice = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Type of the addresses: IPv4, IPv6 or FQDN, fully qualified names. Cannot change. */
  addressType: 'FQDN' | 'IPv4' | 'IPv6' | (string & {});
  /** The endpoints, at most 1000. */
  endpoints: Endpoint[] | null;
  /** Ports that every endpoint of the slice has, at most 100. Without any, no port is defined. */
  ports?: EndpointPort[] | null;
};

/** Some of the endpoints of a service, which a label names. A service may have several slices. */
export type EndpointSliceV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Type of the addresses: IPv4, IPv6 or FQDN, fully qualified names. Cannot change. */
  addressType: 'FQDN' | 'IPv4' | 'IPv6' | (string & {});
  /** The endpoints, at most 1000. */
  endpoints: EndpointV1alpha1[] | null;
  /** Ports that every endpoint of the slice has, at most 100. Without any, no port is defined. */
  ports?: EndpointPort[] | null;
};

/** Some of the endpoints of a service, which a label names. A service may have several slices. */
export type EndpointSliceV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Type of the addresses: IPv4, IPv6 or FQDN, fully qualified names. Cannot change. */
  addressType: 'FQDN' | 'IPv4' | 'IPv6' | (string & {});
  /** The endpoints, at most 1000. */
  endpoints: EndpointV1beta1[] | null;
  /** Ports that every endpoint of the slice has, at most 100. Without any, no port is defined. */
  ports?: EndpointPort[] | null;
};

/** An endpoint of a service, with its addresses. */
export interface EndpointV1alpha1 {
  /** Addresses of the one endpoint, of the type that the slice has. Consumers use the first. */
  addresses: string[];
  /** Whether it accepts traffic. */
  conditions?: EndpointConditions;
  /** Host name of the endpoint, for a separate name in DNS. */
  hostname?: string;
  /** Object that the endpoint belongs to, usually a pod. */
  targetRef?: core.ObjectReference;
  /** Topology labels of the endpoint, such as node and zone; at most 16. */
  topology?: Record<string, string>;
  /** Node that hosts the endpoint. */
  nodeName?: string;
}

/** An endpoint of a service, with its addresses. */
export interface EndpointV1beta1 {
  /** Addresses of the one endpoint, of the type that the slice has. Consumers use the first. */
  addresses: string[];
  /** Whether it accepts traffic. */
  conditions?: EndpointConditions;
  /** Host name of the endpoint, for a separate name in DNS. */
  hostname?: string;
  /** Object that the endpoint belongs to, usually a pod. */
  targetRef?: core.ObjectReference;
  /** Topology labels of the endpoint, such as node and zone; at most 16. */
  topology?: Record<string, string>;
  /** Node that hosts the endpoint. */
  nodeName?: string;
  /** Who should use the endpoint. */
  hints?: EndpointHints;
}

/** A node that should use an endpoint. */
export interface ForNode {
  /** Name of the node. */
  name: string;
}

/** A zone that should use an endpoint. */
export interface ForZone {
  /** Name of the zone. */
  name: string;
}
