import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Subject } from '../../lib/context.ts';
import { ForkedProgram } from '../../lib/forked-program.ts';
import { LoopHolds, probedEnv } from '../../lib/loop-holds.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { type Attack, attacksOn } from './attacks.ts';
import { LEASES, leaseOf, MAPS } from './objects.ts';
import { heading, lineOf, rowsOf, type Seen } from './rows.ts';
import { names, tokenLines, users } from './users.ts';
import type { Experience } from './victim.ts';

const ROLES = `/apis/${names.group('rbac')}/v1/clusterrolebindings`;
const SECONDS = Number(process.env['SECONDS_EACH'] ?? '6');
const CROWD = Number(process.env['CROWD'] ?? '100');
const SETTLE_MS = 1000;

interface Arena {
  readonly subject: Subject;
  readonly pods: number;
  readonly holds: LoopHolds;
  readonly victim: ForkedProgram;
}

/**
 * Requests of users at a fixed rate, and of one who sends as many as are answered, beside another user who sends the most
 * expensive requests there are over many connections. Server, victim and adversary are three processes.
 */
export async function adversary(context: BenchContext, pods: number): Promise<readonly BenchResult[]> {
  await using stack = new AsyncDisposableStack();
  const subject = await subjectOf(context);
  const { host, port } = subject.target;
  const victim = stack.use(program('victim-program.ts', [host, String(port), String(subject.pid)]));
  const holds = new LoopHolds(subject.server.process, subject.pid);
  const arena = { subject, pods, holds, victim };
  // The first requests compile the code that later ones run.
  await experienceIn(arena);
  const alone = await experienceIn(arena);
  console.error(
    `${heading()}\n${lineOf({ ...alone, what: 'nothing', holdMs: await holds.longest(), attacks: 0 }, alone)}`,
  );
  const rows: BenchResult[] = [];
  const attacks = attacksOn(pods);
  const isChosen = ({ what }: Attack): boolean => what.includes(process.env['PART'] ?? '');
  // Later attacks use the objects of earlier ones.
  for (const attack of attacks.slice(0, attacks.findLastIndex(isChosen) + 1)) {
    await attack.prepare?.(subject);
    if (!isChosen(attack)) continue;
    const seen = await seenOf(arena, attack);
    console.error(lineOf(seen, alone));
    rows.push(...rowsOf(seen, alone));
  }
  return rows;
}

const program = (file: string, words: readonly string[]): ForkedProgram =>
  new ForkedProgram(join(import.meta.dirname, file), words);

const experienceIn = async ({ victim }: Arena): Promise<Experience> =>
  (await victim.ask(SECONDS)) as Experience;

async function seenOf(arena: Arena, { what }: Attack): Promise<Seen> {
  const { subject, pods, holds } = arena;
  const { host, port } = subject.target;
  await using attacker = program('attacker-program.ts', [
    host,
    String(port),
    String(pods),
    what,
    String(CROWD),
  ]);
  await sleep(SETTLE_MS + SECONDS * 1000);
  await attacker.ask('count');
  await holds.longest();
  const experience = await experienceIn(arena);
  return {
    ...experience,
    what: `${what}, ${CROWD} connections`,
    holdMs: await holds.longest(),
    attacks: Number(await attacker.ask('count')),
  };
}

async function subjectOf(context: BenchContext): Promise<Subject> {
  const tokens = join(context.folder, 'adversary-tokens.csv');
  writeFileSync(tokens, tokenLines());
  const args = [`--token-auth-file=${tokens}`, '--authorization-mode=RBAC', '--history-retention=24h'];
  const subject = await context.serverEmbedded(args, { env: probedEnv });
  const { client } = subject.server;
  const created = [
    await client.post(ROLES, {
      metadata: { name: 'bench-users' },
      roleRef: { apiGroup: names.group('rbac'), kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: Object.values(users).map((name) => ({ kind: 'User', apiGroup: names.group('rbac'), name })),
    }),
    await client.post(MAPS, { metadata: { name: 'small' }, data: { a: 'b' } }),
    await client.post(LEASES, JSON.parse(leaseOf(''))),
  ];
  for (const { status, text } of created) if (status !== 201) throw new Error(text);
  return subject;
}
