// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';

/** Seats of a level whose requests are not limited. */
export interface ExemptPriorityLevelConfigurationV1beta3 {
  /** Share of the seats of a server, in proportion to those of all other levels. */
  nominalConcurrencyShares?: number;
  /** Part of its seats that other levels may borrow, in percent. */
  lendablePercent?: number;
}

/** How requests of one schema are divided into flows that share fairly. */
export interface FlowDistinguisherMethodV1beta3 {
  /** ByUser or ByNamespace. */
  type: string;
}

/** One aspect of the state of a flow schema. */
export interface FlowSchemaConditionV1beta3 {
  /** Type of the condition. */
  type?: string;
  /** Whether it holds: True, False or Unknown. */
  status?: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Requests of the schema, and how they are classified. */
export interface FlowSchemaSpecV1beta3 {
  /** Priority level of the requests. */
  priorityLevelConfiguration: PriorityLevelConfigurationReferenceV1beta3;
  /** Of the schemas that match a request, the one with the lowest value is used; from 1 to 10000. */
  matchingPrecedence?: number;
  /** How the requests are divided into flows; all are one flow when absent. */
  distinguisherMethod?: FlowDistinguisherMethodV1beta3;
  /** Requests of the schema: those that match any of these; none when empty. */
  rules?: PolicyRulesWithSubjectsV1beta3[];
}

/** Observed state of a flow schema. */
export interface FlowSchemaStatusV1beta2 {
  /** Aspects of its state, by type. */
  conditions?: KeyedList<FlowSchemaConditionV1beta3, 'type'>;
}

/** Observed state of a flow schema. */
export interface FlowSchemaStatusV1beta3 {
  /** Aspects of its state, by type. */
  conditions?: KeyedList<FlowSchemaConditionV1beta3, 'type'>;
}

/** Assigns requests to flows and priority levels. */
export type FlowSchemaV1beta2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: FlowSchemaSpecV1beta3;
  /** Most recently observed state of the object; written by the system. */
  status?: FlowSchemaStatusV1beta2;
};

/** Assigns requests to flows and priority levels. */
export type FlowSchemaV1beta3 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: FlowSchemaSpecV1beta3;
  /** Most recently observed state of the object; written by the system. */
  status?: FlowSchemaStatusV1beta3;
};

/** The group of the users of the requests. */
export interface GroupSubjectV1beta3 {
  /** Name of the group; `*` for all. */
  name: string;
}

/** What happens to requests that cannot be served immediately. */
export interface LimitResponseV1beta3 {
  /** Queue or Reject. */
  type: string;
  /** How they wait, for Queue. */
  queuing?: QueuingConfigurationV1beta3;
}

/** How many requests of a level are served at the same time, and what happens to further ones. */
export interface LimitedPriorityLevelConfiguration {
  /** Share of the seats of a server, in proportion to those of all other levels. */
  nominalConcurrencyShares?: number | null;
  /** What happens to requests beyond the limit. */
  limitResponse?: LimitResponseV1beta3;
  /** Part of its seats that other levels may borrow, in percent. */
  lendablePercent?: number;
  /** How many seats it may borrow, in percent of its nominal seats; no bound when absent. */
  borrowingLimitPercent?: number;
}

/** How many requests of a level are served at the same time, and what happens to further ones. */
export interface LimitedPriorityLevelConfigurationV1beta2 {
  /** Share of the seats of a server, in proportion to those of all other levels. */
  assuredConcurrencyShares?: number;
  /** What happens to requests beyond the limit. */
  limitResponse?: LimitResponseV1beta3;
  /** Part of its seats that other levels may borrow, in percent. */
  lendablePercent?: number;
  /** How many seats it may borrow, in percent of its nominal seats; no bound when absent. */
  borrowingLimitPercent?: number;
}

/** How many requests of a level are served at the same time, and what happens to further ones. */
export interface LimitedPriorityLevelConfigurationV1beta3 {
  /** Share of the seats of a server, in proportion to those of all other levels. */
  nominalConcurrencyShares?: number;
  /** What happens to requests beyond the limit. */
  limitResponse?: LimitResponseV1beta3;
  /** Part of its seats that other levels may borrow, in percent. */
  lendablePercent?: number;
  /** How many seats it may borrow, in percent of its nominal seats; no bound when absent. */
  borrowingLimitPercent?: number;
}

/** Requests for URL paths that are not resources. */
export interface NonResourcePolicyRuleV1beta3 {
  /** Verbs of the requests; `*` alone for all. */
  verbs: string[];
  /** Paths; a final `/*` includes all paths below, `*` alone is every path. */
  nonResourceURLs: string[];
}

