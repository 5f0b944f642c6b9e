/** A JSON Schema object in a document. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  nullable?: boolean;
  enum?: readonly unknown[];
  default?: unknown;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  required?: readonly string[];
  properties?: Record<string, JsonSchema>;
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  anyOf?: readonly JsonSchema[];
  not?: JsonSchema;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  multipleOf?: number;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
  minProperties?: number;
  /** `x-…` */
  [extension: `x-${string}`]: unknown;
}

/** The version of the documents; a few keywords differ. */
export type Dialect = 'v2' | 'v3';
