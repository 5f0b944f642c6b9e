import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Naming, namesFor } from '@orch/machinery';
import { ConfigFileError, ConfigValue } from '@orch/machinery/yaml';
import { podSecuritySettings } from './configuration.ts';
import { levelText } from './levels.ts';
import { modes } from './namespace-policy.ts';

const settings = (body: string, version = 'v1', naming: Naming = 'orch') => {
  const group = naming === 'orch' ? 'orch.io' : 'k8s.io';
  const header = `apiVersion: pod-security.admission.config.${group}/${version}\nkind: PodSecurityConfiguration\n`;
  return podSecuritySettings(ConfigValue.parse(`${header}${body}`, 'config.yaml'), namesFor(naming));
};

const policyText = ({ defaults }: ReturnType<typeof settings>): string =>
  modes.map((mode) => levelText(defaults[mode])).join(' ');

describe('configuration of PodSecurity', () => {
  for (const version of ['v1', 'v1beta1', 'v1alpha1'])
    for (const naming of ['orch', 'kubernetes'] as const)
      it(`defaults and exemptions are read from version ${version} under the naming ${naming}`, () => {
        const found = settings(
          `defaults: {enforce: baseline, enforce-version: v1.20, audit: restricted, warn: "", warn-version: ""}
exemptions: {usernames: [alice, "system:x"], runtimeClasses: [vm], namespaces: [orch-system]}
`,
          version,
          naming,
        );
        assert.equal(policyText(found), 'baseline:v1.20 restricted:latest privileged:latest');
        assert.deepEqual(found.exemptions, {
          usernames: new Set(['alice', 'system:x']),
          runtimeClasses: new Set(['vm']),
          namespaces: new Set(['orch-system']),
        });
      });

  it('without a configuration, and with an empty one, everything is privileged and nothing is exempt', () => {
    for (const found of [settings(''), podSecuritySettings(undefined, namesFor('orch'))]) {
      assert.equal(policyText(found), 'privileged:latest privileged:latest privileged:latest');
      assert.deepEqual(
        Object.values(found.exemptions).map(({ size }) => size),
        [0, 0, 0],
      );
    }
  });

  for (const [body, problem] of [
    [
      'defaults: {enforce: strict}',
      'defaults.enforce: must be one of privileged, baseline, restricted, not "strict"',
    ],
    ['defaults: {warn-version: "1.20"}', 'defaults.warn-version: must be "latest" or "v1.x"'],
    ['defaults: {enforceVersion: v1.20}', 'defaults.enforceVersion: unknown field'],
    ['exemptions: {usernames: [""]}', 'exemptions.usernames[0]: must not be empty'],
    ['exemptions: {namespaces: [a, B]}', 'exemptions.namespaces[1]: a lowercase RFC 1123 label must'],
    [
      'exemptions: {runtimeClasses: [a/b]}',
      'exemptions.runtimeClasses[0]: a lowercase RFC 1123 subdomain must',
    ],
    ['exemptions: {namespaces: [a, a]}', 'exemptions.namespaces[1]: "a" is repeated'],
    ['exemptions: {groups: [a]}', 'exemptions.groups: unknown field'],
  ] as const)
    it(`${body} is an error with its place`, () => {
      assert.throws(
        () => settings(body),
        (error) => error instanceof ConfigFileError && error.message.startsWith(`line 3: ${problem}`),
      );
    });

  it('another kind is an error', () => {
    const value = ConfigValue.parse('kind: Policy\napiVersion: v1\n', 'config.yaml');
    assert.throws(() => podSecuritySettings(value, namesFor('orch')), ConfigFileError);
  });
});
