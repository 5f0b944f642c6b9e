import assert from 'node:assert/strict';
import { it } from 'node:test';
import { goTemplateText } from './evaluate.ts';
import { parseGoTemplate } from './parse.ts';

const template = parseGoTemplate('{{range $i, $x := .items}}{{if $i}},{{end}}{{printf "%s" $x.name}}{{end}}');

it('a template of many items ends, with one string for each of them', () => {
  const items = Array.from({ length: 200_000 }, (_, i) => ({ name: `n${i}` }));
  const names = goTemplateText(template, { items }).split(',');
  assert.deepEqual([names.length, names[0], names.at(-1)], [200_000, 'n0', 'n199999']);
});

it('integers beyond 2^53 are printed as they are', () => {
  const value = { n: (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('9007199254740993') };
  assert.equal(
    goTemplateText(parseGoTemplate('{{.n}} {{printf "%d" .n}} {{eq .n 9007199254740993}}'), value),
    '9007199254740993 9007199254740993 true',
  );
});

it('a template reads no member that an object does not have itself', () =>
  assert.equal(
    goTemplateText(parseGoTemplate('{{.constructor}}{{index . "__proto__"}}'), {}),
    '<no value><no value>',
  ));

it('a range over an integer counts up to it, as in recent releases of kubectl', () =>
  assert.equal(
    goTemplateText(parseGoTemplate('{{range 3}}{{.}}{{end}}{{range 0}}{{.}}{{else}}none{{end}}'), {}),
    '012none',
  ));
