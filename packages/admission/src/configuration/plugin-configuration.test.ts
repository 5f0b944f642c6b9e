import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import { type PluginConfiguration, readAdmissionConfiguration } from './plugin-configuration.ts';

const names = namesFor('orch');
const files: Readonly<Record<string, string>> = {
  '/etc/admission/quota.yaml': 'limitedResources: []\n',
  '/srv/rates.json': '{"limits": [{"type": "Server"}]}',
  '/etc/admission/broken.yaml': 'a: [\n',
};

const read = (text: string): PluginConfiguration =>
  readAdmissionConfiguration({
    text,
    file: '/etc/admission/config.yaml',
    names,
    plugins: ['ResourceQuota', 'EventRateLimit', 'PodSecurity', 'PodNodeSelector'],
    read(file) {
      const found = files[file];
      if (found === undefined) throw new Error(`ENOENT: ${file}`);
      return found;
    },
  });

const plugins = (entries: string, apiVersion = 'apiserver.config.orch.io/v1'): string =>
  `apiVersion: ${apiVersion}\nkind: AdmissionConfiguration\nplugins:\n${entries}`;

describe('admission configuration file', () => {
  it('an embedded configuration of a plugin is read', () => {
    const configuration = read(
      plugins('- name: PodSecurity\n  configuration: {defaults: {enforce: baseline}}\n'),
    );
    assert.deepEqual(configuration('PodSecurity')?.value, { defaults: { enforce: 'baseline' } });
  });

  it('the path of the configuration of a plugin is relative to the folder of the configuration file', () => {
    const configuration = read(plugins('- {name: ResourceQuota, path: quota.yaml}\n'));
    assert.deepEqual(configuration('ResourceQuota')?.value, { limitedResources: [] });
    assert.equal(configuration('ResourceQuota')?.file, '/etc/admission/quota.yaml');
  });

  it('the path of the configuration of a plugin may be absolute, and its file may be JSON', () => {
    const configuration = read(plugins('- {name: EventRateLimit, path: /srv/rates.json}\n'));
    assert.deepEqual(configuration('EventRateLimit')?.value, { limits: [{ type: 'Server' }] });
  });

  it('an embedded configuration takes precedence over a path', () => {
    const configuration = read(plugins('- {name: ResourceQuota, path: none.yaml, configuration: {a: 1}}\n'));
    assert.deepEqual(configuration('ResourceQuota')?.value, { a: 1 });
  });

  it('a plugin without an entry, and one with an empty entry, has no configuration', () => {
    const configuration = read(plugins('- name: ResourceQuota\n'));
    assert.equal(configuration('ResourceQuota'), undefined);
    assert.equal(configuration('PodSecurity'), undefined);
  });

  it('the deprecated version of admission configurations is read', () => {
    const configuration = read(
      plugins('- {name: PodSecurity, configuration: {}}\n', 'apiserver.orch.io/v1alpha1'),
    );
    assert.deepEqual(configuration('PodSecurity')?.value, {});
  });

  it('a file without a kind is the configuration of the plugins that could be configured that way', () => {
    const configuration = read('podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: a=b}\n');
    assert.notEqual(configuration('PodNodeSelector'), undefined);
    assert.equal(configuration('PodSecurity'), undefined);
  });

  it('the file of a plugin that does not ask for its configuration is not read', () => {
    assert.doesNotThrow(() => read(plugins('- {name: ResourceQuota, path: none.yaml}\n')));
  });

  const refused: readonly [string, string, RegExp][] = [
    [
      'an unknown version',
      plugins('', 'apiserver.config.orch.io/v2'),
      /^line 1: apiVersion: must be one of apiserver\.config\.orch\.io\/v1, /,
    ],
    [
      'an unknown field',
      plugins('- {name: PodSecurity, config: {}}\n'),
      /^line 4: plugins\[0\]\.config: unknown field "config", expected one of name, path/,
    ],
    [
      'an unknown plugin',
      plugins('- {name: PodSecured}\n'),
      /^line 4: plugins\[0\]\.name: must be one of ResourceQuota, .*, not "PodSecured"$/,
    ],
    ['an entry without a name', plugins('- {path: a}\n'), /^line 4: plugins\[0\]\.name: must be one of /],
    [
      'a plugin that is configured twice',
      plugins('- {name: PodSecurity}\n- {name: PodSecurity}\n'),
      /^line 5: plugins\[1\]\.name: PodSecurity is configured more than once$/,
    ],
    [
      'a repeated field',
      plugins('- {name: PodSecurity, name: ResourceQuota}\n'),
      /^line 4: plugins\[0\]\.name: the field is repeated$/,
    ],
    ['an empty file', '', /^line 1: kind: must be one of AdmissionConfiguration$/],
    [
      'another kind',
      'apiVersion: apiserver.config.orch.io/v1\nkind: Policy\n',
      /^line 2: kind: must be one of AdmissionConfiguration, not "Policy"$/,
    ],
    ['invalid YAML', 'plugins: [', /line \d+, column/],
  ];
  for (const [title, text, problem] of refused) {
    it(`${title} is an error with its place in the admission configuration file`, () => {
      assert.throws(
        () => read(text),
        (error) => error instanceof ConfigFileError && problem.test(error.message),
      );
    });
  }

  it('a missing file of a plugin is an error of the path that names it', () => {
    const configuration = read(plugins('- {name: ResourceQuota, path: none.yaml}\n'));
    assert.throws(
      () => configuration('ResourceQuota'),
      /line 4: plugins\[0\]\.path: ENOENT: \/etc\/admission\/none\.yaml/,
    );
  });

  it('an invalid file of a plugin is an error of that file', () => {
    const configuration = read(plugins('- {name: ResourceQuota, path: broken.yaml}\n'));
    assert.throws(
      () => configuration('ResourceQuota'),
      (error) => error instanceof ConfigFileError && error.file === '/etc/admission/broken.yaml',
    );
  });
});
