import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { commands } from '@orch/orchctl';
import { type CommandResult, type CommandSurroundings, runCommandLine } from '@orch/orchctl/testing';
import { encodePem } from '@orch/pki/x509';
import { makeRequest } from '@orch/pki/x509/testing';
import { exampleCluster, restoreObjects, writeExampleFiles } from './example-cluster.ts';
import { exampleArguments, examplesOf } from './examples.ts';
import type { NodeCluster } from './node-cluster.ts';

/** Commands whose examples other tests run, with the files of those tests. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'workloads/examples.test.ts': [
    ...['run', 'expose', 'autoscale', 'rollout', 'set', 'cordon', 'uncordon', 'drain', 'taint'],
  ],
  'describe/describe.test.ts': ['describe'],
  'generate/create.test.ts': ['create'],
  'why.test.ts': ['why', 'trace'],
  'login/login.test.ts': ['login', 'logout'],
  'copy.test.ts': ['cp'],
  'debug.test.ts': ['debug'],
  'kustomize.test.ts': ['kustomize', 'apply -k'],
  'usage.test.ts': ['top node', 'top pod'],
};
const skipped = new RegExp(`^orchctl (?:${Object.values(elsewhere).flat().join('|')})(?: |$)`);

/** Examples that run until they are interrupted. */
const endless = /--watch|logs -f|port-forward|proxy|attach|console/;

/** Examples whose exit status is an answer. */
const answers = /diff |check |auth can-i list/;

/** Places of this test instead of those in the examples. */
const adapt = (line: string, revision: string): string =>
  line
    // Nothing here is as old as the durations.
    .replace(/(?<=--(?:at|to)=)(?:1234|\d+[mh])/, revision)
    .replace(/ 8\d{3}:/g, ' 0:')
    .replace(/ top --once/, ' top --once --interval=100ms')
    .replace('--interval=10s', '--interval=100ms');

// Those that begin with another program pipe its output to a command.
const all = (await examplesOf(commands)).filter(
  (line) => /^orchctl /.test(line) && (!skipped.test(line) || line.startsWith('orchctl create -f ')),
);

describe('examples in the help of commands', () => {
  let cluster: NodeCluster;
  before(async () => {
    cluster = await exampleCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());
  beforeEach(async () => {
    writeExampleFiles(cluster);
    await restoreObjects(cluster);
  });

  const run = (argv: readonly string[], surroundings: CommandSurroundings = {}): Promise<CommandResult> =>
    runCommandLine(argv, {
      folder: cluster.folder,
      homeFolder: cluster.folder,
      environment: {
        ...process.env,
        KUBECONFIG: join(cluster.folder, 'config'),
        EDITOR: 'true',
        PATH: [join(cluster.folder, 'plugins'), process.env['PATH']].join(delimiter),
      },
      ...surroundings,
    });

  /** Runs an example, with the file that is piped into it. */
  function runExample(line: string, surroundings: CommandSurroundings = {}): Promise<CommandResult> {
    const [, file, command = line] = /^cat (\S+) \| (.*)$/.exec(line) ?? [];
    const input = file === undefined ? {} : { input: readFileSync(join(cluster.folder, file), 'utf8') };
    return run(exampleArguments(command), { ...input, ...surroundings });
  }

  /** Runs an endless example until it prints something or connects to a container. */
  async function interrupted(line: string): Promise<CommandResult> {
    const stop = new AbortController();
    const before = cluster.agent.requests.length;
    let isSeen = false;
    const onOutput = (): void => {
      isSeen = true;
    };
    const running = runExample(line, { signal: stop.signal, onOutput });
    const ended = running.then(() => true);
    await Promise.race([
      ended,
      eventually(
        async () => isSeen || cluster.agent.requests.length > before,
        (isReached) => isReached,
      ),
    ]);
    stop.abort(new Error('the test has seen enough'));
    return running;
  }

  async function prepare(line: string): Promise<string> {
    const { client } = cluster.server;
    const pod = '/api/v1/namespaces/default/pods/web';
    if (/--for=delete|create -f/.test(line)) await client.delete(pod);
    if (line.includes('Ready=false')) {
      const { metadata: _, ...found } = (await client.get(pod)).json as { metadata: object };
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] };
      await client.put(`${pod}/status`, { ...found, metadata: { name: 'web' }, status });
    }
    if (line.includes('certificate ')) await createCertificateRequest();
    if (line.includes('config set contexts.dev')) await run(['config', 'use-context', 'dev']);
    if (!/undo|--at/.test(line)) return '';
    const { out } = await run(['get', 'deployment', 'web', '-o', 'jsonpath={.metadata.resourceVersion}']);
    // Two states in the history.
    await run(['annotate', 'deployment', 'web', 'changed=yes']);
    return out;
  }

  async function createCertificateRequest(): Promise<void> {
    const names = namesFor('orch');
    const path = `/apis/${names.group('certificates')}/v1/certificatesigningrequests`;
    await cluster.server.client.delete(`${path}/csr-sqgzp`);
    const created = await cluster.server.client.post(path, {
      metadata: { name: 'csr-sqgzp' },
      spec: {
        request: Buffer.from(encodePem('CERTIFICATE REQUEST', makeRequest({}))).toString('base64'),
        signerName: 'example.com/signer',
        usages: ['client auth'],
      },
    });
    assert.equal(created.status, 201, created.text);
  }

  it('examples in the help of commands are run by a test each, here or in another file', () => {
    assert.ok(all.length > 100, String(all.length));
    for (const file of Object.keys(elsewhere)) assert.ok(existsSync(join(import.meta.dirname, file)), file);
  });

  for (const line of all)
    it(`the example "${line}" succeeds`, { timeout: 60_000 }, async () => {
      const adapted = adapt(line, await prepare(line));
      const { status, err } = await (endless.test(line) ? interrupted(adapted) : runExample(adapted));
      assert.ok(endless.test(line) || status === 0 || (status === 1 && answers.test(line)), err);
      assert.doesNotMatch(err, /^error|^Error from|^unexpected|failed/m);
    });
});
