// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';

/** One column of the table in which clients show the objects. */
export interface CustomResourceColumnDefinition {
  /** Heading. */
  name: string;
  /** Type of the values: boolean, date, integer, number or string. */
  type: string;
  /** Form of the values, as in OpenAPI. */
  format?: string;
  /** Description of the column. */
  description?: string;
  /** 0 for columns that are always shown; others are shown in wide output. */
  priority?: number;
  /** Path of the value in the objects, such as `.spec.size`. */
  jsonPath: string;
}

/** One column of the table in which clients show the objects. */
export interface CustomResourceColumnDefinitionV1beta1 {
  /** Heading. */
  name: string;
  /** Type of the values: boolean, date, integer, number or string. */
  type: string;
  /** Form of the values, as in OpenAPI. */
  format?: string;
  /** Description of the column. */
  description?: string;
  /** 0 for columns that are always shown; others are shown in wide output. */
  priority?: number;
  /** Path of the value in the objects, such as `.spec.size`. */
  JSONPath: string;
}

/** Strategy of conversion, and the webhook that it calls. */
export interface CustomResourceConversion {
  /** None changes the apiVersion only; Webhook calls a webhook. */
  strategy: 'None' | 'Webhook' | (string & {});
  /** The webhook, where the strategy is Webhook. */
  webhook?: WebhookConversion;
}

/** Strategy of conversion, and the webhook that it calls. */
export interface CustomResourceConversionV1beta1 {
  /** None changes the apiVersion only; Webhook calls a webhook. */
  strategy: 'None' | 'Webhook' | (string & {});
  /** How to reach the webhook, where the strategy is Webhook. */
  webhookClientConfig?: WebhookClientConfigV1beta1;
  /** Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent. */
  conversionReviewVersions?: string[];
}

/** Adds a custom resource to the API. Its name is `plural.group`. */
export type CustomResourceDefinition = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: CustomResourceDefinitionSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: CustomResourceDefinitionStatus;
};

/** One aspect of the state of a definition. */
export interface CustomResourceDefinitionCondition {
  /** Type of the condition: Established, NamesAccepted, NonStructuralSchema, Terminating or the conformance to the approval policy. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
  /** Generation of the definition that the condition is about. */
  observedGeneration?: Int64;
}

/** One aspect of the state of a definition. */
export interface CustomResourceDefinitionConditionV1beta1 {
  /** Type of the condition: Established, NamesAccepted, NonStructuralSchema, Terminating or the conformance to the approval policy. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
  /** Generation of the definition that the condition is about. */
  observedGeneration?: Int64;
}

/** Names of a custom resource. */
export interface CustomResourceDefinitionNames {
  /** Name of the resource in paths, in the plural and in lower case. */
  plural: string;
  /** Name of one object in lower case; the kind in lower case when absent. */
  singular?: string;
  /** Short forms for the command line. */
  shortNames?: string[];
  /** Kind of the objects, in CamelCase. */
  kind: string;
  /** Kind of lists; the kind with List behind it when absent. */
  listKind?: string;
  /** Groups of resources that this one belongs to, such as all. */
  categories?: string[];
}

/** Names of a custom resource. */
export interface CustomResourceDefinitionNamesV1beta1 {
  /** Name of the resource in paths, in the plural and in lower case. */
  plural: string;
  /** Name of one object in lower case; the kind in lower case when absent. */
  singular?: string;
  /** Short forms for the command line. */
  shortNames?: string[];
  /** Kind of the objects, in CamelCase. */
  kind: string;
  /** Kind of lists; the kind with List behind it when absent. */
  listKind?: string;
  /** Groups of resources that this one belongs to, such as all. */
  categories?: string[];
}

