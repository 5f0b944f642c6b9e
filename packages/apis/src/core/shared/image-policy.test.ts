import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { policyOfImage } from './image-policy.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('the pull policy of an image', () => {
  for (const [image, expected] of [
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.25', 'IfNotPresent'],
    [`nginx@${digest}`, 'IfNotPresent'],
    ['registry:5000/a/nginx:latest', 'Always'],
    [`nginx:1@${digest}`, 'IfNotPresent'],
    [`nginx:latest@${digest}`, 'Always'],
    ['registry.example.com:5000/a/b', 'Always'],
    ['registry.example.com:5000/a/b:v1', 'IfNotPresent'],
    ['localhost/a', 'Always'],
    ['HOST/a', 'Always'],
    ['[fd00::1]:5000/a', 'Always'],
    ['a__b/c--d/e.f', 'Always'],
    ['A', 'IfNotPresent'],
    ['a/B', 'IfNotPresent'],
    ['a b', 'IfNotPresent'],
    ['a//b', 'IfNotPresent'],
    ['é', 'IfNotPresent'],
    ['', 'IfNotPresent'],
    ['a@sha256:1', 'IfNotPresent'],
    ['a'.repeat(247), 'Always'],
    ['a'.repeat(248), 'IfNotPresent'],
    [`${'a'.repeat(253)}/a`, 'Always'],
    [`${'a'.repeat(254)}/a`, 'IfNotPresent'],
    ['a'.repeat(64), 'IfNotPresent'],
    ['a.'.repeat(500_000), 'IfNotPresent'],
  ] as const)
    it(`the image ${image.length > 60 ? `of ${image.length} characters` : `"${image}"`} is pulled ${expected}`, () => {
      assert.equal(policyOfImage(image), expected);
    });
});
