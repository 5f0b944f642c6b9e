// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';

export type CustomResourceColumnDefinition = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
};

export type CustomResourceColumnDefinitionV1beta1 = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly JSONPath?: string;
};

export type CustomResourceConversion = {
  readonly strategy?: string;
  readonly webhook?: WebhookConversion;
};

export type CustomResourceConversionV1beta1 = {
  readonly strategy?: string;
  readonly webhookClientConfig?: WebhookClientConfigV1beta1;
  readonly conversionReviewVersions?: readonly string[];
};

export type CustomResourceDefinition = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus;
};

export type CustomResourceDefinitionCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number | ExactNumber;
};

export type CustomResourceDefinitionConditionV1beta1 = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number | ExactNumber;
};

export type CustomResourceDefinitionNames = {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
};

export type CustomResourceDefinitionNamesV1beta1 = {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
};

export type CustomResourceDefinitionSpec = {
  readonly group?: string;
  readonly names?: CustomResourceDefinitionNames;
  readonly scope?: string;
  readonly versions?: readonly CustomResourceDefinitionVersion[] | null;
  readonly conversion?: CustomResourceConversion;
  readonly preserveUnknownFields?: boolean;
};

export type CustomResourceDefinitionSpecV1beta1 = {
  readonly group?: string;
  readonly version?: string;
  readonly names?: CustomResourceDefinitionNamesV1beta1;
  readonly scope?: string;
  readonly validation?: CustomResourceValidationV1beta1;
  readonly subresources?: CustomResourceSubresourcesV1beta1;
  readonly versions?: readonly CustomResourceDefinitionVersionV1beta1[];
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinitionV1beta1[];
  readonly selectableFields?: readonly SelectableFieldV1beta1[];
  readonly conversion?: CustomResourceConversionV1beta1;
  readonly preserveUnknownFields?: boolean;
};

export type CustomResourceDefinitionStatus = {
  readonly conditions?: readonly CustomResourceDefinitionCondition[] | null;
  readonly acceptedNames?: CustomResourceDefinitionNames;
  readonly storedVersions?: readonly string[] | null;
  readonly observedGeneration?: number | ExactNumber;
};

export type CustomResourceDefinitionStatusV1beta1 = {
  readonly conditions?: readonly CustomResourceDefinitionConditionV1beta1[] | null;
  readonly acceptedNames?: CustomResourceDefinitionNamesV1beta1;
  readonly storedVersions?: readonly string[] | null;
  readonly observedGeneration?: number | ExactNumber;
};

export type CustomResourceDefinitionV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CustomResourceDefinitionSpecV1beta1;
  readonly status?: CustomResourceDefinitionStatusV1beta1;
};

export type CustomResourceDefinitionVersion = {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
};

export type CustomResourceDefinitionVersionV1beta1 = {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: CustomResourceValidationV1beta1;
  readonly subresources?: CustomResourceSubresourcesV1beta1;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinitionV1beta1[];
  readonly selectableFields?: readonly SelectableFieldV1beta1[];
};

export type CustomResourceSubresourceScale = {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
};

export type CustomResourceSubresourceScaleV1beta1 = {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
};

export type CustomResourceSubresourceStatus = Record<string, never>;

export type CustomResourceSubresourceStatusV1beta1 = Record<string, never>;

export type CustomResourceSubresources = {
  readonly status?: CustomResourceSubresourceStatus;
  readonly scale?: CustomResourceSubresourceScale;
};

export type CustomResourceSubresourcesV1beta1 = {
  readonly status?: CustomResourceSubresourceStatusV1beta1;
  readonly scale?: CustomResourceSubresourceScaleV1beta1;
};

export type CustomResourceValidation = {
  readonly openAPIV3Schema?: JSONSchemaProps;
};

export type CustomResourceValidationV1beta1 = {
  readonly openAPIV3Schema?: JSONSchemaPropsV1beta1;
};

export type ExternalDocumentation = {
  readonly description?: string;
  readonly url?: string;
};

export type ExternalDocumentationV1beta1 = {
  readonly description?: string;
  readonly url?: string;
};

