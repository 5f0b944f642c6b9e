import {
  f,
  items,
  type ScalarSchema,
  type StructSchema,
  struct,
  type UnionSchema,
  union,
} from '@orch/schema';

/** The types that the error of a rule may have. */
export const ruleReasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** JSON of any kind, in a separate definition. */
const jsonOf = (version: string): ScalarSchema => ({
  kind: 'scalar',
  type: 'json',
  name: `apiextensions.${version}.JSON`,
  doc: 'Any JSON value.',
});

interface Unions {
  readonly orArray: UnionSchema;
  readonly orBool: UnionSchema;
  readonly orStringArray: UnionSchema;
}

/** Values that are a schema or another type; `props` is called lazily, since it refers to them. */
const unionsOf = (version: string, props: () => StructSchema): Unions => ({
  orArray: union(`apiextensions.${version}.JSONSchemaPropsOrArray`, 'A schema, or a list of schemas.', {
    object: { num: 1, protoName: 'schema', schema: props },
    list: { num: 2, protoName: 'jSONSchemas', schema: props },
  }),
  orBool: union(`apiextensions.${version}.JSONSchemaPropsOrBool`, 'A schema, or whether anything goes.', {
    bool: { num: 1, protoName: 'allows' },
    object: { num: 2, protoName: 'schema', schema: props },
  }),
  orStringArray: union(
    `apiextensions.${version}.JSONSchemaPropsOrStringArray`,
    'A schema, or a list of names.',
    {
      object: { num: 1, protoName: 'schema', schema: props },
      list: { num: 2, protoName: 'property', schema: items.string },
    },
  ),
});

const validationRuleOf = (version: string): StructSchema =>
  struct(
    `apiextensions.${version}.ValidationRule`,
    'An expression that a value must satisfy, and the error when it does not.',
    {
      rule: f.string(1, {
        doc: 'An expression over `self`, the value at this place of the schema, and `oldSelf`, the one before an update.',
        presence: 'always',
      }),
      message: f.string(2, {
        doc: 'Message of the error; required when the expression has several lines.',
      }),
      messageExpression: f.string(3, {
        doc: 'An expression whose value, a string, replaces the message.',
      }),
      reason: f.string(4, {
        doc: 'Type of the error: FieldValueInvalid (the default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.',
        presence: 'pointer',
        openapiEnum: { values: ruleReasons },
      }),
      fieldPath: f.string(5, {
        doc: "Path of the field that the error names, from the value at this place: `.size`, `.labels['a']`.",
      }),
      optionalOldSelf: f.bool(6, {
        doc: 'Evaluates the expression on creation too, with `oldSelf` as an optional value. For expressions that use `oldSelf`.',
        presence: 'pointer',
      }),
    },
  );

const externalDocumentationOf = (version: string): StructSchema =>
  struct(`apiextensions.${version}.ExternalDocumentation`, 'Address and description of a document.', {
    description: f.string(1, { doc: 'A description of the document.' }),
    url: f.string(2, { doc: 'Its address.' }),
  });

/** The keywords that describe values, in JSON order. */
const valueFields = (json: ScalarSchema) => ({
  id: f.string(1, { doc: 'Not allowed.' }),
  $schema: f.string(2, { doc: 'Dialect of the schema; without effect.', protoName: 'schema' }),
  $ref: f.string(3, { doc: 'Not allowed.', presence: 'pointer', protoName: 'ref' }),
  description: f.string(4, { doc: 'Human-readable description of the value.' }),
  type: f.string(5, { doc: 'Type of the value: array, boolean, integer, number, object or string.' }),
  format: f.string(6, { doc: 'Form of a string or number, such as date-time; unknown ones have no effect.' }),
  title: f.string(7, { doc: 'Title of the value.' }),
  default: f.struct(8, json, { doc: 'Value of the field when it is absent.', presence: 'pointer' }),
  maximum: f.float64(9, { doc: 'Largest number.', presence: 'pointer' }),
  exclusiveMaximum: f.bool(10, { doc: 'The maximum itself is too large.' }),
  minimum: f.float64(11, { doc: 'Smallest number.', presence: 'pointer' }),
  exclusiveMinimum: f.bool(12, { doc: 'The minimum itself is too small.' }),
  maxLength: f.int64(13, { doc: 'Maximum number of characters of a string.', presence: 'pointer' }),
  minLength: f.int64(14, { doc: 'Minimum number of characters of a string.', presence: 'pointer' }),
  pattern: f.string(15, { doc: 'Regular expression that some part of a string must match.' }),
  maxItems: f.int64(16, { doc: 'Maximum number of items of an array.', presence: 'pointer' }),
  minItems: f.int64(17, { doc: 'Minimum number of items of an array.', presence: 'pointer' }),
  uniqueItems: f.bool(18, { doc: 'Not allowed: use a list type instead.' }),
  multipleOf: f.float64(19, { doc: 'The number must be a multiple of this one.', presence: 'pointer' }),
  enum: f.list(20, json, { doc: 'The only values that are allowed.' }),
  maxProperties: f.int64(21, { doc: 'Maximum number of fields of an object.', presence: 'pointer' }),
  minProperties: f.int64(22, { doc: 'Minimum number of fields of an object.', presence: 'pointer' }),
  required: f.list(23, items.string, { doc: 'Required fields.' }),
});

