import type { Clock, Random } from '@orch/machinery';
import type { Revision } from '../../../store.ts';
import type { EtcdLog } from './etcd-log.ts';
import {
  type Answerer,
  headerAnswer,
  type RangeOp,
  rangeAnswer,
  readDeletion,
  readNumber,
  readRangeRequest,
  readTxn,
  statusAnswer,
  txnAnswer,
} from './etcd-messages.ts';
import { EtcdWatch, type WatchedMember } from './etcd-watch.ts';
import type { SimulatedCall } from './server-connection.ts';

const OUT_OF_RANGE = 11;
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;
const NO_LEADER_AFTER_MS = 1000;
const REQUEST_TIMEOUT_MS = 1500;
const MAX_PROPOSAL_MS = 3;
const LEASE_TTL_SECONDS = 300;

/** What members share. */
export interface EtcdCluster {
  readonly log: EtcdLog;
  readonly clock: Clock;
  readonly random: Random;
  /** A request that writes has arrived at a member. */
  received(method: string, message: Buffer): void;
  /** The log has more entries. */
  grown(): void;
}

/** One member of a simulated etcd: it applies the log of the cluster after a delay, and answers calls from what it has applied. */
export class EtcdMember implements WatchedMember {
  readonly number: number;
  readonly version: string;
  readonly log: EtcdLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly #cluster: EtcdCluster;
  readonly #watches = new Set<EtcdWatch>();
  readonly #waiting = new Set<() => void>();
  #stuck: (() => void)[] = [];
  #applied: Revision = 1;
  #partitionedAt: number | undefined;
  /** How much later than the others it applies the log. */
  lagMs = 0;

  constructor(cluster: EtcdCluster, number: number, version: string) {
    this.#cluster = cluster;
    this.log = cluster.log;
    this.clock = cluster.clock;
    this.random = cluster.random;
    this.number = number;
    this.version = version;
  }

  answerer(): Answerer {
    return { member: this.number, revision: this.#applied };
  }

  /** Applies the present log, later. */
  follow(): void {
    const { rev } = this.log;
    this.clock.schedule(this.lagMs + this.random.int(20) / 10, () => this.#apply(rev));
  }

  /** Cuts the member off from the others: clients reach it still. */
  partition(): void {
    this.#partitionedAt ??= this.clock.monotonic();
    this.clock.schedule(NO_LEADER_AFTER_MS, () => {
      if (this.#hasNoLeader()) for (const watch of this.#watches) watch.end();
    });
  }

  /** Requests that waited for the others take effect now, or never. */
  heal(): void {
    if (this.#partitionedAt === undefined) return;
    this.#partitionedAt = undefined;
    const stuck = this.#stuck;
    this.#stuck = [];
    for (const act of stuck) if (this.random.int(2) === 0) act();
    this.follow();
  }

  cancelWatches(): void {
    for (const watch of this.#watches) watch.cancel();
  }

  accept(call: SimulatedCall): void {
    if (call.path === '/etcdserverpb.Watch/Watch') {
      this.#watch(call);
      return;
    }
    call.onMessage = (message) => this.#answer(call, Buffer.from(message));
  }

  #watch(call: SimulatedCall): void {
    if (this.#hasNoLeader()) {
      call.end(UNAVAILABLE, 'etcdserver: no leader');
      return;
    }
    const watch = new EtcdWatch(this, call);
    this.#watches.add(watch);
    call.onEnd = () => this.#watches.delete(watch);
  }

  #answer(call: SimulatedCall, message: Buffer): void {
    const method = call.path.split('/').at(-1) ?? '';
    if (this.#hasNoLeader() && method !== 'Status') {
      call.end(UNAVAILABLE, 'etcdserver: no leader');
      return;
    }
    const timeout = this.clock.schedule(REQUEST_TIMEOUT_MS, () =>
      call.end(UNAVAILABLE, 'etcdserver: request timed out'),
    );
    call.onEnd = timeout;
    switch (method) {
      case 'Status':
        this.#finish(call, statusAnswer(this.answerer(), this.version));
        break;
      case 'Range':
        this.#range(call, readRangeRequest(message));
        break;
      case 'LeaseGrant':
        this.#lease(call, 1 + this.random.int(1_000_000));
        break;
      case 'LeaseKeepAlive':
        this.#lease(call, readNumber(message));
        break;
      case 'Txn':
      case 'DeleteRange':
      case 'Compact':
        this.#cluster.received(method, message);
        this.#propose(() => this.#write(call, method, message));
        break;
      default:
        call.end(UNIMPLEMENTED, 'unknown method');
    }
  }

  #write(call: SimulatedCall, method: string, message: Buffer): void {
    if (method === 'Compact') {
      this.#compact(call, readNumber(message));
      return;
    }
    const txn =
      method === 'Txn' ? readTxn(message) : { compares: [], success: [readDeletion(message)], failure: [] };
    const { rev, succeeded, results } = this.log.execute(txn);
    this.#cluster.grown();
    this.#whenApplied(rev, () => {
      const from = { member: this.number, revision: rev };
      this.#finish(call, method === 'Txn' ? txnAnswer(from, succeeded, results) : headerAnswer(from));
    });
  }

  #compact(call: SimulatedCall, through: Revision): void {
    if (through > this.log.rev) {
      call.end(OUT_OF_RANGE, 'etcdserver: mvcc: required revision is a future revision');
      return;
    }
    if (through <= this.log.compacted) {
      call.end(OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted');
      return;
    }
    this.log.compact(through);
    this.#whenApplied(this.log.rev, () => this.#finish(call, headerAnswer(this.answerer())));
  }

  #range(call: SimulatedCall, range: RangeOp): void {
    const read = (): void => {
      const at = range.revision > 0 ? range.revision : this.#applied;
      if (at > this.#applied) {
        call.end(OUT_OF_RANGE, 'etcdserver: mvcc: required revision is a future revision');
        return;
      }
      if (at < this.log.compactedAt(this.#applied)) {
        call.end(OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted');
        return;
      }
      this.#finish(call, rangeAnswer(this.answerer(), this.log.range(range, at)));
    };
    if (range.isSerializable) {
      read();
      return;
    }
    // The leader confirms how far the log has been agreed on: no read is older than that.
    this.#propose(() => this.#whenApplied(this.log.rev, read));
  }

  #lease(call: SimulatedCall, id: number): void {
    this.#propose(() => this.#finish(call, headerAnswer(this.answerer(), { id, ttl: LEASE_TTL_SECONDS })));
  }

  #finish(call: SimulatedCall, answer: Buffer): void {
    call.send(answer);
    call.end(0);
  }

  /** Runs `act` when the others have agreed: later, and only after a partition has ended, if at all. */
  #propose(act: () => void): void {
    this.clock.schedule(this.random.int(10 * MAX_PROPOSAL_MS) / 10, () => {
      if (this.#partitionedAt === undefined) act();
      else this.#stuck.push(act);
    });
  }

  #whenApplied(rev: Revision, act: () => void): void {
    const check = (): void => {
      if (this.#applied < rev) return;
      this.#waiting.delete(check);
      act();
    };
    this.#waiting.add(check);
    check();
  }

  #apply(rev: Revision): void {
    if (this.#partitionedAt !== undefined || rev <= this.#applied) return;
    this.#applied = rev;
    for (const check of [...this.#waiting]) check();
    for (const watch of this.#watches) watch.advance();
  }

  #hasNoLeader(): boolean {
    const since = this.#partitionedAt;
    return since !== undefined && this.clock.monotonic() - since >= NO_LEADER_AFTER_MS;
  }
}
