import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson } from './parse.ts';
import { cloneJson } from './values.ts';
import { WIDE, widthOf } from './width.ts';

const fieldsOf = (count: number, value: unknown = 1): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

const parsed = (value: unknown): unknown => parseJson(Buffer.from(JSON.stringify(value)));

describe('objects with many fields', () => {
  it('objects with many fields are known after they are parsed, at any depth', () => {
    const value = parsed({ a: [{ b: fieldsOf(WIDE) }, fieldsOf(3)], c: fieldsOf(WIDE + 1, { d: 1 }) });
    const { a, c } = value as { readonly a: readonly { readonly b: object }[]; readonly c: object };
    assert.equal(widthOf(a[0]?.b ?? {}), WIDE);
    assert.equal(widthOf(c), WIDE + 1);
    assert.equal(widthOf(value as object), undefined);
    assert.equal(widthOf(a[1] as object), undefined);
  });

  it('objects with many fields are known in texts with numbers of any size, and with colons and brackets within strings', () => {
    const text = `{"n":12345678901234567890,":{":"{}:","wide":${JSON.stringify(fieldsOf(WIDE, ':}{:'))}}`;
    const { wide } = parseJson(Buffer.from(text)) as { readonly wide: object };
    assert.equal(widthOf(wide), WIDE);
  });

  it('objects with many fields are not assumed where many objects have few fields each', () => {
    const value = parsed(Array.from({ length: WIDE }, () => fieldsOf(5))) as readonly object[];
    assert.ok(value.every((one) => widthOf(one) === undefined));
  });

  it('objects with many fields are known of a copy', () => {
    assert.equal(widthOf(cloneJson({ a: fieldsOf(WIDE) }).a), WIDE);
  });
});
