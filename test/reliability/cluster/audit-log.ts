import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fence, fenceInUserAgent, formatFence } from '@orch/client';
import type { Names } from '@orch/machinery';

/** Writes of all resources; those of Leases with their objects, which identify the leader from then on. */
export const auditPolicy = (names: Names): string =>
  JSON.stringify({
    apiVersion: names.apiVersion('audit', 'v1'),
    kind: 'Policy',
    rules: [
      { level: 'None', verbs: ['get', 'list', 'watch'] },
      {
        level: 'RequestResponse',
        resources: [{ group: names.group('coordination'), resources: ['leases'] }],
      },
      { level: 'Metadata' },
    ],
  });

interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
  readonly responseObject?: {
    readonly kind?: string;
    readonly metadata?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly spec?: { readonly holderIdentity?: string; readonly leaseTransitions?: number };
  };
}

/** A write under a leadership. Times come from the clock of the machine, in ms. */
export interface LeaderWrite {
  readonly fence: Fence;
  readonly what: string;
  readonly server: string;
  readonly receivedAt: number;
  /** Undefined when the log has no response, as for a server that was killed: the write may have taken effect. */
  readonly answeredAt: number | undefined;
}

/** Every event of a server's log, including rotated files. A malformed line is an error. */
function readEvents(folder: string, server: string): AuditEvent[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(server))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent);
}

/**
 * The writes of leaders, certain or possible: writes that carry a fence, and writes of the Lease itself, which begin
 * and maintain the leadership in the response. Refused writes are omitted.
 */
export function leaderWrites(folder: string, server: string): LeaderWrite[] {
  const requests = new Map<string, AuditEvent[]>();
  for (const event of readEvents(folder, server)) {
    const events = requests.get(event.auditID);
    if (events === undefined) requests.set(event.auditID, [event]);
    else events.push(event);
  }
  return [...requests.values()].flatMap((events) => {
    const answered = events.find(({ stage }) => stage !== 'RequestReceived');
    const event = answered ?? events[0];
    if (event === undefined || (answered?.responseStatus?.code ?? 200) >= 300) return [];
    const fence = fenceInUserAgent(event.userAgent ?? '') ?? fenceOfLease(event);
    if (fence === undefined) return [];
    return [
      {
        fence,
        what: `${event.verb} ${event.requestURI}`,
        server,
        receivedAt: Date.parse(event.requestReceivedTimestamp),
        answeredAt: answered === undefined ? undefined : Date.parse(answered.stageTimestamp),
      },
    ];
  });
}

/** The fence of a Lease after a write to it; undefined when the Lease was released. */
function fenceOfLease({ responseObject }: AuditEvent): Fence | undefined {
  const { kind, metadata = {}, spec = {} } = responseObject ?? {};
  const { namespace = '', name = '', uid = '' } = metadata;
  const { holderIdentity: holder = '', leaseTransitions: transitions = 0 } = spec;
  return kind === 'Lease' && holder !== '' ? { namespace, name, uid, holder, transitions } : undefined;
}

const describeWrite = ({ fence, what, server, receivedAt, answeredAt }: LeaderWrite): string =>
  `${what} at ${server}, received ${new Date(receivedAt).toISOString()}, answered ${
    answeredAt === undefined ? 'never' : new Date(answeredAt).toISOString()
  }, under ${formatFence(fence)}`;

/**
 * Lists contradictions to a single leader in the logs: two holders of one leadership, or a write of an earlier
 * leadership that a server received after a write of a later one. Servers stamp events with the clock of their machine.
 * Here all share one clock, so the order of stamps is the order in which requests arrived, to the millisecond; events
 * of the same millisecond prove nothing and are ignored. On separate machines the order across servers would be known
 * only within the difference of their clocks. A write took effect between the stamps of its arrival and of its
 * response. Therefore arrivals are compared: a write that arrived before another leader began may still be in progress
 * when that one begins, and preconditions make it harmless.
 */
export function contradictions(writes: readonly LeaderWrite[]): string[] {
  const found: string[] = [];
  const holders = new Map<string, LeaderWrite>();
  const latest = new Map<string, LeaderWrite>();
  for (const write of writes.toSorted((a, b) => a.receivedAt - b.receivedAt)) {
    const { namespace, name, uid, holder, transitions } = write.fence;
    const lease = `${namespace}/${name}/${uid}`;
    const same = holders.get(`${lease}/${transitions}`) ?? write;
    holders.set(`${lease}/${transitions}`, same);
    if (same.fence.holder !== holder)
      found.push(`two holders of one leadership: ${describeWrite(same)}; ${describeWrite(write)}`);
    const last = latest.get(lease);
    if (last === undefined || last.fence.transitions < transitions) latest.set(lease, write);
    else if (last.fence.transitions > transitions && write.receivedAt > last.receivedAt)
      found.push(`a write of an earlier leader: ${describeWrite(write)}; after ${describeWrite(last)}`);
  }
  return found;
}

/** Number of leaderships in the writes. */
export const leaderships = (writes: readonly LeaderWrite[]): number =>
  new Set(writes.map(({ fence }) => `${fence.uid}/${fence.transitions}`)).size;
