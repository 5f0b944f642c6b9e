import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer, representativeKubectls, run } from '@orch/testkit';
import { executableFolder } from '@orch/testkit/orchctl-executable';
import { bundledFile, executable } from '../orchctl/programs.ts';

const root = join(import.meta.dirname, '..', '..');

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of the page `docs/tours/NAME.md` with their documented output. */
function tour(name: string): readonly Step[] {
  const page = readFileSync(join(root, 'docs/tours', `${name}.md`), 'utf8');
  const block = /^```console\n([\s\S]*?)```/m.exec(page)?.[1] ?? '';
  const steps = block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf('\n');
      return { command: step.slice(0, end), output: step.slice(end + 1) };
    });
  assert.ok(steps.length > 5, `docs/tours/${name}.md has commands`);
  return steps;
}

/**
 * Output that differs between runs is replaced by placeholders: ages, times, ids, revisions, and the padding of
 * columns. Blank lines, and the namespace of a deleted object, are left out where releases of kubectl differ in them.
 */
const settled = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/(resourceVersion"?): "\d+"/g, '$1: "N"')
    .replace(/\b\d+s\b/g, 'AGE')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/ deleted from \S+ namespace$/gm, ' deleted')
    .trim();

/** Runs every command in a shell and compares what it prints, errors included. */
async function follow(steps: readonly Step[], env: NodeJS.ProcessEnv, cwd: string): Promise<void> {
  for (const { command, output } of steps) {
    const result = await run('/bin/sh', ['-c', `cd '${cwd}' && ${command}`], { env });
    assert.equal(result.code, 0, `${command}\n${result.stderr}`);
    assert.equal(settled(result.stdout + result.stderr), settled(output), command);
  }
}

const kubectls = await representativeKubectls(root);

describe('commands of the tours', { timeout: 180_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'tour-'));
  after(() => rmSync(home, { recursive: true, force: true }));

  if (kubectls.length === 0)
    it.skip('the commands of the tour with kubectl print the documented output: no kubectl on this machine', () => {});
  for (const { path, release } of kubectls)
    it(`the commands of the tour with kubectl print the documented output with kubectl ${release}`, async () => {
      await using server = await launchServer({ program: 'orch', naming: 'kubernetes', release: 'latest' });
      const own = mkdtempSync(join(home, 'kubectl-'));
      symlinkSync(path, join(own, 'kubectl'));
      const env = { KUBECONFIG: server.adminConfig, HOME: own, PATH: `${own}:/usr/bin:/bin` };
      await follow(tour('kubectl'), env, root);
    });

  describe('under the default naming', () => {
    let server: LaunchedServer;
    before(async () => {
      const tokens = join(home, 'tokens.csv');
      writeFileSync(tokens, 's3cret,alice,1,"system:masters"\n');
      server = await launchServer({ program: 'orch', args: [`--token-auth-file=${tokens}`] });
    });
    after(() => server?.[Symbol.asyncDispose]());

    for (const [folder, { name, skip }] of [
      [join(root, 'bin'), bundledFile],
      [executableFolder, executable],
    ] as const)
      it(`the commands of the tour with orchctl print the documented output with ${name}`, {
        skip,
      }, async () => {
        const path = `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`;
        await using own = await launchServer({ program: 'orch' });
        const env = { ORCHCONFIG: own.adminConfig, HOME: home, PATH: path };
        await follow(tour('orchctl'), env, root);
      });

    it('the commands of the tour with curl print the documented output', async () => {
      const steps = tour('http').map(({ command, output }) => ({
        command: command.replaceAll('https://127.0.0.1:6443', server.url),
        output,
      }));
      await follow(steps, {}, home);
    });
  });
});