/** Names and versions of a custom resource. */
export interface CustomResourceDefinitionSpec {
  /** Group of the resource, a domain name. It cannot change later. */
  group: string;
  /** Names of the resource. */
  names: CustomResourceDefinitionNames;
  /** Whether its objects are in namespaces: Namespaced or Cluster. */
  scope: 'Cluster' | 'Namespaced' | (string & {});
  /** Its versions. In discovery they are ordered by stability and age, independent of their order here. */
  versions: CustomResourceDefinitionVersion[] | null;
  /** How objects are converted from one version to another. */
  conversion?: CustomResourceConversion;
  /** Keeps fields that the schema does not declare, at every place. No longer allowed: set it in the schema instead. */
  preserveUnknownFields?: boolean;
}

/** Names and versions of a custom resource. */
export interface CustomResourceDefinitionSpecV1beta1 {
  /** Group of the resource, a domain name. It cannot change later. */
  group: string;
  /** The first version. Use versions instead. */
  version?: string;
  /** Names of the resource. */
  names: CustomResourceDefinitionNamesV1beta1;
  /** Whether its objects are in namespaces: Namespaced or Cluster. */
  scope: 'Cluster' | 'Namespaced' | (string & {});
  /** How objects of all versions are checked, unless the versions declare it. */
  validation?: CustomResourceValidationV1beta1;
  /** Subresources of all versions, unless the versions declare them. */
  subresources?: CustomResourceSubresourcesV1beta1;
  /** Its versions. In discovery they are ordered by stability and age, independent of their order here. */
  versions?: CustomResourceDefinitionVersionV1beta1[];
  /** Columns of the tables of all versions, unless the versions declare them. */
  additionalPrinterColumns?: CustomResourceColumnDefinitionV1beta1[];
  /** Fields that field selectors can use in all versions, unless the versions declare them. */
  selectableFields?: SelectableFieldV1beta1[];
  /** How objects are converted from one version to another. */
  conversion?: CustomResourceConversionV1beta1;
  /** Keeps fields that the schema does not declare, at every place. Defaults require false. */
  preserveUnknownFields?: boolean;
}

/** Whether a custom resource is served, and under which names. */
export interface CustomResourceDefinitionStatus {
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<CustomResourceDefinitionCondition, 'type'> | null;
  /** Names under which it is served; others may have been taken. */
  acceptedNames?: CustomResourceDefinitionNames;
  /** Versions in which objects have been stored. One may be removed once its objects have been stored again. */
  storedVersions?: string[] | null;
  /** Generation of the definition that the status is about. */
  observedGeneration?: Int64;
}

/** Whether a custom resource is served, and under which names. */
export interface CustomResourceDefinitionStatusV1beta1 {
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<CustomResourceDefinitionConditionV1beta1, 'type'> | null;
  /** Names under which it is served; others may have been taken. */
  acceptedNames?: CustomResourceDefinitionNamesV1beta1;
  /** Versions in which objects have been stored. One may be removed once its objects have been stored again. */
  storedVersions?: string[] | null;
  /** Generation of the definition that the status is about. */
  observedGeneration?: Int64;
}

/** Adds a custom resource to the API. Its name is `plural.group`. */
export type CustomResourceDefinitionV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: CustomResourceDefinitionSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: CustomResourceDefinitionStatusV1beta1;
};

/** One version in which a custom resource is served or stored. */
export interface CustomResourceDefinitionVersion {
  /** Name of the version, such as v1beta1. */
  name: string;
  /** Whether clients can use it. */
  served: boolean;
  /** Whether objects are stored in it; exactly one version has this. */
  storage: boolean;
  /** Whether clients that use it are warned. */
  deprecated?: boolean;
  /** The warning that they receive instead of the usual one. */
  deprecationWarning?: string;
  /** How objects are checked and pruned. */
  schema?: CustomResourceValidation;
  /** Subresources of the version. */
  subresources?: CustomResourceSubresources;
  /** Columns of the table in addition to the name; the age when there are none. */
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  /** Fields that field selectors can use, at most 8, in addition to name and namespace. */
  selectableFields?: SelectableField[];
}