/** The keywords that describe parts of values and that combine schemas. */
const partFields = (props: () => StructSchema, unions: Unions) => ({
  items: f.struct(24, unions.orArray, { doc: 'Schema of the items of an array.', presence: 'pointer' }),
  allOf: f.list(25, props, { doc: 'Schemas that must all hold.' }),
  oneOf: f.list(26, props, { doc: 'Schemas of which exactly one must hold.' }),
  anyOf: f.list(27, props, { doc: 'Schemas of which one at least must hold.' }),
  not: f.struct(28, props, { doc: 'Schema that must not hold.', presence: 'pointer' }),
  properties: f.map(29, props, { doc: 'Schemas of the fields of an object.' }),
  additionalProperties: f.struct(30, unions.orBool, {
    doc: 'Schema of all fields of an object that is a map, instead of properties.',
    presence: 'pointer',
  }),
  patternProperties: f.map(31, props, { doc: 'Not allowed.' }),
  dependencies: f.map(32, unions.orStringArray, { doc: 'Not allowed.' }),
  additionalItems: f.struct(33, unions.orBool, { doc: 'Not allowed.', presence: 'pointer' }),
  definitions: f.map(34, props, { doc: 'Not allowed.' }),
});

/** Extensions of JSON Schema in this API. */
const extensionFields = (rule: StructSchema) => ({
  'x-orch-preserve-unknown-fields': f.bool(38, {
    doc: 'Keeps fields that the schema does not declare: true, or absent.',
    presence: 'pointer',
    protoName: 'xOrchPreserveUnknownFields',
  }),
  'x-orch-embedded-resource': f.bool(39, {
    doc: 'The value is an object of the API with separate kind, apiVersion and metadata.',
    protoName: 'xOrchEmbeddedResource',
  }),
  'x-orch-int-or-string': f.bool(40, {
    doc: 'The value is a whole number or a string; then there is no type.',
    protoName: 'xOrchIntOrString',
  }),
  'x-orch-list-map-keys': f.list(41, items.string, {
    doc: 'Fields that identify the items of a list of type map.',
    protoName: 'xOrchListMapKeys',
    since: '1.16',
  }),
  'x-orch-list-type': f.string(42, {
    doc: 'How lists are merged: atomic as one value, set by their items, map by the keys of their items.',
    presence: 'pointer',
    protoName: 'xOrchListType',
    since: '1.16',
  }),
  'x-orch-map-type': f.string(43, {
    doc: 'How objects are merged: granular field by field, atomic as one value.',
    presence: 'pointer',
    protoName: 'xOrchMapType',
    since: '1.17',
  }),
  'x-orch-validations': f.list(44, rule, {
    doc: 'Expressions that the value must satisfy.',
    listType: 'map',
    mapKeys: ['rule'],
    patchStrategy: 'merge',
    patchMergeKey: 'rule',
    protoName: 'xOrchValidations',
  }),
});

/** The schema of custom resources, as one version calls it. */
export function jsonSchemaPropsOf(version: string): StructSchema {
  const props = (): StructSchema => schema;
  const json = jsonOf(version);
  const schema: StructSchema = struct(
    `apiextensions.${version}.JSONSchemaProps`,
    'A JSON Schema, restricted to the keywords that describe resources.',
    {
      ...valueFields(json),
      ...partFields(props, unionsOf(version, props)),
      externalDocs: f.struct(35, externalDocumentationOf(version), {
        doc: 'A document with further information.',
        presence: 'pointer',
      }),
      example: f.struct(36, json, { doc: 'A value, as an example.', presence: 'pointer' }),
      nullable: f.bool(37, { doc: 'Null is allowed too.' }),
      ...extensionFields(validationRuleOf(version)),
    },
  );
  return schema;
}
