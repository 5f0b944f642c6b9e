/**
 * A client over node:https on kept connections. Started with the URL of a review server, the file of its certificate
 * and the number of connections. For each message with a number, it sends the first review that the server received
 * this many times, and replies with a message when it has read the responses.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

const [url = '', certPath = '', connections = ''] = process.argv.slice(2);
const agent = new Agent({
  keepAlive: true,
  maxSockets: Number(connections),
  ca: readFileSync(certPath),
  allowPartialTrustChain: true,
});

function exchange(method: string, path: string, body: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const outgoing = request(new URL(path, url), { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

let review: Buffer = Buffer.alloc(0);

async function post(count: number): Promise<void> {
  if (review.length === 0) review = await exchange('GET', '/last');
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) await exchange('POST', '/review', review);
  };
  await Promise.all(Array.from({ length: Number(connections) }, client));
}

process.on('message', (count: number) => {
  void post(count).then(() => process.send?.('done'));
});