/** One version in which a custom resource is served or stored. */
export interface CustomResourceDefinitionVersionV1beta1 {
  /** Name of the version, such as v1beta1. */
  name: string;
  /** Whether clients can use it. */
  served: boolean;
  /** Whether objects are stored in it; exactly one version has this. */
  storage: boolean;
  /** Whether clients that use it are warned. */
  deprecated?: boolean;
  /** The warning that they receive instead of the usual one. */
  deprecationWarning?: string;
  /** How objects are checked and pruned. */
  schema?: CustomResourceValidationV1beta1;
  /** Subresources of the version. */
  subresources?: CustomResourceSubresourcesV1beta1;
  /** Columns of the table in addition to the name; the age when there are none. */
  additionalPrinterColumns?: CustomResourceColumnDefinitionV1beta1[];
  /** Fields that field selectors can use, at most 8, in addition to name and namespace. */
  selectableFields?: SelectableFieldV1beta1[];
}

/** Paths of the numbers of replicas in the objects. */
export interface CustomResourceSubresourceScale {
  /** Path below `.spec` of the desired number. */
  specReplicasPath: string;
  /** Path below `.status` of the current number. */
  statusReplicasPath: string;
  /** Path below `.spec` or `.status` of a label selector in string form; autoscalers need it. */
  labelSelectorPath?: string;
}

/** Paths of the numbers of replicas in the objects. */
export interface CustomResourceSubresourceScaleV1beta1 {
  /** Path below `.spec` of the desired number. */
  specReplicasPath: string;
  /** Path below `.status` of the current number. */
  statusReplicasPath: string;
  /** Path below `.spec` or `.status` of a label selector in string form; autoscalers need it. */
  labelSelectorPath?: string;
}

/** Has no fields: it is present or absent. */
export type CustomResourceSubresourceStatus = Record<string, never>;

/** Has no fields: it is present or absent. */
export type CustomResourceSubresourceStatusV1beta1 = Record<string, never>;

/** Subresources that a custom resource has. */
export interface CustomResourceSubresources {
  /** Makes the status writable through a separate path, and only through that. */
  status?: CustomResourceSubresourceStatus;
  /** Shows the objects as a Scale. */
  scale?: CustomResourceSubresourceScale;
}

/** Subresources that a custom resource has. */
export interface CustomResourceSubresourcesV1beta1 {
  /** Makes the status writable through a separate path, and only through that. */
  status?: CustomResourceSubresourceStatusV1beta1;
  /** Shows the objects as a Scale. */
  scale?: CustomResourceSubresourceScaleV1beta1;
}

/** How custom objects are checked and pruned. */
export interface CustomResourceValidation {
  /** Schema of the objects. */
  openAPIV3Schema?: JSONSchemaProps;
}

/** How custom objects are checked and pruned. */
export interface CustomResourceValidationV1beta1 {
  /** Schema of the objects. */
  openAPIV3Schema?: JSONSchemaPropsV1beta1;
}

/** Address and description of a document. */
export interface ExternalDocumentation {
  /** A description of the document. */
  description?: string;
  /** Its address. */
  url?: string;
}

/** Address and description of a document. */
export interface ExternalDocumentationV1beta1 {
  /** A description of the document. */
  description?: string;
  /** Its address. */
  url?: string;
}

