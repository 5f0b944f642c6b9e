import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AdmissionEnvironments, CelSyntaxError, compile, type DeclType, types } from '@orch/cel';
import { namesFor } from '@orch/machinery';
import { f, items, struct } from '../declare.ts';
import type { StructSchema } from '../schema.ts';
import { testKind } from '../testing/index.ts';
import { kindDecl } from './kind-decl.ts';

const names = namesFor('orch');
const environments = new AdmissionEnvironments();

/** The type of an expression, or the first problem. */
function typeOf(source: string, object: DeclType): string {
  try {
    return types.formatType(compile(source, environments.ofConditions({ object })).resultType);
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return error.issues[0]?.message ?? '';
  }
}

const Part: StructSchema = struct('test.v1.Part', '', {
  name: f.string(1),
  size: f.int64(2),
  parts: f.list(3, () => Part),
});

const kind = struct(
  'test.v1.Device',
  '',
  {
    part: f.struct(1, Part),
    parts: f.list(2, Part),
    labels: f.map(3, items.string),
    enabled: f.bool(4),
    ratio: f.float64(5),
    made: f.time(6),
    memory: f.quantity(7),
    port: f.intOrString(8),
    raw: f.object(9),
    key: f.bytes(10),
    namespace: f.string(11),
    later: f.string(12, { since: '1.30' }),
  },
  { typeMeta: true },
);

const custom = testKind(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          ratio: { type: 'number' },
          enabled: { type: 'boolean' },
          when: { type: 'string', format: 'date-time' },
          names: { type: 'array', items: { type: 'string' } },
          sizes: { type: 'object', additionalProperties: { type: 'integer' } },
          open: { type: 'object', 'x-orch-preserve-unknown-fields': true },
          port: { 'x-orch-int-or-string': true },
          template: {
            type: 'object',
            'x-orch-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
          closed: { type: 'object' },
          'a-b': { type: 'string' },
        },
      },
    },
  },
  names,
);
const open = testKind({ type: 'object', 'x-orch-preserve-unknown-fields': true }, names);

const rows: readonly (readonly [kind: StructSchema, source: string, result: string])[] = [
  [kind, 'object.kind', 'string'],
  [kind, 'object.part.name', 'string'],
  [kind, 'object.part.size', 'int'],
  [kind, 'object.part.nme', "undefined field 'nme'"],
  [kind, 'object.part.parts[0].parts[0].parts[0].size', 'int'],
  [kind, 'object.part.parts[0].parts[0].sise', "undefined field 'sise'"],
  [kind, 'object.parts', 'list(test.v1.Part)'],
  [kind, 'object.parts.map(p, p.name)', 'list(string)'],
  [kind, 'object.labels', 'map(string, string)'],
  [kind, 'object.labels.any', 'string'],
  [kind, 'object.enabled', 'bool'],
  [kind, 'object.ratio', 'double'],
  [kind, 'object.made', 'string'],
  [kind, 'object.memory', 'string'],
  [kind, 'object.key', 'string'],
  [kind, 'object.port', 'dyn'],
  [kind, 'object.raw.any.field', 'dyn'],
  [kind, 'object.namespace', 'string'],
  [kind, 'object.__namespace__', 'string'],
  [kind, 'object.later', "undefined field 'later'"],
  [kind, 'oldObject == null || oldObject.part.size == object.part.size', 'bool'],
  [custom, 'object.kind', 'string'],
  [custom, 'object.metadata.labels.any', 'string'],
  [custom, 'object.metadata.lables', "undefined field 'lables'"],
  [custom, 'object.spce', "undefined field 'spce'"],
  [custom, 'object.spec.size', 'int'],
  [custom, 'object.spec.ratio', 'double'],
  [custom, 'object.spec.enabled', 'bool'],
  [custom, 'object.spec.when', 'string'],
  [custom, 'object.spec.names', 'list(string)'],
  [custom, 'object.spec.sizes.any', 'int'],
  [custom, 'object.spec.open.any.field', 'dyn'],
  [custom, 'object.spec.port', 'dyn'],
  [custom, 'object.spec.template.kind', 'string'],
  [custom, 'object.spec.template.metadata.labels', 'dyn'],
  [custom, 'object.spec.template.sepc', "undefined field 'sepc'"],
  [custom, 'object.spec.closed.any', "undefined field 'any'"],
  [custom, 'object.spec.a__dash__b', 'string'],
  [open, 'object.any.field', 'dyn'],
];

describe('types of kinds in expressions that read JSON', () => {
  for (const [schema, source, result] of rows)
    it(`in a ${schema === kind ? 'built-in' : 'custom'} kind, ${source} is: ${result}`, () => {
      const includes = ({ since }: { readonly since?: string }): boolean => since === undefined;
      assert.equal(typeOf(source, kindDecl(schema, names, { includes })), result);
    });
});
