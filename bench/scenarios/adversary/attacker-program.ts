/**
 * An attacker in a separate process. Started with the host and port of the server, the number of pods, the name of the attack
 * and the number of connections, it attacks until it is killed, and answers each message with the number of answers since the last.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection } from '../../lib/raw-client.ts';
import { attacksOn } from './attacks.ts';
import { authorized } from './users.ts';

const PAUSE_AFTER_ERROR_MS = 10;

const [host = '', port = '', pods = '', name = '', connections = ''] = process.argv.slice(2);
const attack = attacksOn(Number(pods)).find(({ what }) => what === name);
if (attack === undefined) throw new Error(`unknown attack: ${name}`);
let sent = 0;
let answers = 0;

process.on('message', () => {
  process.send?.(answers);
  answers = 0;
});

/** Requests with their tokens: most attacks repeat one. */
const prepared = new WeakMap<Buffer, Buffer>();

function nextRequest(request: Buffer): Buffer {
  const ready = prepared.get(request) ?? authorized(request, 'adversary');
  prepared.set(request, ready);
  sent += 1;
  return ready;
}

async function attacking(request: (index: number) => Buffer): Promise<void> {
  for (;;) {
    // A server that is busy, or refuses a body, may close connections.
    try {
      using connection = await RawConnection.open({ host, port: Number(port) });
      for (;;) {
        await connection.exchange(nextRequest(request(sent)));
        answers += 1;
      }
    } catch {
      await sleep(PAUSE_AFTER_ERROR_MS);
    }
  }
}

await Promise.all(Array.from({ length: Number(connections) }, () => attacking(attack.request)));
