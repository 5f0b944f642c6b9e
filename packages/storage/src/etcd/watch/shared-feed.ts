/** A session that receives all keys of a store. */
export interface FeedSession {
  /** It receives the answers of its own stream as they come. */
  readonly isFlowing: boolean;
  /** The revision that it has received completely; undefined while it has received a part of the next one. */
  readonly position: number | undefined;
  /** Receives from now on the answers that another session receives, and ends with it. */
  follow(leader: FeedSession): void;
}

/**
 * Several sessions that receive all keys would receive each event several times. One of them, the leader, receives it for all
 * that have reached the same revision: from there on, the answers are the same.
 */
export class SharedFeed {
  #leader: FeedSession | undefined;
  /** Sessions with streams besides the leader. */
  readonly #others = new Set<FeedSession>();

  /** Must be called after each answer that a session has received over its own stream. */
  received(session: FeedSession): void {
    if (this.#leader?.isFlowing !== true) {
      this.#leader = session;
      this.#others.delete(session);
    }
    if (session !== this.#leader) this.#others.add(session);
    for (const other of session === this.#leader ? this.#others : [session]) this.#join(other, this.#leader);
  }

  /** Must be called when a session has ended. */
  ended(session: FeedSession): void {
    this.#others.delete(session);
    if (this.#leader === session) this.#leader = undefined;
  }

  #join(session: FeedSession, leader: FeedSession): void {
    const { position } = leader;
    if (!session.isFlowing || position === undefined || session.position !== position) return;
    this.#others.delete(session);
    session.follow(leader);
  }
}
