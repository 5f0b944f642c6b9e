import assert from 'node:assert/strict';
import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { kubectlVersion } from './kubectl-versions.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A program that prints its version, and the number of times it was called. */
function program(folder: string, name: string) {
  const path = join(folder, name);
  const log = `${path}.log`;
  writeFileSync(log, '');
  return {
    path,
    becomes(answer: string, time: Date) {
      writeFileSync(path, `#!/bin/sh\necho "$@" >>'${log}'\necho '${answer}'\n`);
      chmodSync(path, 0o755);
      utimesSync(path, time, time);
    },
    asked: () => readFileSync(log, 'utf8').split('\n').length - 1,
  };
}

const saying = (version: string): string => `{"clientVersion":{"gitVersion": "${version}"}}`;
const [earlier, later] = [new Date('2026-01-01'), new Date('2026-01-02')];

describe('versions of kubectl', () => {
  it('a program is asked once, and again when its file has changed', async () => {
    using folder = temporaryFolder();
    const kept = join(folder.path, 'cache', 'versions.json');
    const kubectl = program(folder.path, 'kubectl');
    kubectl.becomes(saying('v1.20.2'), earlier);
    assert.equal(await kubectlVersion(kubectl.path, kept), 'v1.20.2');
    assert.equal(await kubectlVersion(kubectl.path, kept), 'v1.20.2');
    assert.equal(kubectl.asked(), 1);
    kubectl.becomes(saying('v1.33.0'), later);
    assert.equal(await kubectlVersion(kubectl.path, kept), 'v1.33.0');
  });

  it('versions of several programs are kept side by side', async () => {
    using folder = temporaryFolder();
    const kept = join(folder.path, 'versions.json');
    for (const round of [1, 2])
      for (const version of ['v1.20.2', 'v1.33.0']) {
        const kubectl = { path: join(folder.path, version) };
        if (round === 1) program(folder.path, version).becomes(saying(version), earlier);
        assert.equal(await kubectlVersion(kubectl.path, kept), version);
      }
    assert.equal(Object.keys(JSON.parse(readFileSync(kept, 'utf8'))).length, 2);
  });

  it('a program that does not say a version is asked again, and a damaged file is replaced', async () => {
    using folder = temporaryFolder();
    const kept = join(folder.path, 'versions.json');
    writeFileSync(kept, '{"damaged');
    const kubectl = program(folder.path, 'kubectl');
    kubectl.becomes('an error', earlier);
    assert.equal(await kubectlVersion(kubectl.path, kept), '');
    assert.equal(await kubectlVersion(kubectl.path, kept), '');
    assert.equal(kubectl.asked(), 2);
    kubectl.becomes(saying('v1.33.0'), later);
    assert.equal(await kubectlVersion(kubectl.path, kept), 'v1.33.0');
    assert.equal(await kubectlVersion(kubectl.path, kept), 'v1.33.0');
    assert.equal(kubectl.asked(), 3);
  });
});
