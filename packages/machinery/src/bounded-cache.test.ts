import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BoundedCache, type BoundedCacheOptions } from './bounded-cache.ts';
import { FakeClock } from './testing/fake-clock.ts';

const values = <V>(cache: BoundedCache<string, V>, ...keys: readonly string[]) =>
  keys.map((key) => cache.get(key));

describe('a bounded cache', () => {
  it('a full cache evicts the entry that was set first', () => {
    const cache = new BoundedCache<string, number>({ maxEntries: 2 });
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) cache.set(key, index);
    assert.deepEqual(values(cache, 'a', 'b', 'c'), [2, undefined, 3]);
  });

  it('a full cache evicts the least recently used entry when it is asked to', () => {
    const cache = new BoundedCache<string, number>({ maxEntries: 2, leastRecentlyUsed: true });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.has('b');
    cache.set('c', 3);
    assert.deepEqual(values(cache, 'a', 'b', 'c'), [1, undefined, 3]);
  });

  it('a cache of no entries keeps nothing', () => {
    const cache = new BoundedCache<string, number>({ maxEntries: 0 });
    cache.set('a', 1);
    assert.deepEqual([cache.get('a'), cache.size], [undefined, 0]);
  });

  it('a value that is larger than the cache is not kept', () => {
    const evicted: string[] = [];
    const size = { max: 3, of: (value: string) => value.length };
    const cache = new BoundedCache<string, string>({ size, onEvict: (value) => evicted.push(value) });
    for (const text of ['a', 'bb', 'ccccc']) cache.set(text, text);
    assert.deepEqual([cache.size, evicted], [0, ['a', 'bb', 'ccccc']]);
  });

  it('a value may be undefined', () => {
    const cache = new BoundedCache<string, number | undefined>({ maxEntries: 1 });
    cache.set('a', undefined);
    assert.deepEqual([cache.has('a'), cache.has('b')], [true, false]);
  });

  it('a cache reads and replaces one key of many in constant time', () => {
    const cache = new BoundedCache<number, number>({ maxEntries: 100_000, leastRecentlyUsed: true });
    for (let key = 0; key < 100_000; key++) cache.set(key, 0);
    // With a Map in place of the links each step takes half a millisecond, and all of them minutes.
    for (let i = 0; i < 200_000; i++) cache.set(i % 2, cache.get(i % 2) ?? 0);
    for (let key = 100_000; key < 200_000; key++) cache.set(key, 0);
    assert.deepEqual([cache.size, cache.has(99_999), cache.has(100_000)], [100_000, false, true]);
  });
});

describe('the expiry of a bounded cache', () => {
  const open = (): { readonly clock: FakeClock; readonly cache: BoundedCache<string, number> } => {
    const clock = new FakeClock();
    return { clock, cache: new BoundedCache({ maxEntries: 2, expiry: { ttlMs: 1000, clock } }) };
  };

  it('an entry expires after the TTL of the monotonic clock, whatever the wall clock does', () => {
    const { clock, cache } = open();
    cache.set('a', 1);
    clock.setWallTime(clock.now() + 1e9);
    clock.advance(999);
    assert.deepEqual(values(cache, 'a'), [1]);
    clock.advance(1);
    assert.deepEqual([cache.has('a'), cache.get('a'), cache.size], [false, undefined, 0]);
  });

  it('an entry that is replaced has the whole TTL again', () => {
    const { clock, cache } = open();
    cache.set('a', 1);
    clock.advance(600);
    cache.set('a', 2);
    clock.advance(600);
    assert.deepEqual(values(cache, 'a'), [2]);
  });

  it('an entry that is set as of an earlier time expires the earlier', () => {
    const { clock, cache } = open();
    const since = clock.monotonic();
    clock.advance(600);
    cache.set('a', 1, since);
    clock.advance(400);
    assert.deepEqual(values(cache, 'a'), [undefined]);
  });
});

/** The promises of the cache in their simplest form: an array in the order of eviction. */
class Model {
  #entries: { readonly key: string; readonly value: string; readonly until: number }[] = [];
  readonly evicted: string[] = [];
  readonly #options: BoundedCacheOptions<string>;

  constructor(options: BoundedCacheOptions<string>) {
    this.#options = options;
  }

  find(key: string): string | undefined {
    const entry = this.#entries.find((each) => each.key === key);
    if (entry === undefined) return undefined;
    const { expiry } = this.#options;
    if (expiry === undefined || expiry.clock.monotonic() < entry.until) return entry.value;
    this.delete(key);
    return undefined;
  }

  get(key: string): string | undefined {
    const value = this.find(key);
    const used = this.#entries.filter((each) => each.key === key);
    if (this.#options.leastRecentlyUsed === true)
      this.#entries = [...this.#entries.filter((each) => each.key !== key), ...used];
    return value;
  }

  set(key: string, value: string): void {
    this.delete(key);
    const { expiry, size, maxEntries = Infinity } = this.#options;
    const until = expiry === undefined ? Infinity : expiry.clock.monotonic() + expiry.ttlMs;
    this.#entries.push({ key, value, until });
    const total = (): number => this.#entries.reduce((sum, each) => sum + each.value.length, 0);
    while (this.#entries.length > maxEntries || (size !== undefined && total() > size.max))
      this.evicted.push(this.#entries.shift()?.value ?? '');
  }

  delete(key: string): string | undefined {
    const removed = this.#entries.find((each) => each.key === key);
    this.#entries = this.#entries.filter((each) => each.key !== key);
    return removed?.value;
  }

  clear(): void {
    this.#entries = [];
  }

  get size(): number {
    return this.#entries.length;
  }
}

describe('a bounded cache and its model', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('set' as const), key, fc.string({ maxLength: 6 })) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('get' as const), key) },
    fc.tuple(fc.constantFrom('has' as const, 'delete' as const), key),
    fc.tuple(fc.constant('wait' as const), fc.integer({ min: 1, max: 6 })),
    fc.tuple(fc.constant('clear' as const)),
  );
  const limits = fc.record({
    maxEntries: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    maxSize: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
    expires: fc.boolean(),
    leastRecentlyUsed: fc.boolean(),
  });

  it('a cache with any limits has the values, the size and the evictions of its model after any steps', () => {
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), (limit, steps) => {
        const clock = new FakeClock();
        const { maxEntries, maxSize, leastRecentlyUsed } = limit;
        const evicted: string[] = [];
        const options: BoundedCacheOptions<string> = {
          leastRecentlyUsed,
          ...(maxEntries !== undefined && { maxEntries }),
          ...(maxSize !== undefined && { size: { max: maxSize, of: (value: string) => value.length } }),
          ...(limit.expires && { expiry: { ttlMs: 5, clock } }),
        };
        const cache = new BoundedCache<string, string>({
          ...options,
          onEvict: (value) => evicted.push(value),
        });
        const model = new Model(options);
        for (const [operation, ...args] of steps) {
          if (operation === 'wait') clock.advance(args[0] as number);
          else if (operation === 'clear') for (const each of [cache, model]) each.clear();
          else if (operation === 'set')
            for (const each of [cache, model]) each.set(args[0] as string, args[1] as string);
          else if (operation === 'has')
            assert.equal(cache.has(args[0] as string), model.find(args[0] as string) !== undefined);
          else assert.equal(cache[operation](args[0] as string), model[operation](args[0] as string));
          assert.equal(cache.size, model.size);
        }
        assert.deepEqual(evicted, model.evicted);
      }),
    );
  });
});
