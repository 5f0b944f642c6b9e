// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** How requests of one schema are divided into flows that share fairly. */
export interface FlowDistinguisherMethodV1beta3 {
  /** ByUser or ByNamespace. */
  type: string;
}

/** One aspect of the state of a flow schema. */
export interface FlowSchemaConditionV1beta3 {
  /** Which aspect. */
  type?: string;
  /** Whether it holds: True, False or Unknown. */
  status?: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** Which requests are meant, and how they are treated. */
export interface FlowSchemaSpecV1beta3 {
  /** Priority level of the requests. */
  priorityLevelConfiguration: PriorityLevelConfigurationReferenceV1beta3;
  /** Of the schemas that match a request the one with the least counts; from 1 to 10000. */
  matchingPrecedence?: number;
  /** How the requests are divided into flows; all are one flow when absent. */
  distinguisherMethod?: FlowDistinguisherMethodV1beta3;
  /** Requests that are meant: those that any of these is about; none without any. */
  rules?: PolicyRulesWithSubjectsV1beta3[];
}

/** How a flow schema does. */
export interface FlowSchemaStatusV1beta2 {
  /** Aspects of its state, by type. */
  conditions?: FlowSchemaConditionV1beta3[];
}

/** How a flow schema does. */
export interface FlowSchemaStatusV1beta3 {
  /** Aspects of its state, by type. */
  conditions?: FlowSchemaConditionV1beta3[];
}

/** Puts requests into flows and says with which priority they are served. */
export type FlowSchemaV1beta2 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: FlowSchemaSpecV1beta3;
  /** What was observed last; written by the system, never by the owner. */
  status?: FlowSchemaStatusV1beta2;
};

/** Puts requests into flows and says with which priority they are served. */
export type FlowSchemaV1beta3 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: FlowSchemaSpecV1beta3;
  /** What was observed last; written by the system, never by the owner. */
  status?: FlowSchemaStatusV1beta3;
};

/** A group whose requests are meant. */
export interface GroupSubjectV1beta3 {
  /** Name of the group; `*` for all. */
  name: string;
}

/** What becomes of requests that cannot be served at once. */
export interface LimitResponseV1beta3 {
  /** Queue or Reject. */
  type: string;
  /** How they wait, for Queue. */
  queuing?: QueuingConfigurationV1beta3;
}

/** How many requests of a level are served at once, and what becomes of more. */
export interface LimitedPriorityLevelConfigurationV1beta2 {
  /** Share of the seats of a server, in proportion to those of all other levels. */
  assuredConcurrencyShares?: number;
  /** What becomes of requests beyond that. */
  limitResponse?: LimitResponseV1beta3;
  /** Which part of its seats other levels may borrow. */
  lendablePercent?: number;
  /** How many seats it may borrow, in percent of its nominal seats; no bound when absent. */
  borrowingLimitPercent?: number;
}

/** How many requests of a level are served at once, and what becomes of more. */
export interface LimitedPriorityLevelConfigurationV1beta3 {
  /** Share of the seats of a server, in proportion to those of all other levels. */
  nominalConcurrencyShares?: number;
  /** What becomes of requests beyond that. */
  limitResponse?: LimitResponseV1beta3;
  /** Which part of its seats other levels may borrow. */
  lendablePercent?: number;
  /** How many seats it may borrow, in percent of its nominal seats; no bound when absent. */
  borrowingLimitPercent?: number;
}

/** Requests for URL paths that are no resources. */
export interface NonResourcePolicyRuleV1beta3 {
  /** Verbs of the requests; `*` alone for all. */
  verbs: string[];
  /** Paths; a final `/*` takes in all below, `*` alone is every path. */
  nonResourceURLs: string[];
}

/** Requests of certain subjects for certain things. */
export interface PolicyRulesWithSubjectsV1beta3 {
  /** Whose requests are meant. */
  subjects: SubjectV1beta3[];
  /** Requests for resources that are meant. */
  resourceRules?: ResourcePolicyRuleV1beta3[];
  /** Requests for other paths that are meant. */
  nonResourceRules?: NonResourcePolicyRuleV1beta3[];
}

/** One aspect of the state of a priority level. */
export interface PriorityLevelConfigurationConditionV1beta3 {
  /** Which aspect. */
  type?: string;
  /** Whether it holds: True, False or Unknown. */
  status?: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** Names a priority level. */
export interface PriorityLevelConfigurationReferenceV1beta3 {
  /** Name of the priority level. */
  name: string;
}

/** Whether and how requests of a level are limited. */
export interface PriorityLevelConfigurationSpecV1beta2 {
  /** Exempt or Limited. */
  type: string;
  /** The limits, for Limited. */
  limited?: LimitedPriorityLevelConfigurationV1beta2;
}

/** Whether and how requests of a level are limited. */
export interface PriorityLevelConfigurationSpecV1beta3 {
  /** Exempt or Limited. */
  type: string;
  /** The limits, for Limited. */
  limited?: LimitedPriorityLevelConfigurationV1beta3;
}

/** How a priority level does. */
export interface PriorityLevelConfigurationStatusV1beta2 {
  /** Aspects of its state, by type. */
  conditions?: PriorityLevelConfigurationConditionV1beta3[];
}

/** How a priority level does. */
export interface PriorityLevelConfigurationStatusV1beta3 {
  /** Aspects of its state, by type. */
  conditions?: PriorityLevelConfigurationConditionV1beta3[];
}

/** A priority with which requests are served. */
export type PriorityLevelConfigurationV1beta2 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: PriorityLevelConfigurationSpecV1beta2;
  /** What was observed last; written by the system, never by the owner. */
  status?: PriorityLevelConfigurationStatusV1beta2;
};

/** A priority with which requests are served. */
export type PriorityLevelConfigurationV1beta3 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: PriorityLevelConfigurationSpecV1beta3;
  /** What was observed last; written by the system, never by the owner. */
  status?: PriorityLevelConfigurationStatusV1beta3;
};

/** How requests wait. */
export interface QueuingConfigurationV1beta3 {
  /** Number of queues. With one, all requests wait in the order in which they came. */
  queues?: number;
  /** Number of queues among which a flow takes the shortest: few keep heavy flows apart, many share better. */
  handSize?: number;
  /** Most requests that wait in one queue. */
  queueLengthLimit?: number;
}

/** Requests for resources: those that one of each list is about. */
export interface ResourcePolicyRuleV1beta3 {
  /** Verbs of the requests; `*` alone for all. */
  verbs: string[];
  /** Groups of the resources; `*` alone for all. */
  apiGroups: string[];
  /** Resources, or subresources as `pods/log`; `*` alone for all. */
  resources: string[];
  /** Takes in requests that name no namespace. */
  clusterScope?: boolean;
  /** Namespaces of the requests; `*` alone for all. */
  namespaces?: string[] | null;
}

/** A service account whose requests are meant. */
export interface ServiceAccountSubjectV1beta3 {
  /** Namespace of the account. */
  namespace: string;
  /** Name of the account; `*` for all. */
  name: string;
}

/** Whose requests are meant. The kind says which other field is there. */
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

/** A user whose requests are meant. */
export interface UserSubjectV1beta3 {
  /** Name of the user; `*` for all. */
  name: string;
}
