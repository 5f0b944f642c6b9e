import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { head, reader } from '@orch/http/testing';
import {
  answered,
  backend,
  connectFixture,
  exchanged,
  namespace,
  somewhere,
} from '../testing/connect-fixture.ts';

const switching = (protocol = 'SPDY/3.1'): string =>
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nX-Stream-Protocol-Version: v4\r\n\r\n`;

const streamHead = (target: string, ...fields: readonly string[]): string =>
  head(
    `POST ${namespace}/pods/${target} HTTP/1.1`,
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    'Content-Length: 0',
    ...fields,
  );

const silent = () => backend({ tls: true, answer: () => undefined });

/** The status of the first answer, and the message of its Status. */
function statusOf(text: string): string {
  const code = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text;
  const start = text.indexOf('{');
  return start < 0 ? code : `${code} ${(JSON.parse(text.slice(start)) as { message: string }).message}`;
}

describe('exec, attach and portforward', () => {
  it('an accepted upgrade is tunnelled in both directions, including bytes sent with its head', async () => {
    await using agent = await backend({
      tls: true,
      answer: (socket) => socket.write(`${switching()}early`),
    });
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(
      streamHead(
        'p/exec?command=ls&command=-l+a&stdin=true&stdout=1&stderr=false',
        'X-Stream-Protocol-Version: v4',
      ),
    );
    const text = await out.until(/early$/);
    assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
    assert.match(text, /\r\nX-Stream-Protocol-Version: v4\r\n/);
    socket.write('hello agent');
    const got = await agent.until(/hello agent/);
    assert.match(
      got,
      /^POST \/exec\/default\/p\/c\?input=1&output=1&command=ls&command=-l\+a HTTP\/1\.1\r\n/,
    );
    assert.deepEqual(f.dialed, [`${somewhere}:${agent.port}`]);
    socket.destroy();
    await agent.idle();
  });

  for (const [target, expected] of [
    ['p/attach?stdout=true', /^POST \/attach\/default\/p\/c\?output=1 /],
    ['p/attach?stdout=true&tty=true&stdin=1', /^POST \/attach\/default\/p\/c\?input=1&output=1&tty=1 /],
    ['p/portforward', /^POST \/portForward\/default\/p /],
    ['p/portforward?ports=80&ports=8080', /^POST \/portForward\/default\/p\?port=80%2C8080 /],
    [
      'p/exec?command=a%26input%3D1&command=%0d%0a',
      /^POST \/exec\/default\/p\/c\?command=a%26input%3D1&command=%0D%0A /,
    ],
  ] as const) {
    it(`the request ${target} is translated for the agent`, async () => {
      await using agent = await backend({
        tls: true,
        answer: (socket) => socket.end(answered('400 Bad Request', 'no')),
      });
      await using f = await connectFixture();
      await f.node(agent.port);
      await f.pod('p');
      assert.equal(statusOf(await exchanged(f, streamHead(target))), '400 no');
      assert.match(agent.received(), expected);
    });
  }

  it('the agent receives neither the identity of the client nor fields that the protocol does not need', async () => {
    await using agent = await backend({
      tls: true,
      answer: (socket) => socket.end(answered('400 Bad Request', 'no')),
    });
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const bearer = f.api.names.webSocketProtocols.bearerPrefix;
    await exchanged(
      f,
      head(
        `GET ${namespace}/pods/p/exec?command=ls HTTP/1.1`,
        'Connection: upgrade, X-Odd',
        'Upgrade: websocket',
        'Cookie: session=1',
        'X-Remote-User: admin',
        'X-Odd: 1',
        'Sec-WebSocket-Key: abc',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Protocol: ${bearer}c2VjcmV0, v4.channel`,
        'X-Forwarded-For: 192.0.2.9',
      ),
    );
    const seen = agent.received();
    assert.doesNotMatch(seen, /authorization|cookie|remote|odd|c2VjcmV0|secret/i);
    assert.match(seen, /\r\nsec-websocket-protocol: v4\.channel\r\n/);
    assert.match(seen, /\r\nx-forwarded-for: 192\.0\.2\.9, 127\.0\.0\.1\r\n/);
    assert.match(seen, new RegExp(`\\r\\nhost: ${somewhere}:${agent.port}\\r\\n`));
  });

  it('requests without an upgrade to WebSocket or SPDY are refused', async () => {
    await using agent = await silent();
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const line = `POST ${namespace}/pods/p/exec?command=ls HTTP/1.1`;
    const upgradeTo = (protocol: string, ...fields: readonly string[]) =>
      head(line, 'Connection: Upgrade', `Upgrade: ${protocol}`, ...fields);
    for (const [text, message] of [
      [head(line, 'Connection: close'), /^400 Upgrade request required/],
      [head(line, 'Connection: close', 'Upgrade: SPDY/3.1'), /^400 Upgrade request required/],
      [upgradeTo('h2c'), /^400 Upgrade request required/],
      [`${upgradeTo('SPDY/3.1', 'Content-Length: 3')}abc`, /^400 .*must have no body/],
      [`${upgradeTo('SPDY/3.1', 'Transfer-Encoding: chunked')}0\r\n\r\n`, /^400 .*must have no body/],
    ] as const) {
      assert.match(statusOf(await exchanged(f, text)), message);
    }
    assert.equal(agent.connections, 0);
  });

  it('requests over HTTP/2 are refused, since they cannot be upgraded', async () => {
    await using f = await connectFixture();
    await f.node(1);
    await f.pod('p');
    const session = f.server.http2();
    const stream = session.request({
      ':method': 'POST',
      ':path': `${namespace}/pods/p/exec?command=ls`,
      authorization: 'Bearer secret',
    });
    stream.end();
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    assert.equal(headers[':status'], 400);
    assert.match(text, /needs HTTP\/1\.1 and an upgrade to WebSocket or SPDY/);
  });

  it('a missing pod, node, container or address is reported', async () => {
    await using f = await connectFixture();
    const two = {
      containers: ['a', 'b'].map((name) => ({ name, image: 'x' })),
      initContainers: [{ name: 'i', image: 'x' }],
    };
    await f.pod('p');
    await f.pod('two', two);
    await f.pod('unscheduled', { nodeName: '' });
    await f.pod('lost', { nodeName: 'gone' });
    await f.node(10_250, { type: 'Unheard', address: somewhere });
    for (const [target, message] of [
      ['none/exec', '404 pods "none" not found'],
      ['unscheduled/exec', '400 pod unscheduled does not have a host assigned'],
      ['lost/exec', '404 nodes "gone" not found'],
      ['p/exec?container=z', '400 container z is not valid for pod p'],
      [
        'two/exec',
        '400 a container name must be specified for pod two, choose one of: [a b] or one of the init containers: [i]',
      ],
      [
        'two/attach?container=',
        '400 a container name must be specified for pod two, choose one of: [a b] or one of the init containers: [i]',
      ],
      ['p/portforward?ports=0', '400 parameter ports must contain port numbers, not "0"'],
      ['p/portforward?ports=80;x', '400 parameter ports must contain port numbers, not "80;x"'],
      [
        'p/exec',
        '503 node "n" has no address of type Hostname, InternalDNS, InternalIP, ExternalDNS, ExternalIP',
      ],
    ] as const) {
      assert.equal(statusOf(await exchanged(f, streamHead(target, 'Connection: close'))), message, target);
    }
    assert.deepEqual(f.dialed, []);
  });

  it('an unreachable node agent is reported without Retry-After', async () => {
    const gone = await silent();
    await gone[Symbol.asyncDispose]();
    await using f = await connectFixture();
    await f.node(gone.port);
    await f.pod('p');
    const text = await exchanged(f, streamHead('p/exec'));
    assert.equal(
      statusOf(text),
      `503 error trying to reach the node agent of node "n" at ${somewhere}:${gone.port}: connection refused`,
    );
    assert.match(text, /"reason":"ServiceUnavailable"/);
    assert.doesNotMatch(text, /Retry-After/i);
  });

  it('an agent that does not answer fails the request after the timeout', async () => {
    await using agent = await silent();
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const answer = exchanged(f, streamHead('p/exec'));
    await agent.until(/\r\n\r\n/);
    f.api.env.clock.advance(29_999);
    assert.equal(agent.connections, 1);
    f.api.env.clock.advance(2);
    assert.equal(
      statusOf(await answer),
      '502 error talking to the node agent of node "n": no answer within 30000 ms',
    );
    await agent.idle();
  });

  it('an agent that does not complete the handshake fails the request after the timeout', async () => {
    await using agent = await backend({ answer: () => undefined });
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const answer = exchanged(f, streamHead('p/exec'));
    await agent.until(/./);
    f.api.env.clock.advance(5_001);
    assert.match(statusOf(await answer), /^503 error trying to reach .*: no connection within 5000 ms$/);
    await agent.idle();
  });

  it('the agent connection is closed when the client disconnects before the answer', async () => {
    await using agent = await silent();
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const socket = await f.server.connect();
    socket.write(streamHead('p/exec'));
    await agent.until(/\r\n\r\n/);
    socket.destroy();
    await agent.idle();
  });
});

