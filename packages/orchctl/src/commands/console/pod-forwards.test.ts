import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { PodForwards, podPortIn } from './pod-forwards.ts';

const pod = (port: number) => ({ namespace: 'default', name: 'one', port });

/** Ports whose connections answer with the port of the pod and stay open. */
const opened = (): PodForwards =>
  new PodForwards(async ({ port }, local) => {
    local.write(`port ${port}\n`);
    await once(local, 'close');
  }, new AbortController().signal);

describe('ports of pods that the console opens', () => {
  it('a port leads to that of the pod until it is closed, with its connections', async () => {
    await using forwards = opened();
    const { local } = await forwards.open(pod(80));
    assert.deepEqual(forwards.list(), [{ ...pod(80), local }]);
    const socket = connect(local, 'localhost');
    const [data] = await once(socket, 'data');
    assert.equal(String(data), 'port 80\n');
    const closed = once(socket, 'close');
    await forwards.close(local);
    await closed;
    assert.deepEqual(forwards.list(), []);
    await assert.rejects(once(connect(local, '127.0.0.1'), 'connect'), /ECONNREFUSED/);
  });

  it('the same port of a pod is open once, and only so many ports are', async () => {
    await using forwards = opened();
    for (let port = 1; port <= 16; port += 1) await forwards.open(pod(port));
    assert.deepEqual(await forwards.open(pod(7)), forwards.list()[6]);
    await assert.rejects(forwards.open(pod(17)), /16 ports are open/);
    assert.equal(forwards.list().length, 16);
  });

  it('connections to a port at the same time are bounded', async () => {
    await using forwards = opened();
    const { local } = await forwards.open(pod(80));
    const sockets = Array.from({ length: 64 }, () => connect(local, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    await once(connect(local, '127.0.0.1'), 'close');
    for (const socket of sockets) socket.destroy();
  });

  for (const body of [
    'x',
    '[]',
    '{"namespace":"default","name":"one"}',
    '{"namespace":"default","name":"one","port":65536}',
    '{"namespace":"default","name":"one","port":"80"}',
    '{"namespace":"default","name":"../one","port":80}',
    '{"namespace":"a/b","name":"one","port":80}',
  ])
    it(`the body ${body} names no port of a pod`, () => {
      assert.throws(() => podPortIn(Buffer.from(body)), /must|not JSON/);
    });
});
