import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { findKubectls, launchServer, run } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of the tour and what the README says they print. */
function tour(): readonly Step[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const block = /<!-- tour -->\n```console\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf('\n');
      return { command: step.slice(0, end), output: step.slice(end + 1) };
    });
}

/** What differs from run to run stands for itself: ages, times, ids, revisions, and the padding of columns. */
const settled = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/resourceVersion: "\d+"/g, 'resourceVersion: "N"')
    .replace(/\b\d+s\b/g, 'AGE')
    .replace(/[ \t]+/g, ' ')
    .trim();

const [oldest] = await findKubectls(root);

describe('the tour of the README', { timeout: 60_000 }, () => {
  const skip = oldest === undefined ? 'no kubectl on this machine' : false;
  it('prints what the README says', { skip }, async () => {
    assert.ok(oldest);
    await using server = await launchServer({ naming: 'kubernetes' });
    const home = mkdtempSync(join(tmpdir(), 'tour-'));
    try {
      symlinkSync(oldest.path, join(home, 'kubectl'));
      const steps = tour();
      assert.ok(steps.length > 5, 'the README has a tour');
      for (const { command, output } of steps) {
        const result = await run('/bin/sh', ['-c', command], {
          env: { KUBECONFIG: server.adminConfig, HOME: home, PATH: `${home}:${dirname('/bin/sh')}:/usr/bin` },
        });
        assert.equal(result.code, 0, `${command}\n${result.stderr}`);
        assert.equal(settled(result.stdout), settled(output), command);
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
