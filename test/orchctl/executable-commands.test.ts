import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, temporaryFolder } from '@orch/testkit';
import { executable } from './programs.ts';

const root = join(import.meta.dirname, '..', '..');
const [path = ''] = executable.argv;

/** One suite for each part of the platform that commands use. All suites run by `make test-executable`. */
const suites: Readonly<Record<string, string>> = {
  'streams to pods and forwarded ports': 'test/orchctl/connect.test.ts',
  'archives that are copied to and from pods': 'test/orchctl/copy.test.ts',
  'logins at a provider and refreshed tokens': 'test/orchctl/login/login.test.ts',
  'exec credential plugins and their policy': 'packages/orchctl/src/client-config/plugin-policy.test.ts',
  'plugins on the path': 'packages/orchctl/src/plugins/plugins.test.ts',
  'objects of files and editors': 'test/orchctl/edit.test.ts',
  'folders of manifests that another program builds': 'test/orchctl/kustomize.test.ts',
};

const skip = process.env['ORCHCTL_UNDER_TEST'] === undefined ? executable.skip : 'all suites run already';

describe('commands of the executable', { skip, timeout: 170_000 }, () => {
  it(`the tests of ${Object.keys(suites).join(', ')} pass with the executable`, async () => {
    using folder = temporaryFolder();
    const times = join(folder.path, 'times.json');
    // A process of the test runner that is asked to be one of its children would run nothing.
    const env = { ORCHCTL_UNDER_TEST: path, NODE_TEST_CONTEXT: undefined };
    const files = Object.values(suites);
    const argv = [join(root, 'scripts', 'test.ts'), `--times=${times}`, ...files];
    const { code, stdout, stderr } = await run(process.execPath, argv, {
      env,
      cwd: root,
      timeoutMs: 160_000,
    });
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /[1-9]\d* passed, 0 failed/);
    const { seconds } = JSON.parse(readFileSync(times, 'utf8')) as { readonly seconds: object };
    assert.deepEqual(Object.keys(seconds).sort(), files.sort(), 'every suite has run');
  });
});
