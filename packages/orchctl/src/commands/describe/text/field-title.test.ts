import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldTitle } from './field-title.ts';

describe('titles of fields', () => {
  for (const [name, title] of [
    ['size', 'Size'],
    ['creationTimestamp', 'Creation Timestamp'],
    ['apiVersion', 'API Version'],
    ['uid', 'UID'],
    ['httpURL', 'Http URL'],
    ['nonResourceURLs', 'Non Resource URLs'],
    ['externalIPs', 'External I Ps'],
    ['openAPIV3Schema', 'openAPIV3Schema'],
    ['snake_case', 'snake_case'],
    ['', ''],
  ] as const)
    it(`the title of ${JSON.stringify(name)} is ${JSON.stringify(title)}`, () => {
      assert.equal(fieldTitle(name), title);
    });
});
