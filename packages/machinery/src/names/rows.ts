/**
 * One identifier that contains the product name, in both namings: `[orch, kubernetes]`; a plain string is the same
 * under both. Such literals are permitted in this folder only.
 */
export type Row = string | readonly [orch: string, kubernetes: string];

/** `coordination` → `coordination.orch.io` / `coordination.k8s.io`. */
export const api = (prefix: string): Row => [`${prefix}.orch.io`, `${prefix}.k8s.io`];

/** A key below a prefixed domain: `topology`, `zone` → `topology.orch.io/zone` / `topology.kubernetes.io/zone`. */
export const key = (prefix: string, rest: string): Row => [
  `${prefix}.orch.io/${rest}`,
  `${prefix}.kubernetes.io/${rest}`,
];

/** A key below an API group's domain: `authorization.orch.io/decision` / `authorization.k8s.io/decision`. */
export const apiKey = (prefix: string, rest: string): Row => [
  `${prefix}.orch.io/${rest}`,
  `${prefix}.k8s.io/${rest}`,
];

/** A key below the bare domain: `hostname` → `orch.io/hostname` / `kubernetes.io/hostname`. */
export const own = (rest: string): Row => [`orch.io/${rest}`, `kubernetes.io/${rest}`];

/** A bare domain without a path: `api-approved` → `api-approved.orch.io` / `api-approved.kubernetes.io`. */
export const domain = (prefix: string): Row => [`${prefix}.orch.io`, `${prefix}.kubernetes.io`];

export const system = (orch: string, kubernetes: string): Row => [`system:${orch}`, `system:${kubernetes}`];

export const extension = (rest: string): Row => [`x-orch-${rest}`, `x-kubernetes-${rest}`];
