import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Turns } from '../concurrency/index.ts';
import { TurnSchedule } from '../turn-schedule.ts';
import { createMetrics } from './metrics.ts';

/** Metrics that are written in turns, on a clock by which every piece takes a whole turn. */
function metricsInTurns() {
  let [time, iterations] = [0, 0];
  const clock = { monotonic: () => (time += 10) };
  const turns = new TurnSchedule(clock, (then) => {
    setImmediate(() => {
      iterations += 1;
      then();
    });
  });
  const long = new Turns({ clock, turns });
  return { metrics: createMetrics({ run: (work) => long.run(work) }), iterations: () => iterations };
}

describe('metrics of a process', () => {
  it('the exposition of many series lets the event loop do other work between its pieces', async () => {
    const { metrics, iterations } = metricsInTurns();
    const family = metrics.gauge({ name: 'objects', help: 'Objects.', labels: ['resource'] });
    for (let i = 0; i < 2000; i++) family.series(`kind-${i}`).set(i);
    assert.equal(await metrics.exposition(), metrics.text());
    assert.ok(iterations() >= 2000 / 64, `${iterations()} iterations`);
  });

  it('an exposition has each series once when another one clears the family meanwhile', async () => {
    const { metrics } = metricsInTurns();
    const family = metrics.gauge({ name: 'objects', help: 'Objects.', labels: ['resource'] });
    let isReversed = false;
    metrics.onCollect(() => {
      family.clear();
      const names = Array.from({ length: 500 }, (_, i) => `kind-${i}`);
      for (const name of isReversed ? names.reverse() : names) family.series(name).set(1);
      isReversed = !isReversed;
    });
    for (const text of await Promise.all([metrics.exposition(), metrics.exposition()])) {
      const lines = text.split('\n').filter((line) => line.startsWith('objects{'));
      assert.deepEqual([lines.length, new Set(lines).size], [500, 500]);
    }
  });

  it('a cleared family has only the series that were used since', () => {
    const metrics = createMetrics();
    const objects = metrics.gauge({ name: 'objects', help: 'Objects.', labels: ['resource'] });
    for (const name of ['a', 'b']) objects.series(name).set(1);
    objects.clear();
    objects.series('b').set(2);
    assert.deepEqual(metrics.text().split('\n').slice(2), ['objects{resource="b"} 2', '']);
  });

  it('the text has help with stability, type and samples of every family, sorted by name', () => {
    const metrics = createMetrics();
    const requests = metrics.counter({
      name: 'requests_total',
      help: 'Requests.',
      labels: ['verb', 'code'],
      stability: 'STABLE',
    });
    requests.series('GET', '200').inc();
    requests.series('GET', '200').inc(2);
    requests.series('PUT', '').inc();
    metrics.gauge({ name: 'in_flight', help: 'Now.', stability: 'ALPHA' }).series().set(-1.5);
    const latency = metrics.histogram({
      name: 'latency_seconds',
      help: 'Latency.',
      labels: ['verb'],
      buckets: [0.1, 1],
    });
    for (const value of [0.05, 0.1, 0.5, 7, Number.NaN]) latency.series('GET').observe(value);
    assert.equal(
      metrics.text(),
      [
        '# HELP in_flight [ALPHA] Now.',
        '# TYPE in_flight gauge',
        'in_flight -1.5',
        '# HELP latency_seconds Latency.',
        '# TYPE latency_seconds histogram',
        'latency_seconds_bucket{verb="GET",le="0.1"} 2',
        'latency_seconds_bucket{verb="GET",le="1"} 3',
        'latency_seconds_bucket{verb="GET",le="+Inf"} 4',
        'latency_seconds_sum{verb="GET"} 7.65',
        'latency_seconds_count{verb="GET"} 4',
        '# HELP requests_total [STABLE] Requests.',
        '# TYPE requests_total counter',
        'requests_total{verb="GET",code="200"} 3',
        'requests_total{verb="PUT",code=""} 1',
        '',
      ].join('\n'),
    );
  });

  it('an exposition adds the values of other threads, except those that all threads report', async () => {
    const threads = [3, 4].map((value) => {
      const metrics = createMetrics();
      const requests = metrics.counter({ name: 'requests_total', help: 'Requests.', labels: ['path'] });
      requests.series('/ "a" 1').inc(value);
      requests.series(`/${value}`).inc();
      metrics.gauge({ name: 'objects', help: 'Objects.', isSameInThreads: true }).series().set(value);
      metrics
        .histogram({ name: 'seconds', help: 'Time.', buckets: [1] })
        .series()
        .observe(value / 4);
      return metrics;
    });
    const [one, other] = threads;
    assert.ok(one !== undefined && other !== undefined);
    one.addPeer({ text: async () => other.text() });
    const expected = [
      '# HELP objects Objects.',
      '# TYPE objects gauge',
      'objects 4',
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      String.raw`requests_total{path="/ \"a\" 1"} 7`,
      'requests_total{path="/3"} 1',
      'requests_total{path="/4"} 1',
      '# HELP seconds Time.',
      '# TYPE seconds histogram',
      'seconds_bucket{le="1"} 2',
      'seconds_bucket{le="+Inf"} 2',
      'seconds_sum 1.75',
      'seconds_count 2',
      '',
    ].join('\n');
    assert.equal(await one.exposition(), expected);
    assert.equal(await one.exposition(), expected, 'values were added twice');
    assert.match(await one.exposition('openMetrics'), /^requests_total\{path="\/4"\} 1$/m);
  });

  it('OpenMetrics has units, counters without _total, exemplars and an end', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'bytes_total', help: 'All "bytes".' }).series().inc(2);
    metrics.counter({ name: 'old_count', help: 'Old.' }).series().inc();
    metrics.gauge({ name: 'gone', help: 'Gone.' }).series().set(1);
    metrics.counter({ name: 'gone_total', help: 'A counter beside a gauge.' }).series().inc();
    const latency = metrics.histogram({ name: 'latency_seconds', help: 'Latency.', buckets: [1] }).series();
    latency.observe(0.5, { traceId: 'a'.repeat(32), time: 1000 });
    latency.observe(0.25, { traceId: 'b'.repeat(32), time: 2500 });
    latency.observe(0.125);
    latency.observe(3);
    const source = '# HELP cpu_seconds_total CPU.\n# TYPE cpu_seconds_total counter\n\ncpu_seconds_total 1\n';
    metrics.addSource({ text: async () => source });
    assert.deepEqual((await metrics.exposition('openMetrics')).split('\n'), [
      '# TYPE bytes counter',
      '# HELP bytes All \\"bytes\\".',
      'bytes_total 2',
      '# TYPE gone gauge',
      '# HELP gone Gone.',
      'gone 1',
      '# TYPE gone_total unknown',
      '# HELP gone_total A counter beside a gauge.',
      'gone_total 1',
      '# TYPE latency_seconds histogram',
      '# UNIT latency_seconds seconds',
      '# HELP latency_seconds Latency.',
      `latency_seconds_bucket{le="1"} 3 # {trace_id="${'b'.repeat(32)}"} 0.25 2.5`,
      'latency_seconds_bucket{le="+Inf"} 4',
      'latency_seconds_sum 3.875',
      'latency_seconds_count 4',
      '# TYPE old_count unknown',
      '# HELP old_count Old.',
      'old_count 1',
      '# TYPE cpu_seconds counter',
      '# UNIT cpu_seconds seconds',
      '# HELP cpu_seconds CPU.',
      'cpu_seconds_total 1',
      '# EOF',
      '',
    ]);
    assert.doesNotMatch(await metrics.exposition(), /trace_id|EOF|UNIT/);
  });

  it('a labelled histogram has no samples before its first observation', () => {
    const metrics = createMetrics();
    const latency = metrics.histogram({ name: 'latency', help: 'h', labels: ['verb'], buckets: [1] });
    latency.series('GET');
    assert.equal(metrics.text(), '# HELP latency h\n# TYPE latency histogram\n');
    latency.series('PUT').observe(0);
    assert.doesNotMatch(metrics.text(), /GET/);
    assert.match(metrics.text(), /^latency_bucket\{verb="PUT",le="1"\} 1$/m);
    metrics.histogram({ name: 'plain', help: 'h', buckets: [1] });
    assert.match(metrics.text(), /^plain_count 0$/m, 'a histogram without labels is exposed from the start');
  });

  it('help texts and label values are escaped', () => {
    const metrics = createMetrics();
    metrics
      .counter({ name: 'a', help: 'x\\y\nz"', labels: ['l'] })
      .series('q"\\\n')
      .inc();
    assert.equal(metrics.text(), '# HELP a x\\\\y\\nz"\n# TYPE a counter\na{l="q\\"\\\\\\n"} 1\n');
  });

  it('a family without labels is exposed from the start, one with labels from its first series on', () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'plain', help: 'h' });
    const labelled = metrics.counter({ name: 'labelled', help: 'h', labels: ['a'] });
    assert.equal(metrics.text(), '# HELP plain h\n# TYPE plain counter\nplain 0\n');
    labelled.series('x');
    assert.match(metrics.text(), /labelled\{a="x"\} 0/);
  });

  it('equal label values return the same series, and different values different ones', () => {
    const family = createMetrics().counter({ name: 'a', help: 'h', labels: ['x', 'y'] });
    assert.equal(family.series('1', '2'), family.series('1', '2'));
    assert.notEqual(family.series('1', '2'), family.series('12', ''));
    assert.notEqual(family.series('a\0b', 'c'), family.series('a', 'b\0c'));
    assert.throws(() => family.series('1'), TypeError);
    assert.throws(() => family.series('1', '2', '3'), TypeError);
  });

  it('an equal declaration returns the same family, and a different one under the same name is refused', () => {
    const metrics = createMetrics();
    const first = metrics.counter({ name: 'a', help: 'h', labels: ['x'] });
    assert.equal(metrics.counter({ name: 'a', help: 'h', labels: ['x'] }), first);
    assert.throws(() => metrics.counter({ name: 'a', help: 'h' }), /declared twice/);
    assert.throws(() => metrics.gauge({ name: 'a', help: 'h', labels: ['x'] }), /declared twice/);
  });

  for (const definition of [
    { name: '1a', help: '' },
    { name: 'a-b', help: '' },
    { name: 'a', help: '', labels: ['a-b'] },
    { name: 'a', help: '', labels: ['__a'] },
    { name: 'a', help: '', buckets: [1, 1] },
    { name: 'a', help: '', buckets: [2, 1] },
  ]) {
    it(`the declaration ${JSON.stringify(definition)} is refused`, () => {
      assert.throws(() => createMetrics().histogram(definition), TypeError);
    });
  }

  it('the number of series of a family is limited, and further values share one series', () => {
    const metrics = createMetrics({ maxSeriesPerFamily: 3 });
    const family = metrics.counter({ name: 'a', help: 'h', labels: ['x', 'y'] });
    for (let i = 0; i < 1000; i++) family.series(String(i), 'y').inc();
    const samples = metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('a{'));
    assert.deepEqual(samples, [
      'a{x="0",y="y"} 1',
      'a{x="1",y="y"} 1',
      'a{x="2",y="y"} 1',
      'a{x="overflow",y="overflow"} 997',
    ]);
  });

  it('callbacks run before every scrape, and one that fails is counted and does not fail the scrape', () => {
    const metrics = createMetrics();
    const gauge = metrics.gauge({ name: 'g', help: 'h' }).series();
    metrics.onCollect(() => {
      throw new Error('broken');
    });
    metrics.onCollect(() => gauge.add(1));
    metrics.text();
    assert.match(metrics.text(), /^g 2$/m);
    assert.match(metrics.text(), /^metrics_collect_failures_total 3$/m);
  });

  it('the exposition has the families of sources; a source that fails is counted and left out', async () => {
    const metrics = createMetrics();
    metrics.gauge({ name: 'g', help: 'h' });
    metrics.addSource({ text: async () => Promise.reject(new Error('broken')) });
    metrics.addSource({ text: async () => 'library_total 3\n' });
    assert.match(
      await metrics.exposition(),
      /^g 0\n(.*\n)*metrics_collect_failures_total 1\nlibrary_total 3\n$/m,
    );
    assert.doesNotMatch(metrics.text(), /library_total/);
  });

  it('a counter never decreases', () => {
    const metrics = createMetrics();
    const counter = metrics.counter({ name: 'c', help: 'h' }).series();
    counter.inc(5);
    counter.inc(-3);
    counter.inc(Number.NaN);
    assert.match(metrics.text(), /^c 5$/m);
  });
});
