import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import { measuredTransport } from './measured-transport.ts';
import { fetchText, get, http1Peer, post, settingsFor, soon, transportTo } from './testing/peers.ts';

describe('measured transport', () => {
  it('requests are counted by code and method, and timed by method, without their paths', async () => {
    await using peer = await http1Peer((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.end(request.method);
    });
    const [metrics, clock] = [createMetrics(), new FakeClock()];
    await using network = transportTo(settingsFor(peer.url));
    const transport = measuredTransport(network, { metrics, clock, host: 'server:6443' });
    for (const request of [get('/a'), get('/b'), get('/missing'), post('/c', 'x')])
      await fetchText(transport, request);
    const lines = metrics.text().split('\n');
    const url = 'https://server:6443/%7Bprefix%7D';
    for (const line of [
      'rest_client_requests_total{code="200",host="server:6443",method="GET"} 2',
      'rest_client_requests_total{code="404",host="server:6443",method="GET"} 1',
      'rest_client_requests_total{code="200",host="server:6443",method="POST"} 1',
      `rest_client_request_duration_seconds_count{url="${url}",verb="GET"} 3`,
      `rest_client_request_duration_seconds_count{url="${url}",verb="POST"} 1`,
    ])
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
    assert.ok(!metrics.text().includes('missing'));
  });

  it('a request without a response is counted with the code <error>, and its failure is not changed', async () => {
    const metrics = createMetrics();
    const failure = new Error('connection refused');
    const transport = measuredTransport(
      { send: () => Promise.reject(failure), reset: () => undefined, close: () => Promise.resolve() },
      { metrics, clock: new FakeClock(), host: 'server' },
    );
    await assert.rejects(transport.send(get('/'), soon()), (error) => error === failure);
    const line = 'rest_client_requests_total{code="<error>",host="server",method="GET"} 1';
    assert.ok(metrics.text().split('\n').includes(line));
  });
});
