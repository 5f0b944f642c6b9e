import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, namings } from './names.ts';
import { namingOf } from './naming-of.ts';

describe('the naming that an identifier belongs to', () => {
  for (const naming of namings) {
    const names = namesFor(naming);
    for (const identifier of [
      names.group('rbac'),
      names.group('abac'),
      names.apiVersion('certificates', 'v1'),
      names.mediaTypes.protobuf,
      names.webSocketProtocols.channelV4,
    ])
      it(`the naming that an identifier belongs to is ${naming} for ${identifier}`, () =>
        assert.equal(namingOf(identifier), naming));
  }

  for (const identifier of [
    '',
    'apps',
    'apps/v1',
    'v1',
    'application/json',
    'example.com/v1',
    'notk8s.io',
    'example.com/k8s.io',
    'k8s.io.example.com',
  ])
    it(`the naming that an identifier belongs to is none for ${JSON.stringify(identifier)}`, () =>
      assert.equal(namingOf(identifier), undefined));
});
