/** A JSON Schema object as it goes into a document. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  enum?: readonly string[];
  default?: unknown;
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  required?: readonly string[];
  properties?: Record<string, JsonSchema>;
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  /** `x-…` */
  [extension: `x-${string}`]: unknown;
}

/** The two document versions say a few things differently. */
export type Dialect = 'v2' | 'v3';
