import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesFor } from '@orch/machinery';
import { type BenchContext, type Subject, withoutBody } from '../../lib/context.ts';
import { LoopHolds, probedEnv } from '../../lib/loop-holds.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { RawConnection, type RawTarget } from '../../lib/raw-client.ts';
import { latenciesOf, percentile } from '../../lib/victim.ts';
import { type Attack, attacksOn } from './attacks.ts';

const names = namesFor('kubernetes');
const ROLES = `/apis/${names.group('rbac')}/v1/clusterrolebindings`;
const SECONDS = Number(process.env['SECONDS'] ?? '6');
const SETTLE_MS = 500;
const CROWD = 100;
const VICTIM = { intervalMs: 10, connections: 2 };
const MAP = '/api/v1/namespaces/default/configmaps';
/** Maxima of the issue: one request may hold the event loop for so long, and delay others for so long. */
const MAX_HOLD_MS = 25;
const MAX_DELAY_MS = 50;

/** Users who are not administrators, because flow control does not limit those. */
const users = ['adversary', 'victim'] as const;
const authorizationOf = (user: (typeof users)[number]): string =>
  `Authorization: Bearer token-of-${user}\r\n`;

interface Arena {
  readonly subject: Subject;
  readonly target: RawTarget;
  readonly holds: LoopHolds;
}

/** The latencies of a victim and a health check, and the holds of the event loop. */
interface Seen {
  readonly victim: readonly number[];
  readonly health: readonly number[];
  readonly holdMs: number;
  readonly attacks: number;
}

/** Requests of a user at a fixed rate beside another one who sends the most expensive requests there are. */
export async function adversary(context: BenchContext, pods: number): Promise<readonly BenchResult[]> {
  const arena = await arenaOf(context);
  const attacks = attacksOn(pods).filter(({ what }) => what.includes(process.env['PART'] ?? ''));
  await observed(arena, undefined, 0);
  const alone = await observed(arena, undefined, 0);
  const rows: BenchResult[] = [];
  for (const attack of attacks) {
    await attack.prepare?.(arena.subject);
    for (const connections of [4, CROWD]) {
      // The first requests compile the code that later ones run.
      await observed(arena, attack, connections);
      const seen = await observed(arena, attack, connections);
      const added = rowsOf(`${attack.what}, ${connections} connections`, seen, alone);
      for (const { what, value, unit, note } of added)
        console.error(`${what}: ${value.toFixed(1)} ${unit} (${note ?? ''})`);
      rows.push(...added);
    }
  }
  return rows;
}

function rowsOf(
  what: string,
  { victim, health, holdMs, attacks }: Seen,
  alone: Seen,
): readonly BenchResult[] {
  const [p50, p99] = [percentile(victim, 50), percentile(victim, 99)];
  const without = percentile(alone.victim, 99);
  return [
    {
      what: `GET p99 beside ${what}`,
      unit: 'ms',
      value: p99,
      target: MAX_DELAY_MS,
      note: `p50 ${p50.toFixed(1)} ms, p99 alone ${without.toFixed(1)} ms, p99 of health checks ${percentile(health, 99).toFixed(1)} ms, ${attacks} attacks`,
    },
    { what: `longest hold of the event loop by ${what}`, unit: 'ms CPU', value: holdMs, target: MAX_HOLD_MS },
  ];
}

async function arenaOf(context: BenchContext): Promise<Arena> {
  const tokens = join(context.folder, 'adversary-tokens.csv');
  writeFileSync(tokens, users.map((user) => `token-of-${user},${user},${user}-uid\n`).join(''));
  const args = [`--token-auth-file=${tokens}`, '--authorization-mode=RBAC', '--history-retention=24h'];
  const subject = await context.serverEmbedded(args, { env: probedEnv });
  const { client, process: running } = subject.server;
  const created = [
    await client.post(ROLES, {
      metadata: { name: 'bench-users' },
      roleRef: { apiGroup: names.group('rbac'), kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: users.map((name) => ({ kind: 'User', apiGroup: names.group('rbac'), name })),
    }),
    await client.post(MAP, { metadata: { name: 'small' }, data: { a: 'b' } }),
  ];
  for (const { status, text } of created) if (status !== 201) throw new Error(text);
  const { host, port } = subject.target;
  return { subject, target: { host, port }, holds: new LoopHolds(running, subject.pid) };
}

async function observed(arena: Arena, attack: Attack | undefined, connections: number): Promise<Seen> {
  const { target, holds } = arena;
  const stop = new AbortController();
  const stopped = ended(stop.signal);
  let attacks = 0;
  const attacking = Array.from({ length: connections }, async () => {
    while (!stop.signal.aborted && attack !== undefined) {
      // A server that is busy, or refuses a body, may close connections.
      try {
        using connection = await Promise.race([RawConnection.open(target), stopped]);
        while (connection !== undefined && !stop.signal.aborted) {
          const request = authorized(attack.request(attacks), 'adversary');
          await Promise.race([connection.exchange(request), stopped]);
          attacks += 1;
        }
      } catch {
        await sleep(10);
      }
    }
  });
  await sleep(SETTLE_MS);
  await holds.longest();
  const get = authorized(withoutBody(`${MAP}/small`), 'victim');
  const victim = latenciesOf(target, { ...VICTIM, request: get }, stop.signal);
  const health = latenciesOf(
    target,
    { intervalMs: 50, connections: 1, request: withoutBody('/livez') },
    stop.signal,
  );
  await sleep(SECONDS * 1000);
  stop.abort();
  const [victimMs, healthMs] = await Promise.all([victim, health, ...attacking]);
  return { victim: victimMs, health: healthMs, holdMs: await holds.longest(), attacks };
}

const ended = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

/** The request with the token of a user. */
function authorized(request: Buffer, user: (typeof users)[number]): Buffer {
  const line = request.indexOf('\r\n') + 2;
  return Buffer.concat([
    request.subarray(0, line),
    Buffer.from(authorizationOf(user)),
    request.subarray(line),
  ]);
}
