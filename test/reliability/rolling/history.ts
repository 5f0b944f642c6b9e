import assert from 'node:assert/strict';

/** An event as a watch received it. */
export interface Received {
  readonly type: string;
  readonly resourceVersion: number;
  readonly uid: string;
}

/** The known writes to one namespace. */
export class NamespaceHistory {
  /** resourceVersions of acknowledged creations and updates. */
  readonly acknowledged = new Set<number>();
  /** Uids of objects whose deletion was acknowledged. */
  readonly deleted = new Set<string>();
  /** Writes whose connection was closed before the answer. */
  unknown = 0;
  /** The greatest acknowledged resourceVersion. */
  last = 0;

  acknowledge(resourceVersion: number): void {
    this.acknowledged.add(resourceVersion);
    this.last = Math.max(this.last, resourceVersion);
  }

  /**
   * Every watch has received the same events, each once and in order: all acknowledged writes, and at most the writes of unknown
   * outcome beside them.
   */
  check(namespace: string, watches: readonly (readonly Received[])[]): void {
    const [first = []] = watches;
    const versions = first.map(({ resourceVersion }) => resourceVersion);
    for (const [at, events] of watches.entries())
      assert.deepEqual(
        events.map(({ resourceVersion }) => resourceVersion),
        versions,
        `${namespace}, watch ${at}`,
      );
    const present = new Set(versions);
    assert.equal(present.size, versions.length, `${namespace}: an event was received twice`);
    const missing = [...this.acknowledged].filter((version) => !present.has(version));
    assert.deepEqual(missing, [], `${namespace}: events of acknowledged writes that no watch received`);
    const deletions = new Set(first.filter(({ type }) => type === 'DELETED').map(({ uid }) => uid));
    assert.deepEqual(
      [...this.deleted].filter((uid) => !deletions.has(uid)),
      [],
      `${namespace}: deletions that no watch received`,
    );
    const known = this.acknowledged.size + this.deleted.size;
    assert.ok(
      versions.length <= known + this.unknown,
      `${namespace}: ${versions.length} events of ${known} writes and ${this.unknown} of unknown outcome`,
    );
  }
}
