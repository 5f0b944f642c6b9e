import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonText } from '@orch/machinery/json';
import { parseYaml } from '@orch/machinery/yaml';
import { type FormField, formOf, withNew, withoutField, withScalar } from './yaml-form.ts';

const text = `apiVersion: v1
kind: Pod
metadata:
  annotations:
    example.com/yes: "yes"
    long: |
      one: line
      two
  labels: {}
  name: one
spec:
  big: 9223372036854775807
  containers:
  - args: []
    image: a:1
    # the second
  - image: 'b: 2'
  mode: 0644
`;
const dataIn = (yaml: string) => parseYaml(Buffer.from(yaml));

/** Paths and texts of the scalars. */
const scalarsOf = (fields: readonly FormField[]): readonly string[] =>
  fields.flatMap((field) =>
    field.text === undefined ? scalarsOf(field.fields) : [`${field.path.join('.')}=${field.text}`],
  );

describe('the form of an object in YAML', () => {
  it('scalars have their paths and texts, without quotes', () => {
    assert.deepEqual(scalarsOf(formOf(text) ?? []), [
      ...['apiVersion=v1', 'kind=Pod', 'metadata.annotations.example.com/yes=yes'],
      ...['metadata.annotations.long=one: line\ntwo\n', 'metadata.name=one', 'spec.big=9223372036854775807'],
      ...['spec.containers.0.image=a:1', 'spec.containers.1.image=b: 2', 'spec.mode=0644'],
    ]);
  });

  for (const broken of ['a: [', '- a', 'a', '', `${'{a: '.repeat(70)}1${'}'.repeat(70)}`])
    it(`the text ${JSON.stringify(broken.slice(0, 20))} has no form`, () => {
      assert.equal(formOf(broken), undefined);
    });

  for (const [path, given, isText, expected] of [
    [['spec', 'big'], '12', false, '12'],
    [['spec', 'new'], '9007199254740993', false, '9007199254740993'],
    [['spec', 'flag'], 'true', false, 'true'],
    [['spec', 'flag'], 'true', true, '"true"'],
    [['spec', 'containers', 1, 'image'], 'c:2', true, '"c:2"'],
    [['spec', 'containers', 0, 'args', 0], '-x: [', true, '"-x: ["'],
    [['metadata', 'labels', 'a.b/c'], '12', true, '"12"'],
    [['metadata', 'labels', 'a'], '', true, '""'],
    [['metadata', 'annotations', 'long'], 'three\nfour', true, '"three\\nfour"'],
    [['metadata', 'name'], '# "\\', true, '"# \\"\\\\"'],
    [['spec', 'big'], '1 # no', false, '"1 # no"'],
  ] as const)
    it(`the value ${JSON.stringify(given)} at ${path.join('.')} changes this field only, as ${isText ? 'text' : 'a value'}`, () => {
      const changed = withScalar(text, { path, value: given, isText });
      const [found] = scalarsOf(formOf(changed) ?? []).filter((each) =>
        each.startsWith(`${path.join('.')}=`),
      );
      assert.equal(found, `${path.join('.')}=${given}`);
      assert.equal(jsonText(atPath(dataIn(changed), path)), expected);
      assert.deepEqual(dataIn(withoutField(changed, path)), dataIn(withoutField(text, path)));
    });

  for (const [path, given, expected] of [
    [['spec', 'containers', 2], { name: 'text', ports: 'list' }, { name: '', ports: [] }],
    [['spec', 'containers', 0, 'args', 0], 'text', ''],
    [['spec', 'template'], { spec: { containers: 'list' } }, { spec: { containers: [] } }],
    [['metadata', 'labels', 'yes'], 'text', ''],
    [['metadata', 'labels', '12'], {}, {}],
    [['data'], {}, {}],
    [['spec', 'replicas'], 'value', null],
  ] as const)
    it(`${JSON.stringify(given)} is added at ${path.join('.')}, and nothing else changes`, () => {
      const changed = withNew(text, path, given);
      assert.deepEqual(atPath(dataIn(changed), path), expected);
      assert.deepEqual(dataIn(withoutField(changed, path)), dataIn(text));
    });

  it('a part of what was added can be filled in', () => {
    const added = withNew(text, ['spec', 'containers', 2], { name: 'text', env: 'list' });
    const more = withNew(added, ['spec', 'containers', 2, 'env', 0], { name: 'text' });
    const path = ['spec', 'containers', 2, 'env', 0, 'name'];
    const filled = withScalar(more, { path, value: 'true', isText: true });
    assert.deepEqual(atPath(dataIn(filled), ['spec', 'containers', 2]), {
      name: '',
      env: [{ name: 'true' }],
    });
    assert.match(filled, /^ {4}- name: ""\n {6}env:\n {8}- name: "true"$/m);
  });

  it('a number keeps its digits when another field changes, and a comment stays', () => {
    const changed = withScalar(text, { path: ['metadata', 'name'], value: 'two', isText: true });
    assert.match(changed, /big: 9223372036854775807\n/);
    assert.match(changed, /mode: 0644\n/);
    assert.match(changed, /# the second/);
  });
});

const atPath = (root: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, step) => (found as Record<string | number, unknown>)[step], root);
