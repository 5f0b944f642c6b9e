import assert from 'node:assert/strict';
import { encodeJson, jsonEquals } from '@orch/machinery/json';
import { encodeYaml, parsePlainYaml, parseYaml, YamlSyntaxError, yamlDocuments } from '@orch/machinery/yaml';
import { type FuzzTarget, unlessRefused } from '../target.ts';

/** A value that was read is the same after it was written and read again, and both readers agree on plain files. */
export const target: FuzzTarget = {
  seeds: [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {x: "y"}}\ndata:\n  k: |\n    text\n  l: >-\n    folded\n    text\n',
    'a: &x [1, 0644, 0x1f, 1_000, 1e3, .inf, ~, yes, "no", 2001-01-01]\nb: *x\nc: {<<: {d: 1}}\n',
    "- \"\\u0041\\x42\"\n- 'it''s'\n- !!str 1\n- ? k\n  : v\n",
    '--- # one\na: 1\n---\nb: 2\n...\n',
    '{"a": 1, "b": [true, null]}',
  ],
  words: ['&a', '*a', '<<', '!!binary', '|+', '>-', '? ', '---', '%YAML 1.1', '\ufeff'],
  check(data) {
    const read = unlessRefused(() => parseYaml(data, { maxExpandedSize: 1 << 20 }), YamlSyntaxError);
    const text = data.toString('utf8');
    const plain = parsePlainYaml(text);
    if (plain !== undefined) assert.deepEqual(encodeJson(read?.value), encodeJson(plain));
    for (const document of yamlDocuments(text)) assert.ok(document.line >= 1);
    if (read === undefined) return;
    assert.ok(
      jsonEquals(parseYaml(Buffer.from(encodeYaml(read.value))), read.value),
      'encoded and read again',
    );
  },
};