export type JSONSchemaProps = {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number | ExactNumber;
  readonly minLength?: number | ExactNumber;
  readonly pattern?: string;
  readonly maxItems?: number | ExactNumber;
  readonly minItems?: number | ExactNumber;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number | ExactNumber;
  readonly minProperties?: number | ExactNumber;
  readonly required?: readonly string[];
  readonly items?: JSONSchemaPropsOrArray;
  readonly allOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly additionalProperties?: JSONSchemaPropsOrBool;
  readonly patternProperties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly dependencies?: Readonly<Record<string, JSONSchemaPropsOrStringArray>>;
  readonly additionalItems?: JSONSchemaPropsOrBool;
  readonly definitions?: Readonly<Record<string, JSONSchemaProps>>;
  readonly externalDocs?: ExternalDocumentation;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly 'x-orch-preserve-unknown-fields'?: boolean;
  readonly 'x-orch-embedded-resource'?: boolean;
  readonly 'x-orch-int-or-string'?: boolean;
  readonly 'x-orch-list-map-keys'?: readonly string[];
  readonly 'x-orch-list-type'?: string;
  readonly 'x-orch-map-type'?: string;
  readonly 'x-orch-validations'?: readonly ValidationRule[];
};

export type JSONSchemaPropsOrArray = JSONSchemaProps | readonly JSONSchemaProps[];

export type JSONSchemaPropsOrArrayV1beta1 = JSONSchemaPropsV1beta1 | readonly JSONSchemaPropsV1beta1[];

export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;

export type JSONSchemaPropsOrBoolV1beta1 = JSONSchemaPropsV1beta1 | boolean;

export type JSONSchemaPropsOrStringArray = JSONSchemaProps | readonly string[];

export type JSONSchemaPropsOrStringArrayV1beta1 = JSONSchemaPropsV1beta1 | readonly string[];

export type JSONSchemaPropsV1beta1 = {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number | ExactNumber;
  readonly minLength?: number | ExactNumber;
  readonly pattern?: string;
  readonly maxItems?: number | ExactNumber;
  readonly minItems?: number | ExactNumber;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number | ExactNumber;
  readonly minProperties?: number | ExactNumber;
  readonly required?: readonly string[];
  readonly items?: JSONSchemaPropsOrArrayV1beta1;
  readonly allOf?: readonly JSONSchemaPropsV1beta1[];
  readonly oneOf?: readonly JSONSchemaPropsV1beta1[];
  readonly anyOf?: readonly JSONSchemaPropsV1beta1[];
  readonly not?: JSONSchemaPropsV1beta1;
  readonly properties?: Readonly<Record<string, JSONSchemaPropsV1beta1>>;
  readonly additionalProperties?: JSONSchemaPropsOrBoolV1beta1;
  readonly patternProperties?: Readonly<Record<string, JSONSchemaPropsV1beta1>>;
  readonly dependencies?: Readonly<Record<string, JSONSchemaPropsOrStringArrayV1beta1>>;
  readonly additionalItems?: JSONSchemaPropsOrBoolV1beta1;
  readonly definitions?: Readonly<Record<string, JSONSchemaPropsV1beta1>>;
  readonly externalDocs?: ExternalDocumentationV1beta1;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly 'x-orch-preserve-unknown-fields'?: boolean;
  readonly 'x-orch-embedded-resource'?: boolean;
  readonly 'x-orch-int-or-string'?: boolean;
  readonly 'x-orch-list-map-keys'?: readonly string[];
  readonly 'x-orch-list-type'?: string;
  readonly 'x-orch-map-type'?: string;
  readonly 'x-orch-validations'?: readonly ValidationRuleV1beta1[];
};

export type SelectableField = {
  readonly jsonPath?: string;
};

export type SelectableFieldV1beta1 = {
  readonly jsonPath?: string;
};

export type ServiceReference = {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
};

export type ServiceReferenceV1beta1 = {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
};

export type ValidationRule = {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

export type ValidationRuleV1beta1 = {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

export type WebhookClientConfig = {
  readonly url?: string;
  readonly service?: ServiceReference;
  readonly caBundle?: string;
};

export type WebhookClientConfigV1beta1 = {
  readonly url?: string;
  readonly service?: ServiceReferenceV1beta1;
  readonly caBundle?: string;
};

export type WebhookConversion = {
  readonly clientConfig?: WebhookClientConfig;
  readonly conversionReviewVersions?: readonly string[] | null;
};
