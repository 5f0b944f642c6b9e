import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { head } from '@orch/http/testing';
import { Tracing } from '@orch/pipeline';
import { answered, backend, connectFixture, exchanged, namespace } from '../testing/connect-fixture.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const traceFields = [`traceparent: 00-${trace}-${parent}-01`, 'tracestate: shop=42'];

/** Trace context fields that arrive at a pod, or its node's agent, for a request with such fields. */
async function arrived(path: string, options: { traced: boolean; fields: readonly string[] }) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracing = new Tracing(provider);
  const { traced, fields } = options;
  await using f = traced
    ? await connectFixture({ traceHeaders: () => tracing.headers() }, { tracing })
    : await connectFixture();
  const answer = answered('200 OK', 'hello');
  await using program = await backend({ answer: (socket) => void socket.end(answer) });
  await using agent = await backend({ tls: true, answer: (socket) => void socket.end(answer) });
  await f.node(agent.port);
  await f.pod('p', {
    containers: [{ name: 'c', image: 'x', ports: [{ name: 'web', containerPort: program.port }] }],
  });
  await exchanged(f, head(`GET ${namespace}/pods/p/${path} HTTP/1.1`, 'Connection: close', ...fields));
  const received = program.received() + agent.received();
  return {
    fields: received.split('\r\n').filter((line) => /^trace/i.test(line)),
    server: exporter.getFinishedSpans().filter(({ name }) => /pods\/{name}\/(proxy|log)/.test(name)),
  };
}

describe('trace context of forwarded requests', () => {
  for (const path of ['proxy/x', 'log']) {
    it(`the trace continues at the backend, with a span of this server in between: ${path}`, async () => {
      const { fields, server } = await arrived(path, { traced: true, fields: traceFields });
      const [span, ...more] = server;
      assert.equal(more.length, 0);
      assert.deepEqual(fields, [
        `traceparent: 00-${trace}-${span?.spanContext().spanId}-01`,
        'tracestate: shop=42',
      ]);
    });
  }

  it('malformed trace state is not forwarded', async () => {
    const malformed = [traceFields[0] ?? '', 'tracestate: A=1,,=,bad'];
    const { fields } = await arrived('proxy/x', { traced: true, fields: malformed });
    assert.equal(fields.length, 1);
  });

  it('without a tracing SDK the fields are forwarded unchanged', async () => {
    assert.deepEqual((await arrived('proxy/x', { traced: false, fields: traceFields })).fields, traceFields);
  });
});