describe('tunnelled streams of exec', () => {
  const opened = async (answer: Parameters<typeof backend>[0]['answer']) => {
    const agent = await backend({ tls: true, allowHalfOpen: true, answer });
    const f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(streamHead('p/exec'));
    await out.until(/\r\n\r\n/);
    return {
      agent,
      f,
      socket,
      out,
      async [Symbol.asyncDispose]() {
        await f[Symbol.asyncDispose]();
        await agent[Symbol.asyncDispose]();
      },
    };
  };

  it('after FIN of one side, the bytes of the other are still delivered', async () => {
    await using s = await opened((socket) => {
      socket.write(switching());
      socket.on('end', () => socket.end('last words'));
    });
    s.socket.end('all that I say');
    await s.out.closed;
    assert.match(s.agent.received(), /all that I say$/);
    assert.match(s.out.text(), /last words$/);
  });

  it('a half-open stream without activity is closed', async () => {
    await using s = await opened((socket) => socket.write(switching()));
    s.socket.end('bye');
    await s.agent.until(/bye/);
    s.f.api.env.clock.advance(62_000);
    await s.out.closed;
  });

  it('an open stream is closed after four hours without activity, and not before', async () => {
    await using s = await opened((socket) => {
      socket.write(switching());
      socket.on('data', (chunk: Buffer) => socket.write(`<${chunk}>`));
    });
    s.f.api.env.clock.advance(3.9 * 3_600_000);
    s.socket.write('x');
    await s.out.until(/<x>/);
    s.f.api.env.clock.advance(3.9 * 3_600_000);
    s.socket.write('y');
    await s.out.until(/<y>/);
    s.f.api.env.clock.advance(4.1 * 3_600_000);
    await s.out.closed;
  });

  it('an open stream has a grace period when the server stops', async () => {
    await using s = await opened((socket) => {
      socket.write(switching());
      socket.on('data', (chunk: Buffer) => socket.write(`<${chunk}>`));
    });
    const drained = s.f.server.listener.drain(new AbortController().signal);
    s.socket.write('still here');
    await s.out.until(/<still here>/);
    s.f.api.env.clock.advance(5_001);
    await s.out.closed;
    await drained;
  });

  it('an agent is stopped by back-pressure when its client does not read', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const pieces = 1024;
    let written = 0;
    await using s = await opened((socket) => {
      socket.write(switching());
      const fill = (): void => {
        while (written++ < pieces) {
          if (!socket.write(piece)) {
            socket.once('drain', fill);
            return;
          }
        }
        socket.end();
      };
      socket.once('data', fill);
    });
    s.socket.removeAllListeners('data');
    s.socket.pause();
    s.socket.write('go');
    // Once the sockets are full, nothing is transferred until the client reads.
    for (let turns = 0, before = -1; turns < 500; turns++) {
      if (written !== before) turns = 0;
      before = written;
      await new Promise((turn) => setImmediate(turn));
    }
    assert.ok(written > 1 && written < pieces, `${written} of ${pieces} pieces were taken`);
    let received = 0;
    s.socket.setEncoding('latin1');
    s.socket.on('data', (chunk: string) => {
      received += chunk.length;
    });
    s.socket.resume();
    await s.out.closed;
    assert.equal(received, pieces * piece.length);
  });
});
