import assert from 'node:assert/strict';
import { findKind } from '@orch/apis';
import { applyJsonPatch, applyMergePatch, PatchError, StrategicMerge } from '@orch/apply';
import { namesFor } from '@orch/machinery';
import {
  deepFreeze,
  encodeJson,
  isJsonObject,
  JsonSyntaxError,
  jsonEquals,
  parseJson,
} from '@orch/machinery/json';
import { type FuzzTarget, unlessRefused } from '../target.ts';

const pod = findKind('', 'v1', 'Pod')?.schema;
assert.ok(pod !== undefined);
const strategic = new StrategicMerge(namesFor('kubernetes'));
const document = deepFreeze({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { x: 'y' }, finalizers: ['f/g'] } },
  spec: {
    containers: [
      { name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'E', value: '1' }] },
      { name: 'd', image: 'j' },
    ],
    tolerations: [{ key: 'k', operator: 'Exists' }],
  },
});
const before = JSON.stringify(document);

/** A patch is refused or applied; the document stays as it is, and the result is a JSON value. */
export const target: FuzzTarget = {
  seeds: [
    '[{"op":"test","path":"/kind","value":"Pod"},{"op":"move","from":"/spec/containers/0","path":"/spec/containers/-"}]',
    '[{"op":"copy","from":"","path":"/metadata/a~1b~0c"},{"op":"remove","path":"/spec/containers/-1"},{"op":"replace","path":"","value":1}]',
    '{"metadata":{"labels":{"x":null,"__proto__":{"a":1}}},"spec":{"containers":[{"name":"c","ports":[{"containerPort":80,"$patch":"delete"}]}]}}',
    '{"spec":{"$setElementOrder/containers":[{"name":"d"},{"name":"c"}],"containers":[{"$patch":"replace"},{"name":"d"}]}}',
    '{"metadata":{"$deleteFromPrimitiveList/finalizers":["f/g"]},"spec":{"$retainKeys":["containers"],"tolerations":[]}}',
  ],
  words: [
    '"$patch":"',
    '"$retainKeys":[',
    '"$setElementOrder/',
    '"$deleteFromPrimitiveList/',
    '"op":"',
    '"from":"',
    '"path":"/',
    '__proto__',
  ],
  check(data) {
    const patch = unlessRefused(() => parseJson(data), JsonSyntaxError)?.value;
    if (patch === undefined) return;
    deepFreeze(patch);
    const results = [
      unlessRefused(() => applyJsonPatch(document, patch), PatchError),
      { value: applyMergePatch(document, patch) },
      unlessRefused(() => strategic.apply(document, patch, pod), PatchError),
    ];
    for (const result of results)
      if (result !== undefined) assert.ok(jsonEquals(parseJson(encodeJson(result.value)), result.value));
    const [, merged] = results;
    if (isJsonObject(patch))
      assert.ok(jsonEquals(applyMergePatch(merged?.value, patch), merged?.value), 'merged twice');
    assert.equal(JSON.stringify(document), before);
    assert.equal(Object.hasOwn(Object.prototype, 'a'), false);
  },
};