/** Requests of certain subjects for certain resources or paths. */
export interface PolicyRulesWithSubjectsV1beta3 {
  /** Users, groups and service accounts of the requests. */
  subjects: SubjectV1beta3[];
  /** Requests for resources. */
  resourceRules?: ResourcePolicyRuleV1beta3[];
  /** Requests for other paths. */
  nonResourceRules?: NonResourcePolicyRuleV1beta3[];
}

/** A priority with which requests are served. */
export type PriorityLevelConfiguration = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PriorityLevelConfigurationSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: PriorityLevelConfigurationStatusV1beta3;
};

/** One aspect of the state of a priority level. */
export interface PriorityLevelConfigurationConditionV1beta3 {
  /** Type of the condition. */
  type?: string;
  /** Whether it holds: True, False or Unknown. */
  status?: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Names a priority level. */
export interface PriorityLevelConfigurationReferenceV1beta3 {
  /** Name of the priority level. */
  name: string;
}

/** Whether and how requests of a level are limited. */
export interface PriorityLevelConfigurationSpec {
  /** Exempt or Limited. */
  type: string;
  /** The limits, for Limited. */
  limited?: LimitedPriorityLevelConfiguration;
  /** The seats, for Exempt. */
  exempt?: ExemptPriorityLevelConfigurationV1beta3;
}

/** Whether and how requests of a level are limited. */
export interface PriorityLevelConfigurationSpecV1beta2 {
  /** Exempt or Limited. */
  type: string;
  /** The limits, for Limited. */
  limited?: LimitedPriorityLevelConfigurationV1beta2;
  /** The seats, for Exempt. */
  exempt?: ExemptPriorityLevelConfigurationV1beta3;
}

/** Whether and how requests of a level are limited. */
export interface PriorityLevelConfigurationSpecV1beta3 {
  /** Exempt or Limited. */
  type: string;
  /** The limits, for Limited. */
  limited?: LimitedPriorityLevelConfigurationV1beta3;
  /** The seats, for Exempt. */
  exempt?: ExemptPriorityLevelConfigurationV1beta3;
}

/** Observed state of a priority level. */
export interface PriorityLevelConfigurationStatusV1beta2 {
  /** Aspects of its state, by type. */
  conditions?: KeyedList<PriorityLevelConfigurationConditionV1beta3, 'type'>;
}

/** Observed state of a priority level. */
export interface PriorityLevelConfigurationStatusV1beta3 {
  /** Aspects of its state, by type. */
  conditions?: KeyedList<PriorityLevelConfigurationConditionV1beta3, 'type'>;
}

/** A priority with which requests are served. */
export type PriorityLevelConfigurationV1beta2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PriorityLevelConfigurationSpecV1beta2;
  /** Most recently observed state of the object; written by the system. */
  status?: PriorityLevelConfigurationStatusV1beta2;
};

/** A priority with which requests are served. */
export type PriorityLevelConfigurationV1beta3 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PriorityLevelConfigurationSpecV1beta3;
  /** Most recently observed state of the object; written by the system. */
  status?: PriorityLevelConfigurationStatusV1beta3;
};

/** How requests wait. */
export interface QueuingConfigurationV1beta3 {
  /** Number of queues. With one, all requests wait in the order in which they came. */
  queues?: number;
  /** Number of queues of a flow, of which each request joins the shortest: few isolate heavy flows, many balance the load. */
  handSize?: number;
  /** Maximum number of requests that wait in one queue. */
  queueLengthLimit?: number;
}

/** Requests for resources: those that match one entry of each list. */
export interface ResourcePolicyRuleV1beta3 {
  /** Verbs of the requests; `*` alone for all. */
  verbs: string[];
  /** Groups of the resources; `*` alone for all. */
  apiGroups: string[];
  /** Resources, or subresources as `pods/log`; `*` alone for all. */
  resources: string[];
  /** Includes requests without a namespace. */
  clusterScope?: boolean;
  /** Namespaces of the requests; `*` alone for all. */
  namespaces?: string[] | null;
}

/** The service account of the requests. */
export interface ServiceAccountSubjectV1beta3 {
  /** Namespace of the account. */
  namespace: string;
  /** Name of the account; `*` for all. */
  name: string;
}

/** User, group or service account of the requests. The kind determines which other field is set. */
export interface SubjectV1beta3 {
  /** User, Group or ServiceAccount. */
  kind: string;
  /** For kind User. */
  user?: UserSubjectV1beta3;
  /** For kind Group. */
  group?: GroupSubjectV1beta3;
  /** For kind ServiceAccount. */
  serviceAccount?: ServiceAccountSubjectV1beta3;
}

/** The user of the requests. */
export interface UserSubjectV1beta3 {
  /** Name of the user; `*` for all. */
  name: string;
}
