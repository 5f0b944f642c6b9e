import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Release } from '@orch/apis';
import { defaultPluginNames, type PluginName, pluginNames, removalOf } from './plugin-names.ts';

const since: readonly [Release, readonly PluginName[]][] = [
  [
    '1.15',
    [
      'CertificateApproval',
      'CertificateSigning',
      'CertificateSubjectRestriction',
      'NamespaceLifecycle',
      'LimitRanger',
      'ServiceAccount',
      'TaintNodesByCondition',
      'Priority',
      'DefaultTolerationSeconds',
      'DefaultStorageClass',
      'StorageObjectInUseProtection',
      'PersistentVolumeClaimResize',
      'MutatingAdmissionPolicy',
      'MutatingAdmissionWebhook',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionWebhook',
      'ResourceQuota',
    ],
  ],
  ['1.16', ['RuntimeClass']],
  ['1.18', ['DefaultIngressClass']],
  ['1.22', ['PodSecurity']],
  ['1.36', ['PodGroupProtection']],
];

const releases: readonly Release[] = [
  ...(['1.15', '1.16', '1.17', '1.18', '1.20', '1.22', '1.24', '1.26', '1.27', '1.35', '1.36'] as const),
];

describe('names of admission plugins', () => {
  for (const release of releases)
    it(`the plugins that are on by default in release ${release} match that release`, () => {
      const expected = since
        .filter(([first]) => Number(first.slice(2)) <= Number(release.slice(2)))
        .flatMap(([, names]) => names);
      assert.deepEqual(new Set(defaultPluginNames(release)), new Set(expected));
    });

  it('the names of later releases, and those of removed plugins, are known', () => {
    for (const name of ['MutatingAdmissionPolicy', 'PodPreset', 'PodSecurityPolicy', 'DenyEscalatingExec'])
      assert.ok(
        pluginNames.some((known) => known === name),
        name,
      );
  });

  it('a plugin is removed from the release on that removes what it is about', () => {
    assert.equal(removalOf('PodSecurityPolicy', '1.24'), undefined);
    assert.equal(removalOf('PodSecurityPolicy', '1.25'), '1.25');
    assert.equal(removalOf('PodPreset', '1.24'), '1.20');
    assert.equal(removalOf('NamespaceLifecycle', '1.27'), undefined);
  });
});
