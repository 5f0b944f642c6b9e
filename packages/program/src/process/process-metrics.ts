import type { Metrics, Names } from '@orch/machinery';
import type { VersionInfo } from '../version-info.ts';
import { runtimeMetrics } from './runtime-metrics.ts';

/** Adds the metrics of the process, of the runtime and of the build. */
export function processMetrics(
  metrics: Metrics,
  { names, version }: { readonly names: Names; readonly version: VersionInfo },
): void {
  metrics.addSource(runtimeMetrics());
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
      help: 'Constant 1, with the version, the source and the platform of the build as labels.',
      labels: Object.keys(labels),
      stability: 'ALPHA',
    })
    .series(...Object.values(labels))
    .set(1);
}
