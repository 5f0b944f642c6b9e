import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

describe('the files of the console', () => {
  const files = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../dist/console.json'), 'utf8'),
  ) as readonly { readonly path: string; readonly gzip: string }[];
  const bytesOf = ({ gzip }: { readonly gzip: string }): Buffer => Buffer.from(gzip, 'base64');

  it('the first load has at most 250 KB', () => {
    const index = files.find(({ path }) => path === 'index.html') ?? assert.fail();
    const html = gunzipSync(bytesOf(index)).toString('utf8');
    const first = files.filter(({ path }) => path === 'index.html' || html.includes(path));
    assert.ok(first.length > 2);
    const size = first.reduce((sum, file) => sum + bytesOf(file).length, 0);
    assert.ok(size <= 250_000, `${size} bytes`);
  });

  it('the page contains no script and no style of its own, which its policy would refuse', () => {
    const index = files.find(({ path }) => path === 'index.html') ?? assert.fail();
    const html = gunzipSync(bytesOf(index)).toString('utf8');
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]* src=)|\son\w+=/);
  });
});
