import assert from 'node:assert/strict';
import { builtinTypes } from '@orch/apis';
import { gadgets, noteKey, tagsKey } from './gadget-rows.ts';
import { RegistryFixture, type RegistryFixtureOptions } from './registry-fixture.ts';

const types = [...builtinTypes.filter(({ resource }) => resource === 'namespaces'), gadgets];
export const openGadgets = (
  release: string,
  options: Omit<RegistryFixtureOptions, 'types' | 'release'> = {},
): Promise<RegistryFixture> => RegistryFixture.open({ ...options, types, release });

/** Versions by the path before `/namespaces`. */
const paths = {
  'apps/v1': '/apis/apps/v1',
  'apps/v1beta2': '/apis/apps/v1beta2',
  'apps/v1beta1': '/apis/apps/v1beta1',
  'extensions/v1beta1': '/apis/extensions/v1beta1',
} as const;
export type GadgetVersion = keyof typeof paths;
export const versions = Object.keys(paths) as GadgetVersion[];
/** Path of the gadgets of the default namespace, of one, or below one. */
export const at = (version: GadgetVersion, name = '', below = ''): string =>
  `${paths[version]}/namespaces/default/gadgets${name === '' ? '' : `/${name}`}${below}`;

/** Reports whether a version has the older form. */
export const isOld = (version: GadgetVersion): boolean => version.endsWith('v1beta1');

/** The same gadget in every version. */
const annotations = (extra: Record<string, string> = {}) => ({ 'gadget.example/by': 'tester', ...extra });
const parts = [{ name: 'wheel', weight: 3 }, { name: 'axle' }];
export const expectedGadget = (version: GadgetVersion) =>
  isOld(version)
    ? {
        annotations: annotations({ [noteKey]: '"mine"' }),
        spec: { replicas: 5, mode: 'Fail', box: { parts }, tags: ['a', 'b'] },
        status: { replicas: 0 },
      }
    : {
        annotations: annotations({ [tagsKey]: '["a","b"]' }),
        spec: { size: 5, mode: 'Fail', parts, note: 'mine' },
        status: { size: 0 },
      };

/** The body with which a client of a version creates it. */
export function posted(version: GadgetVersion, name: string): object {
  const { annotations: all, spec } = expectedGadget(version);
  const { 'gadget.example/by': _by, ...kept } = all as Record<string, string>;
  return { kind: 'Gadget', apiVersion: version, metadata: { name, annotations: kept }, spec };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any form.
export type Json = any;

export function assertGadget(object: Json, version: GadgetVersion, title = ''): void {
  const expected = expectedGadget(version);
  assert.equal(object.apiVersion, version, title);
  assert.equal(object.kind, 'Gadget', title);
  assert.deepEqual(object.metadata.annotations, expected.annotations, title);
  assert.deepEqual(object.spec, expected.spec, title);
  assert.deepEqual(object.status, expected.status, title);
}
