import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandError } from '../command-error.ts';
import { readDocuments } from './documents.ts';

describe('documents of a file', () => {
  it('an error of syntax names file, line and column of the file once, also in a later document', () => {
    for (const [text, message] of [
      ['a: b: c\n', 'maps.yaml:1:4: Nested mappings are not allowed in compact mappings'],
      ['kind: A\n---\nkind: B\n---\n\na: *nope\n', 'maps.yaml:6:4: unknown anchor "nope"'],
    ] as const)
      assert.throws(
        () => readDocuments(text, 'maps.yaml'),
        (error) => error instanceof CommandError && error.message === message,
      );
  });

  it('an error in a template of a chart tells the reader to render the template', () => {
    for (const text of [
      'kind: A\nmetadata:\n  {{- include "labels" . | nindent 4 }}\n',
      '{{- if .Values.enabled }}\nkind: A\n{{- end }}\n',
      'kind: A\nmetadata:\n  name: {{ .Release.Name }}-web\n',
      'kind: A\nmetadata:\n  name: {{ .Release.Name }}\n',
      '{{ include "all" . }}\n',
    ])
      assert.throws(
        () => readDocuments(text, 'templates/web.yaml'),
        (error) =>
          error instanceof CommandError &&
          /^templates.*: render the templates of a chart first/.test(error.message),
        text,
      );
  });

  it('a JSON document with a number beyond a double is refused with its line and field, and YAML reads it as a string', () => {
    for (const token of ['1e400', '-1e400', '9'.repeat(400)])
      assert.throws(
        () => readDocuments(`{"kind": "A"}\n{"kind": "B",\n"data": {"a": ${token}}}`, 'maps.json'),
        (error) =>
          error instanceof CommandError &&
          /^maps\.json:3: data\.a: the number .* is out of the range of a 64-bit float/.test(error.message),
      );
    const [yaml] = readDocuments('kind: A\ndata: {a: 1e400}\n', 'maps.yaml');
    assert.deepEqual(yaml?.object['data'], { a: '1e400' });
    const [json] = readDocuments('{"kind": "A", "n": 9007199254740993}', 'maps.json');
    assert.equal(JSON.stringify(json?.object), '{"kind":"A","n":9007199254740993}');
  });

  it('JSON objects behind each other are documents with their lines', () => {
    const text = '\n{"kind": "A", "text": "}{\\""}{"kind": "B"}\n\n{\n"kind": "C"}\n---\n{kind: D}\n';
    assert.deepEqual(
      readDocuments(text, 'stream.json').map(({ object, place }) => [object['kind'], place.line]),
      [
        ['A', 2],
        ['B', 2],
        ['C', 4],
        ['D', 7],
      ],
    );
    assert.throws(() => readDocuments('{"kind": "A"}\n{"kind": }', 'stream.json'), /stream\.json:2:/);
  });
});
