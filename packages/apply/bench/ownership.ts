import type { MutableJsonObject } from '@orch/machinery/json';
/**
 * Speed of server-side apply and of the bookkeeping of other writes: `scripts/node packages/apply/bench/ownership.ts`.
 * CPU times are the best of several ROUNDS, in microseconds per call; `JSON.parse` and `JSON.stringify` of the same object
 * stand beside them as the measure of the machine.
 */
import { type ApplyInput, applyConfig, type UpdateInput, updateOwnership } from '../src/index.ts';
import { deckKind, deckVersions } from '../src/testing/deck.ts';

const ROUNDS = 7;

/** CPU time, so that other processes do not count. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function measure(run: () => unknown, perRound: number): number {
  for (let i = 0; i < perRound; i++) run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = cpuMicroseconds();
    for (let i = 0; i < perRound; i++) run();
    best = Math.min(best, cpuMicroseconds() - start);
  }
  return best / perRound;
}

const base = { versions: deckKind, apiVersion: 'test/v1', now: '2024-01-01T00:00:00Z' } as const;
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const decoded = (object: MutableJsonObject): MutableJsonObject =>
  deckVersions['test/v1']?.codec.decode(object, { defaults: true }).value as unknown as MutableJsonObject;

const container = (name: string, variables: number): MutableJsonObject => ({
  name,
  image: `registry.example/${name}:1.2.3`,
  args: ['--listen=:8080', '--verbose'],
  env: Array.from({ length: variables }, (_, i) => ({ name: `VARIABLE_${i}`, value: `value of ${i}` })),
  ports: [
    { name: 'http', port: 8080 },
    { name: 'metrics', port: 9090 },
  ],
  limits: { cpu: '500m', memory: '128Mi' },
  probe: { path: '/healthz', periodSeconds: 5 },
});

const deck = (spec: MutableJsonObject): MutableJsonObject => ({
  apiVersion: 'test/v1',
  kind: 'Deck',
  metadata: { name: 'd', namespace: 'default', labels: { app: 'shop', tier: 'web' } },
  spec,
});

/** The size and shape of a deployment of 4 KB with its owners. */
const workload = (containers: number, replicas: number): MutableJsonObject =>
  deck({
    replicas,
    mode: 'Slow',
    selector: { match: { app: 'shop' } },
    strategy: { rolling: { surge: 1, unavailable: 0 } },
    containers: Array.from({ length: containers }, (_, i) => container(`container-${i}`, 8)),
  });

const map = (value: string): MutableJsonObject =>
  deck({ data: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`key-${i}`, value.repeat(50)])) });

/** The object after an apply, as it is read back. */
function stored(config: MutableJsonObject, live?: MutableJsonObject): MutableJsonObject {
  const input: ApplyInput = { ...base, manager: 'tool', live, config, force: false };
  const result = applyConfig(input);
  if (result.kind !== 'applied') throw new Error(result.kind);
  return copy(decoded(result.object));
}

const row = (what: string, run: () => unknown, perRound = 5_000): void =>
  console.log(`  ${what.padEnd(46)}${measure(run, perRound).toFixed(2).padStart(9)} µs`);

function report(
  title: string,
  config: MutableJsonObject,
  changed: MutableJsonObject,
  perRound = 5_000,
): void {
  const live = stored(config);
  const text = JSON.stringify(live);
  const apply = (input: Partial<ApplyInput>): unknown =>
    applyConfig({ ...base, manager: 'tool', live, config, force: false, ...input });
  const update = (input: Partial<UpdateInput>): unknown =>
    updateOwnership({ ...base, manager: 'user', live, next: live, ...input });
  const next = decoded({ ...copy(live), spec: copy(changed)['spec'] });
  const owned = { ...copy(live), spec: next['spec'] };
  const ownedByUser = copy(updateOwnership({ ...base, manager: 'user', live, next: owned }).object);
  const again = copy(ownedByUser);
  (again['spec'] as MutableJsonObject)['replicas'] = 77;
  const same = copy(live);
  console.log(
    `${title}: ${text.length} bytes, ${JSON.stringify((live['metadata'] as MutableJsonObject)['managedFields']).length} of them owners`,
  );
  row('JSON.parse', () => JSON.parse(text), perRound);
  row('JSON.stringify', () => JSON.stringify(live), perRound);
  row('apply that changes nothing', () => apply({}), perRound);
  row('apply that changes one field', () => apply({ config: changed }), perRound);
  row('apply by another manager, the same values', () => apply({ manager: 'other' }), perRound);
  row('apply in conflict', () => apply({ manager: 'other', config: changed }), perRound);
  row('create by apply', () => apply({ live: undefined }), perRound);
  row('update that changes nothing', () => update({ next: same }), perRound);
  row('update that takes a field', () => update({ next: owned }), perRound);
  row('update of a field that it has', () => update({ live: ownedByUser, next: again }), perRound);
  row('create by update', () => update({ live: undefined, next: { ...copyless(live) } }), perRound);
}

/** Without owners, as a client sends a new object. */
function copyless(object: MutableJsonObject): MutableJsonObject {
  const { managedFields: _owners, ...metadata } = object['metadata'] as MutableJsonObject;
  return { ...object, metadata };
}

report('map of 1 KB', map('x'), {
  ...map('x'),
  spec: { data: { ...((map('x')['spec'] as MutableJsonObject)['data'] as MutableJsonObject), 'key-3': 'y' } },
});
report('workload', workload(3, 2), workload(3, 3));
report('workload, 1,000 containers', workload(1_000, 2), workload(1_000, 3), 5);

for (const count of [250, 500, 1_000, 2_000, 4_000]) {
  const items = (from: number): MutableJsonObject =>
    deck({ containers: Array.from({ length: count }, (_, i) => ({ name: `item-${from + i}`, image: 'i' })) });
  const live = stored(items(0));
  row(
    `merge ${count} items, half of them new`,
    () => applyConfig({ ...base, manager: 'other', live, config: items(count / 2), force: false }),
    20,
  );
}