/** A JSON Schema, restricted to the keywords that describe resources. */
export interface JSONSchemaProps {
  /** Not allowed. */
  id?: string;
  /** Dialect of the schema; without effect. */
  $schema?: string;
  /** Not allowed. */
  $ref?: string;
  /** Human-readable description of the value. */
  description?: string;
  /** Type of the value: array, boolean, integer, number, object or string. */
  type?: string;
  /** Form of a string or number, such as date-time; unknown ones have no effect. */
  format?: string;
  /** Title of the value. */
  title?: string;
  /** Value of the field when it is absent. */
  default?: unknown;
  /** Largest number. */
  maximum?: number;
  /** The maximum itself is too large. */
  exclusiveMaximum?: boolean;
  /** Smallest number. */
  minimum?: number;
  /** The minimum itself is too small. */
  exclusiveMinimum?: boolean;
  /** Maximum number of characters of a string. */
  maxLength?: Int64;
  /** Minimum number of characters of a string. */
  minLength?: Int64;
  /** Regular expression that some part of a string must match. */
  pattern?: string;
  /** Maximum number of items of an array. */
  maxItems?: Int64;
  /** Minimum number of items of an array. */
  minItems?: Int64;
  /** Not allowed: use a list type instead. */
  uniqueItems?: boolean;
  /** The number must be a multiple of this one. */
  multipleOf?: number;
  /** The only values that are allowed. */
  enum?: unknown[];
  /** Maximum number of fields of an object. */
  maxProperties?: Int64;
  /** Minimum number of fields of an object. */
  minProperties?: Int64;
  /** Required fields. */
  required?: string[];
  /** Schema of the items of an array. */
  items?: JSONSchemaPropsOrArray;
  /** Schemas that must all hold. */
  allOf?: JSONSchemaProps[];
  /** Schemas of which exactly one must hold. */
  oneOf?: JSONSchemaProps[];
  /** Schemas of which one at least must hold. */
  anyOf?: JSONSchemaProps[];
  /** Schema that must not hold. */
  not?: JSONSchemaProps;
  /** Schemas of the fields of an object. */
  properties?: Record<string, JSONSchemaProps>;
  /** Schema of all fields of an object that is a map, instead of properties. */
  additionalProperties?: JSONSchemaPropsOrBool;
  /** Not allowed. */
  patternProperties?: Record<string, JSONSchemaProps>;
  /** Not allowed. */
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>;
  /** Not allowed. */
  additionalItems?: JSONSchemaPropsOrBool;
  /** Not allowed. */
  definitions?: Record<string, JSONSchemaProps>;
  /** A document with further information. */
  externalDocs?: ExternalDocumentation;
  /** A value, as an example. */
  example?: unknown;
  /** Null is allowed too. */
  nullable?: boolean;
  /** Keeps fields that the schema does not declare: true, or absent. */
  'x-orch-preserve-unknown-fields'?: boolean;
  /** Keeps fields that the schema does not declare: true, or absent. */
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  /** The value is an object of the API with separate kind, apiVersion and metadata. */
  'x-orch-embedded-resource'?: boolean;
  /** The value is an object of the API with separate kind, apiVersion and metadata. */
  'x-kubernetes-embedded-resource'?: boolean;
  /** The value is a whole number or a string; then there is no type. */
  'x-orch-int-or-string'?: boolean;
  /** The value is a whole number or a string; then there is no type. */
  'x-kubernetes-int-or-string'?: boolean;
  /** Fields that identify the items of a list of type map. */
  'x-orch-list-map-keys'?: string[];
  /** Fields that identify the items of a list of type map. */
  'x-kubernetes-list-map-keys'?: string[];
  /** How lists are merged: atomic as one value, set by their items, map by the keys of their items. */
  'x-orch-list-type'?: string;
  /** How lists are merged: atomic as one value, set by their items, map by the keys of their items. */
  'x-kubernetes-list-type'?: string;
  /** How objects are merged: granular field by field, atomic as one value. */
  'x-orch-map-type'?: string;
  /** How objects are merged: granular field by field, atomic as one value. */
  'x-kubernetes-map-type'?: string;
  /** Expressions that the value must satisfy. */
  'x-orch-validations'?: KeyedList<ValidationRule, 'rule'>;
  /** Expressions that the value must satisfy. */
  'x-kubernetes-validations'?: KeyedList<ValidationRule, 'rule'>;
}

/** A schema, or a list of schemas. */
export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[];

/** A schema, or a list of schemas. */
export type JSONSchemaPropsOrArrayV1beta1 = JSONSchemaPropsV1beta1 | JSONSchemaPropsV1beta1[];

/** A schema, or whether anything goes. */
export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;

/** A schema, or whether anything goes. */
export type JSONSchemaPropsOrBoolV1beta1 = JSONSchemaPropsV1beta1 | boolean;

/** A schema, or a list of names. */
export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[];

/** A schema, or a list of names. */
export type JSONSchemaPropsOrStringArrayV1beta1 = JSONSchemaPropsV1beta1 | string[];

