import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CommandCluster, commandCluster } from './cluster.ts';

const created = [
  'create configmap first --from-literal=a=one --from-literal=b=two',
  'create configmap second --from-literal=a=one',
  'create deployment edited --image=example.com/a:1',
];

/** Edits by both programs: a command line and the editor. */
const steps: readonly (readonly [line: string, editor: string])[] = [
  ['edit cm first', 'true'],
  ['edit cm first', 'sed -i s/one/three/'],
  ['get cm first -o jsonpath={.data}', ''],
  ['edit configmap/first --output-patch', 'sed -i s/three/four/'],
  ['edit cm/first cm/second', 'sed -i s/four/five/'],
  ['edit cm first second', 'sed -i -e s/five/six/ -e s/one/six/'],
  ['edit cm first second', 'sed -i s/six/seven/'],
  ['edit cm first -o json', 'sed -i s/seven/eight/'],
  ['edit cm first', "sed -i 's/eight/nine ten/'"],
  ['get cm first second -o jsonpath={.items[*].data}', ''],
  ['edit cm first', 'sed -i s/^data:$/{/'],
  ['edit cm first', `sed -i 's/name:.first/name: third/'`],
  ['edit cm first', `sed -i 's/^kind:.*/kind: Secret/'`],
  ['edit cm first', 'false'],
  ['edit cm first', 'no-such-editor'],
  ['edit cm missing', 'true'],
  ['edit', 'true'],
  ['edit cm first --windows-line-endings', 'sed -i s/nine/eleven/'],
  ['get cm first -o jsonpath={.data}', ''],
  ['edit deployment edited', `sed -i 's/replicas:.1/replicas: 2/'`],
  ['edit deployment edited', `sed -i 's/image:.*/image: example.com\\/a:2/'`],
  ['edit deployment edited --subresource=status', `sed -i 's/^status:.*/status: {observedGeneration: 7}/'`],
  ['get deployment edited -o jsonpath={.spec.replicas}{.spec.template.spec.containers[0].image}', ''],
  ['edit deployment edited', `sed -i 's/replicas:.2/replicas: -2/'`],
  ['edit deployment edited', `sed -i 's/resourceVersion:.*/resourceVersion: "1"/'`],
];

/** Without the parts that differ between objects of two namespaces. */
const comparable = (text: string): string =>
  text.replaceAll('"other"', '"own"').replace(/"(?:uid|resourceVersion|creationTimestamp)": ".*"/g, '');

describe('the steps of edit beside kubectl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    for (const name of ['own', 'other'])
      await cluster.server.client.post('/api/v1/namespaces', { metadata: { name } });
    for (const line of created)
      for (const namespace of ['own', 'other']) {
        const { status, err } = await cluster.orchctl([...line.split(' '), `-n=${namespace}`]);
        assert.equal(status, 0, err);
      }
  });
  after(() => cluster[Symbol.asyncDispose]());
  const { PATH = '' } = process.env;

  for (const [i, [line, editor]] of steps.entries())
    it(`step ${i + 1}, "${line}" with the editor "${editor}", prints what kubectl prints`, async () => {
      const [own, other] = await Promise.all([
        cluster.orchctl([...line.split(' '), '-n=own'], {
          environment: { PATH, KUBE_EDITOR: editor, TMPDIR: cluster.folder },
        }),
        cluster.kubectl([...line.split(' '), '-n=other'], '', {
          KUBE_EDITOR: editor,
          TMPDIR: cluster.folder,
        }),
      ]);
      const text = `${own.err}\n${other.err}`;
      assert.equal(comparable(own.out), comparable(other.out), text);
      assert.equal(own.status === 0, other.status === 0, text);
      if (other.status === 0) assert.equal(own.err, other.err);
    });
});
