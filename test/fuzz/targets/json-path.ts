import assert from 'node:assert/strict';
import { deepFreeze } from '@orch/machinery/json';
import { evaluateJsonPath, JsonPathError, jsonPathProblem, parseJsonPath } from '@orch/machinery/json-path';
import { type FuzzTarget, unlessRefused } from '../target.ts';

const value = deepFreeze({
  kind: 'List',
  items: [
    {
      metadata: { name: 'a', labels: { 'x/y': '1' } },
      spec: { n: 1 },
      status: [{ type: 'Ready', ok: true }],
    },
    { metadata: { name: 'b' }, spec: { n: 2, deep: [[1, 2], [[3]]] } },
  ],
});

/** Every path that is read can be evaluated, with a bounded result. */
export const target: FuzzTarget = {
  seeds: [
    '.items[*].metadata.name',
    '..name',
    ".items[?(@.spec.n>=1)].metadata.labels['x/y']",
    '.items[-1:0:-1]["metadata","spec"].name',
    '.items[0].status[?(@.type=="Ready")].ok',
    '$.items[0,1].spec.deep[*][*]',
  ],
  words: ['[?(@.', '[*]', '..', "['", '==', '!=', ':'],
  check(data) {
    const text = data.toString('utf8');
    const path = unlessRefused(() => parseJsonPath(text), JsonPathError)?.value;
    assert.equal(jsonPathProblem(text) === undefined, path !== undefined);
    if (path !== undefined) assert.ok((evaluateJsonPath(path, value)?.length ?? 0) <= 10_000);
  },
};