/** A JSON Schema, restricted to the keywords that describe resources. */
export interface JSONSchemaPropsV1beta1 {
  /** Not allowed. */
  id?: string;
  /** Dialect of the schema; without effect. */
  $schema?: string;
  /** Not allowed. */
  $ref?: string;
  /** Human-readable description of the value. */
  description?: string;
  /** Type of the value: array, boolean, integer, number, object or string. */
  type?: string;
  /** Form of a string or number, such as date-time; unknown ones have no effect. */
  format?: string;
  /** Title of the value. */
  title?: string;
  /** Value of the field when it is absent. */
  default?: unknown;
  /** Largest number. */
  maximum?: number;
  /** The maximum itself is too large. */
  exclusiveMaximum?: boolean;
  /** Smallest number. */
  minimum?: number;
  /** The minimum itself is too small. */
  exclusiveMinimum?: boolean;
  /** Maximum number of characters of a string. */
  maxLength?: Int64;
  /** Minimum number of characters of a string. */
  minLength?: Int64;
  /** Regular expression that some part of a string must match. */
  pattern?: string;
  /** Maximum number of items of an array. */
  maxItems?: Int64;
  /** Minimum number of items of an array. */
  minItems?: Int64;
  /** Not allowed: use a list type instead. */
  uniqueItems?: boolean;
  /** The number must be a multiple of this one. */
  multipleOf?: number;
  /** The only values that are allowed. */
  enum?: unknown[];
  /** Maximum number of fields of an object. */
  maxProperties?: Int64;
  /** Minimum number of fields of an object. */
  minProperties?: Int64;
  /** Required fields. */
  required?: string[];
  /** Schema of the items of an array. */
  items?: JSONSchemaPropsOrArrayV1beta1;
  /** Schemas that must all hold. */
  allOf?: JSONSchemaPropsV1beta1[];
  /** Schemas of which exactly one must hold. */
  oneOf?: JSONSchemaPropsV1beta1[];
  /** Schemas of which one at least must hold. */
  anyOf?: JSONSchemaPropsV1beta1[];
  /** Schema that must not hold. */
  not?: JSONSchemaPropsV1beta1;
  /** Schemas of the fields of an object. */
  properties?: Record<string, JSONSchemaPropsV1beta1>;
  /** Schema of all fields of an object that is a map, instead of properties. */
  additionalProperties?: JSONSchemaPropsOrBoolV1beta1;
  /** Not allowed. */
  patternProperties?: Record<string, JSONSchemaPropsV1beta1>;
  /** Not allowed. */
  dependencies?: Record<string, JSONSchemaPropsOrStringArrayV1beta1>;
  /** Not allowed. */
  additionalItems?: JSONSchemaPropsOrBoolV1beta1;
  /** Not allowed. */
  definitions?: Record<string, JSONSchemaPropsV1beta1>;
  /** A document with further information. */
  externalDocs?: ExternalDocumentationV1beta1;
  /** A value, as an example. */
  example?: unknown;
  /** Null is allowed too. */
  nullable?: boolean;
  /** Keeps fields that the schema does not declare: true, or absent. */
  'x-orch-preserve-unknown-fields'?: boolean;
  /** Keeps fields that the schema does not declare: true, or absent. */
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  /** The value is an object of the API with separate kind, apiVersion and metadata. */
  'x-orch-embedded-resource'?: boolean;
  /** The value is an object of the API with separate kind, apiVersion and metadata. */
  'x-kubernetes-embedded-resource'?: boolean;
  /** The value is a whole number or a string; then there is no type. */
  'x-orch-int-or-string'?: boolean;
  /** The value is a whole number or a string; then there is no type. */
  'x-kubernetes-int-or-string'?: boolean;
  /** Fields that identify the items of a list of type map. */
  'x-orch-list-map-keys'?: string[];
  /** Fields that identify the items of a list of type map. */
  'x-kubernetes-list-map-keys'?: string[];
  /** How lists are merged: atomic as one value, set by their items, map by the keys of their items. */
  'x-orch-list-type'?: string;
  /** How lists are merged: atomic as one value, set by their items, map by the keys of their items. */
  'x-kubernetes-list-type'?: string;
  /** How objects are merged: granular field by field, atomic as one value. */
  'x-orch-map-type'?: string;
  /** How objects are merged: granular field by field, atomic as one value. */
  'x-kubernetes-map-type'?: string;
  /** Expressions that the value must satisfy. */
  'x-orch-validations'?: KeyedList<ValidationRuleV1beta1, 'rule'>;
  /** Expressions that the value must satisfy. */
  'x-kubernetes-validations'?: KeyedList<ValidationRuleV1beta1, 'rule'>;
}

