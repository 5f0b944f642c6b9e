import assert from 'node:assert/strict';
import { namesFor, type Random } from '@orch/machinery';
import type { DefinitionBody } from '../widgets.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of a kind that the test knows.
export type Json = any;

export const names = namesFor('orch');
const apiVersion = names.apiVersion('apiextensions', 'v1');
export const DEFINITIONS = `/apis/${apiVersion}/customresourcedefinitions`;

export const groupOf = (index: number): string => `g${index}.gears.example.com`;
export const definitionPath = (index: number): string => `${DEFINITIONS}/gears.${groupOf(index)}`;
export const gearsPath = (index: number, version = 'v1'): string =>
  `/apis/${groupOf(index)}/${version}/namespaces/default/gears`;

export const clusterGearsPath = (index: number): string => `/apis/${groupOf(index)}/v1/gears`;

/** The parts of a definition that change. Version v1 is always served. */
export interface Form {
  /** Further served versions. */
  readonly others: readonly string[];
  /** Version that is stored. */
  readonly stored: string;
  /** Optional fields that the schemas have besides `seq`. */
  readonly fields: readonly string[];
  readonly columns: number;
}

export const firstForm: Form = { others: [], stored: 'v1', fields: [], columns: 0 };

const integer = { type: 'integer' };

const versionOf = (name: string, { columns, fields, stored }: Form): object => ({
  name,
  served: true,
  storage: name === stored,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            seq: integer,
            ...Object.fromEntries(fields.map((field, i) => [field, { ...integer, default: i }])),
          },
        },
        status: { type: 'object', properties: { seq: integer } },
      },
    },
  },
  additionalPrinterColumns: Array.from({ length: columns }, (_, i) => ({
    name: `C${i}`,
    type: 'integer',
    jsonPath: '.spec.seq',
  })),
});

export const versionsOf = (form: Form): readonly object[] =>
  ['v1', ...form.others].map((name) => versionOf(name, form));

export const definition = (index: number, form: Form): DefinitionBody => ({
  apiVersion,
  kind: 'CustomResourceDefinition',
  metadata: { name: `gears.${groupOf(index)}` },
  spec: {
    group: groupOf(index),
    scope: 'Namespaced',
    names: { plural: 'gears', singular: 'gear', kind: 'Gear' },
    versions: versionsOf(form),
  },
});

export const withScope = (body: DefinitionBody, scope: 'Cluster' | 'Namespaced'): DefinitionBody => ({
  ...body,
  spec: { ...body.spec, scope },
});

const toggled = (list: readonly string[], value: string): readonly string[] =>
  list.includes(value) ? list.filter((one) => one !== value) : [...list, value];

/** A form that differs from the given one in one respect. A version that is stored is served; it is left one step later. */
export function changedForm(form: Form, random: Random): Form {
  switch (random.int(4)) {
    case 0: {
      const others = toggled(form.others, `v${2 + random.int(2)}`);
      return { ...form, others, stored: others.includes(form.stored) ? form.stored : 'v1' };
    }
    case 1:
      return { ...form, fields: toggled(form.fields, `f${random.int(4)}`) };
    case 2:
      return { ...form, columns: random.int(3) };
    default: {
      const all = ['v1', ...form.others];
      return { ...form, stored: all[random.int(all.length)] ?? 'v1' };
    }
  }
}

/** The number of a gear; the test fails with the object where it has none. */
export function seqOf(object: Json): number {
  assert.equal(typeof object.spec?.seq, 'number', JSON.stringify(object));
  return object.spec.seq;
}

export const gear = (index: number, name: string, seq: number): Json => ({
  apiVersion: `${groupOf(index)}/v1`,
  kind: 'Gear',
  metadata: { name },
  spec: { seq },
});
