import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyPlaceAt } from './key-path.ts';

/** The place of the mark `^`, as `path key`, with `=` behind a colon. */
function placeOf(marked: string): string | undefined {
  const place = keyPlaceAt(marked.replace('^', ''), marked.indexOf('^'));
  return place && `${place.path.join('.')} ${place.key}${place.isValue ? '=' : ''}`;
}

describe('the field at a position in YAML', () => {
  for (const [marked, expected] of [
    ['ki^nd: Pod', ' kind'],
    ['kind: P^od', ' kind='],
    ['spec:\n  ^', 'spec '],
    ['spec:\n  rep^', 'spec '],
    ['spec:\n  a:\n    b: 1\n  c^: 2', 'spec c'],
    ['spec:\n  containers:\n  - name: a\n    im^age: b', 'spec.containers image'],
    ['spec:\n  containers:\n  - na^me: a', 'spec.containers name'],
    ['spec:\n  containers:\n  - name: a\n    ports:\n    - container^', 'spec.containers.ports '],
    ['spec:\n  containers:\n  - ^', 'spec.containers '],
    ['metadata:\n  labels:\n    "app": w^', 'metadata.labels app='],
    ['a:\n  # b:\n  c^', 'a '],
    ['a:\n\n  c^', 'a '],
    ['^', ' '],
  ] as const)
    it(`${JSON.stringify(marked)} is at ${JSON.stringify(expected)}`, () =>
      assert.equal(placeOf(marked), expected));

  it('text in several lines contains no fields', () => {
    assert.equal(placeOf('data:\n  script: |-\n    key: ^'), undefined);
  });
});
