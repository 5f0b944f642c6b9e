// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

export type * as admissionregistration from './admissionregistration.ts';
export type * as apiextensions from './apiextensions.ts';
export type * as apiregistration from './apiregistration.ts';
export type * as apiserverinternal from './apiserverinternal.ts';
export type * as apps from './apps.ts';
export type * as auditregistration from './auditregistration.ts';
export type * as authentication from './authentication.ts';
export type * as authorization from './authorization.ts';
export type * as autoscaling from './autoscaling.ts';
export type * as batch from './batch.ts';
export type * as certificates from './certificates.ts';
export type * as coordination from './coordination.ts';
export type * as core from './core.ts';
export type * as discovery from './discovery.ts';
export type * as events from './events.ts';
export type * as extensions from './extensions.ts';
export type * as flowcontrol from './flowcontrol.ts';
export type * as meta from './meta.ts';
export type * as networking from './networking.ts';
export type * as node from './node.ts';
export type * as policy from './policy.ts';
export type * as rbac from './rbac.ts';
export type * as resource from './resource.ts';
export type * as scheduling from './scheduling.ts';
export type * as settings from './settings.ts';
export type * as storage from './storage.ts';
