import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';

/** Command lines whose output and exit status must be those of kubectl. */
const sameOutput: readonly (readonly [line: string, input?: string])[] = [
  ['logs one'],
  ['logs one --tail=1'],
  ['logs one --tail=0'],
  ['logs one --previous'],
  ['logs -p one'],
  ['logs one c'],
  ['logs one -c c --limit-bytes=3'],
  ['logs one --timestamps --since=1h'],
  ['logs one --since-time=2024-01-01T00:00:00Z'],
  ['logs two'],
  ['logs two -c b --prefix'],
  ['logs two --all-containers'],
  ['logs two --all-containers --prefix'],
  ['logs deployment/web'],
  ['logs svc/web --tail=1'],
  ['logs -l name=one --prefix'],
  ['logs pod/one'],
  ['logs missing'],
  ['logs one -c z'],
  ['logs one c -c c'],
  ['logs -l name=none'],
  ['logs'],
  ['logs one --since=1h --since-time=2024-01-01T00:00:00Z'],
  ['exec one -- echo hello world'],
  ['exec one -c c -- echo -n'],
  ['exec two -- complain loudly'],
  ['exec one -- exit 7'],
  ['exec one -- nonsense'],
  ['exec -i one -- cat', 'through and back'],
  ['exec -i deployment/web -- cat', ''],
  ['exec svc/web -- echo x'],
  ['exec one -- fill 300000'],
  ['exec missing -- echo'],
  ['exec one'],
  ['exec'],
  ['attach -i one', 'typed in'],
  ['attach -i two -c b', 'typed in'],
  ['attach missing'],
];

/** kubectl prints the logs of several containers in random order. */
const comparable = (line: string, text: string): string =>
  line.includes('--all-containers') ? text.split('\n').toSorted().join('\n') : text;

describe('orchctl compared with kubectl: commands that connect to containers', { concurrency: 4 }, () => {
  let cluster: NodeCluster;
  before(async () => {
    cluster = await nodeCluster('kubernetes', () => 1);
  });
  after(() => cluster[Symbol.asyncDispose]());

  for (const [line, input] of sameOutput)
    it(`"${line}" prints what kubectl prints`, async () => {
      const argv = line.split(' ');
      const [own, other] = await Promise.all([
        cluster.orchctl(argv, input === undefined ? {} : { input }),
        cluster.kubectl(argv, input),
      ]);
      assert.equal(comparable(line, own.out), comparable(line, other.out), `${own.err}\n${other.err}`);
      if (other.status === 1) assert.notEqual(own.status, 0, other.err);
      else assert.deepEqual([own.status, own.err], [other.status, other.err]);
    });
});
