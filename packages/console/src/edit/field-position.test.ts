import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { yamlLanguage } from '@codemirror/lang-yaml';
import { rangeOfField } from './field-position.ts';

const text = `# a pod
kind: Pod
metadata:
  labels: {app.example/name: web, "tier": back}
spec:
  containers:
  - name: one
    image: a:1
    ports: [{containerPort: 1}, {containerPort: 2}]
  -
    name: two
    'image': b:1
    command:
    - sh
    - -c
  empty:
`;

/** The line of a field and what is marked there. */
function marked(field: string): string {
  const { from, to } = rangeOfField(yamlLanguage.parser.parse(text), text, field);
  return `${text.slice(0, from).split('\n').length}: ${text.slice(from, to)}`;
}

describe('the place of a field in YAML', () => {
  for (const [field, expected] of [
    ['kind', '2: kind'],
    ['spec.containers[0].image', '8: image'],
    ['spec.containers[1].image', "12: 'image'"],
    ['spec.containers[1]', '10: -'],
    ['spec.containers[1].command[1]', '15: -c'],
    ['spec.containers[0].ports[1].containerPort', '9: containerPort'],
    ['metadata.labels[app.example/name]', '4: app.example/name'],
    ['metadata.labels.tier', '4: "tier"'],
    ['spec.empty.more', '16: empty'],
    // Of what is not there, the nearest field around it.
    ['spec.containers[0].resources.limits[cpu]', '7: name: one'],
    ['spec.containers[7].name', '6: containers'],
    ['status.phase', '1: '],
    ['', '1: '],
  ] as const)
    it(`the field ${field || '(none)'} is at ${JSON.stringify(expected)}`, () =>
      assert.equal(marked(field), expected));

  for (const broken of ['', '- a\n- b', '{', 'a: [b', '\t', 'x'])
    it(`a field of the text ${JSON.stringify(broken)} has a place within it`, () => {
      const { from, to } = rangeOfField(yamlLanguage.parser.parse(broken), broken, 'a[0].b');
      assert.ok(from >= 0 && from <= to && to <= broken.length);
    });
});
