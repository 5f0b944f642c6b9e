import type { Clock, Metrics, Names } from '@orch/machinery';
import type { VersionInfo } from '../version-info.ts';

/** What is read of the running process; the composition root hands over `process`. */
export interface ProcessReadings {
  cpuSeconds(): number;
  memory(): {
    readonly rss: number;
    readonly heapUsed: number;
    readonly external: number;
    readonly arrayBuffers: number;
  };
  /** Open file descriptors; undefined where the system does not tell. */
  openDescriptors(): number | undefined;
  /** Share of time, between 0 and 1, that the event loop was busy since the last call. */
  loopUtilization(): number;
  uptimeSeconds(): number;
}

/** Metrics of the process itself, under the names that Prometheus clients of every language use, and what is built in. */
export function processMetrics(
  metrics: Metrics,
  readings: ProcessReadings,
  context: { readonly clock: Clock; readonly names: Names; readonly version: VersionInfo },
): void {
  const gauge = (name: string, help: string) => metrics.gauge({ name, help, stability: 'STABLE' }).series();
  const cpu = metrics
    .counter({
      name: 'process_cpu_seconds_total',
      help: 'User and system CPU time spent, in seconds.',
      stability: 'STABLE',
    })
    .series();
  let cpuSeconds = 0;
  const resident = gauge('process_resident_memory_bytes', 'Resident memory.');
  const heap = gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects in use.');
  const external = gauge(
    'nodejs_external_memory_bytes',
    'Memory outside the JavaScript heap, buffers included.',
  );
  const descriptors = gauge('process_open_fds', 'Open file descriptors.');
  const loop = gauge(
    'nodejs_eventloop_utilization',
    'Share of time that the event loop was busy since the last scrape.',
  );
  const start = gauge('process_start_time_seconds', 'Start of the process, in seconds since the epoch.');
  start.set(Math.round(context.clock.now() / 1000 - readings.uptimeSeconds()));
  metrics.onCollect(() => {
    const memory = readings.memory();
    const spent = readings.cpuSeconds();
    cpu.inc(spent - cpuSeconds);
    cpuSeconds = spent;
    resident.set(memory.rss);
    heap.set(memory.heapUsed);
    external.set(memory.external + memory.arrayBuffers);
    loop.set(readings.loopUtilization());
    const open = readings.openDescriptors();
    if (open !== undefined) descriptors.set(open);
  });
  buildInfo(metrics, context.names, context.version);
}

function buildInfo(metrics: Metrics, names: Names, version: VersionInfo): void {
  const labels = {
    build_date: version.buildDate,
    compiler: version.compiler,
    git_commit: version.gitCommit,
    git_tree_state: version.gitTreeState,
    git_version: version.gitVersion,
    go_version: version.goVersion,
    major: version.major,
    minor: version.minor,
    platform: version.platform,
  };
  metrics
    .gauge({
      name: names.metric('orch_build_info'),
      help: 'Constant 1, labeled with what was built and from what.',
      labels: Object.keys(labels),
      stability: 'ALPHA',
    })
    .series(...Object.values(labels))
    .set(1);
}