/** A field that field selectors can use. */
export interface SelectableField {
  /** Path of the field, such as `.spec.color`. Its type is string, boolean or integer. */
  jsonPath: string;
}

/** A field that field selectors can use. */
export interface SelectableFieldV1beta1 {
  /** Path of the field, such as `.spec.color`. Its type is string, boolean or integer. */
  jsonPath: string;
}

/** Names a port of a service. */
export interface ServiceReference {
  /** Namespace of the service. */
  namespace: string;
  /** Name of the service. */
  name: string;
  /** Path of the requests. */
  path?: string;
  /** Port of the service. */
  port?: number;
}

/** Names a port of a service. */
export interface ServiceReferenceV1beta1 {
  /** Namespace of the service. */
  namespace: string;
  /** Name of the service. */
  name: string;
  /** Path of the requests. */
  path?: string;
  /** Port of the service. */
  port?: number;
}

/** An expression that a value must satisfy, and the error when it does not. */
export interface ValidationRule {
  /** An expression over `self`, the value at this place of the schema, and `oldSelf`, the one before an update. */
  rule: string;
  /** Message of the error; required when the expression has several lines. */
  message?: string;
  /** An expression whose value, a string, replaces the message. */
  messageExpression?: string;
  /** Type of the error: FieldValueInvalid (the default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate. */
  reason?: string;
  /** Path of the field that the error names, from the value at this place: `.size`, `.labels['a']`. */
  fieldPath?: string;
  /** Evaluates the expression on creation too, with `oldSelf` as an optional value. For expressions that use `oldSelf`. */
  optionalOldSelf?: boolean;
}

/** An expression that a value must satisfy, and the error when it does not. */
export interface ValidationRuleV1beta1 {
  /** An expression over `self`, the value at this place of the schema, and `oldSelf`, the one before an update. */
  rule: string;
  /** Message of the error; required when the expression has several lines. */
  message?: string;
  /** An expression whose value, a string, replaces the message. */
  messageExpression?: string;
  /** Type of the error: FieldValueInvalid (the default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate. */
  reason?: string;
  /** Path of the field that the error names, from the value at this place: `.size`, `.labels['a']`. */
  fieldPath?: string;
  /** Evaluates the expression on creation too, with `oldSelf` as an optional value. For expressions that use `oldSelf`. */
  optionalOldSelf?: boolean;
}

/** How to reach a webhook: either by URL or by service. */
export interface WebhookClientConfig {
  /** Where the webhook listens, `https://host/path`. For one in the cluster use service. */
  url?: string;
  /** Service of the cluster behind which the webhook is. */
  service?: ServiceReference;
  /** Certificates in PEM that verify the certificate of the webhook; those of the system when absent. */
  caBundle?: string;
}

/** How to reach a webhook: either by URL or by service. */
export interface WebhookClientConfigV1beta1 {
  /** Where the webhook listens, `https://host/path`. For one in the cluster use service. */
  url?: string;
  /** Service of the cluster behind which the webhook is. */
  service?: ServiceReferenceV1beta1;
  /** Certificates in PEM that verify the certificate of the webhook; those of the system when absent. */
  caBundle?: string;
}

/** The webhook that converts between versions. */
export interface WebhookConversion {
  /** How to reach the webhook. */
  clientConfig?: WebhookClientConfig;
  /** Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent. */
  conversionReviewVersions: string[] | null;
}
