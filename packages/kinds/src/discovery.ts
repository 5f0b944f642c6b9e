// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

export type Endpoint = {
  readonly addresses?: readonly string[] | null;
  readonly conditions?: EndpointConditions;
  readonly hostname?: string;
  readonly targetRef?: core.ObjectReference;
  readonly deprecatedTopology?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hints?: EndpointHints;
};

export type EndpointConditions = {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
};

export type EndpointHints = {
  readonly forZones?: readonly ForZone[];
  readonly forNodes?: readonly ForNode[];
};

export type EndpointPort = {
  readonly name?: string;
  readonly protocol?: string;
  readonly port?: number;
  readonly appProtocol?: string;
};

export type EndpointSlice = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly EndpointPort[] | null;
};

export type EndpointSliceV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly addressType?: string;
  readonly endpoints?: readonly EndpointV1alpha1[] | null;
  readonly ports?: readonly EndpointPort[] | null;
};

export type EndpointSliceV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly addressType?: string;
  readonly endpoints?: readonly EndpointV1beta1[] | null;
  readonly ports?: readonly EndpointPort[] | null;
};

export type EndpointV1alpha1 = {
  readonly addresses?: readonly string[] | null;
  readonly conditions?: EndpointConditions;
  readonly hostname?: string;
  readonly targetRef?: core.ObjectReference;
  readonly topology?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
};

export type EndpointV1beta1 = {
  readonly addresses?: readonly string[] | null;
  readonly conditions?: EndpointConditions;
  readonly hostname?: string;
  readonly targetRef?: core.ObjectReference;
  readonly topology?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
  readonly hints?: EndpointHints;
};

export type ForNode = {
  readonly name?: string;
};

export type ForZone = {
  readonly name?: string;
};
