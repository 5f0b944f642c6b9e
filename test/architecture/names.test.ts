import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceFiles } from './source-files.ts';

const productName = /orch\.io|k8s\.io|kubernetes\.io|kube-|orch-system/;
const namesModule = /^packages\/machinery\/src\/names(\/|\.ts$|-)/;

describe('literals of product names', () => {
  it('product names appear as literals in the names module only', () => {
    const found = sourceFiles()
      .filter((file) => !file.isTest && !namesModule.test(file.path))
      .flatMap((file) =>
        file.text
          .split('\n')
          .map((line, index) => ({ line: line.replace(/^\s*(\/\/|\*|\/\*).*$/, ''), number: index + 1 }))
          .filter(({ line }) => productName.test(line))
          .map(({ line, number }) => `${file.path}:${number}: ${line.trim()}`),
      );
    assert.deepEqual(found, []);
  });
});
